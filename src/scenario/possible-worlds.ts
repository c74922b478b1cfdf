/**
 * What else a scenario may have been: with the same seed, and so the same map, but other draws. It follows from
 * the effective scenario alone, so a run and its log give the same answer, whatever settings were used.
 */
import type { Json } from '../base/json.js';
import { withFloats } from './decimals.js';
import { allDraws, drawsOf, usedNames, withDrawn } from './draw.js';
import { readDraft } from './load.js';
import { findingsFor } from './report.js';
import type { AgentSpec, Drawn, Scenario } from './scenario.js';
import { unlimitedSource } from './source.js';
import type { SpriteNames, WorldReader } from './world.js';

/** A scenario as it would be with other draws. */
export interface PossibleWorld {
  drawn: Drawn;
  definition: Json;
  /** With the controllers of the scenario's file. */
  agents: readonly AgentSpec[];
}

/**
 * Everything that may have been drawn; the actual scenario is among them, and the only one if nothing is drawn.
 * Combinations with which the scenario has mistakes are left out, because no run has them. Null if there are
 * more than `LIMITS.drawCombinations`.
 */
export function possibleWorlds(
  { draw, definition, agents, seed, name }: Scenario,
  { reader, sprites }: { reader: WorldReader; sprites: SpriteNames | null },
): readonly PossibleWorld[] | null {
  if (draw === undefined) return [{ drawn: {}, definition, agents }];
  const value = withFloats(draw.from);
  const used = usedNames(value);
  const combinations = allDraws((drawsOf(value) ?? []).filter((one) => used.has(one.name)));
  if (combinations === null) return null;
  const source = unlimitedSource(name, '');
  const file = {
    path: name,
    content: '',
    readFile: (): never => {
      throw new Error('a scenario is read again without other files');
    },
  };
  return combinations.flatMap((drawn) => {
    const findings = findingsFor(() => ({ source, root: null, value, targets: new Map() }), []);
    const filled = withDrawn(value, { seed, choose: () => drawn, report: findings });
    const options = { worlds: [reader], seed, known: { sprites } };
    const draft = readDraft({ file, filled, findings, options });
    if (draft === null || findings.failed()) return [];
    return [{ drawn, definition: draft.scenario.definition, agents: draft.scenario.agents }];
  });
}

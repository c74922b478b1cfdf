/**
 * What else a scenario may have been: with the same seed, and so the same map, but other draws. It follows from
 * the effective scenario alone, so a run and its log give the same answer, whatever settings were used.
 */
import type { Json } from '../base/json.js';
import { LIMITS } from '../base/limits.js';
import { withFloats } from './decimals.js';
import { pick, stream } from '../base/rng.js';
import type { Draw } from './draw.js';
import { allDraws, drawnBySeed, drawsOf, namedValues, usedNames, withDrawn, withNamed } from './draw.js';
import { readDraft } from './load.js';
import { childOf } from './records.js';
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
export function possibleWorlds(scenario: Scenario, reading: Reading): readonly PossibleWorld[] | null {
  const combinations = allDraws(usedDraws(scenario));
  return combinations && worldsWith(scenario, reading, combinations);
}

/**
 * What an agent that has read its goals takes to be possible: the worlds in which it has the same ones, and the names
 * of the draws in them. Of more than `LIMITS.drawCombinations` worlds, so many, chosen by the seed: the actual one may
 * not be among them.
 */
export function worldsOfAgent(
  scenario: Scenario,
  agent: string,
  reading: Reading,
): { worlds: readonly PossibleWorld[]; told: ReadonlySet<string> } {
  const { draw, seed, agents } = scenario;
  const draws = usedDraws(scenario);
  const written = childOf(withFloats(draw?.from ?? {}), 'agents');
  const own = childOf(
    written,
    agents.findIndex(({ id }) => id === agent),
  );
  const texts = [childOf(own, 'persona') ?? null, childOf(own, 'goals') ?? null] as Json[];
  const told = usedNames(texts);
  const textsWith = (drawn: Drawn): string => withNamed(JSON.stringify(texts), namedValues(drawn));
  const actual = textsWith(draw?.drawn ?? {});
  const read = draws.filter(({ name }) => told.has(name));
  const same = allDraws(read, LIMITS.drawsRead)?.filter((drawn) => textsWith(drawn) === actual);
  const hidden = draws.filter(({ name }) => !told.has(name));
  const rest = same && allDraws(hidden, LIMITS.drawCombinations / same.length);
  const all = rest && same.flatMap((one) => rest.map((other) => ({ ...one, ...other })));
  const some = (i: number): Drawn => ({
    ...drawnBySeed(draws, `${seed} ${i}`),
    ...(same && pick(stream(seed, `possible:${i}`), same).value),
  });
  const combinations = all ?? Array.from({ length: LIMITS.drawCombinations }, (_, i) => some(i));
  return { worlds: worldsWith(scenario, reading, combinations), told };
}

export interface Reading {
  reader: WorldReader;
  sprites: SpriteNames | null;
}

function usedDraws({ draw }: Scenario): readonly Draw[] {
  if (draw === undefined) return [];
  const value = withFloats(draw.from);
  const used = usedNames(value);
  return (drawsOf(value) ?? []).filter(({ name }) => used.has(name));
}

function worldsWith(
  { draw, definition, agents, seed, name }: Scenario,
  { reader, sprites }: Reading,
  combinations: readonly Drawn[],
): readonly PossibleWorld[] {
  if (draw === undefined) return [{ drawn: {}, definition, agents }];
  const value = withFloats(draw.from);
  const file = {
    path: name,
    content: '',
    readFile: (): never => {
      throw new Error('a scenario is read again without other files');
    },
  };
  const tree = { source: unlimitedSource(name, ''), root: null, value, targets: new Map() };
  return combinations.flatMap((drawn) => {
    const findings = findingsFor(() => tree, []);
    const filled = withDrawn(value, { seed, choose: () => drawn, report: findings });
    const options = { worlds: [reader], seed, known: { sprites } };
    const draft = readDraft({ file, filled, findings, options });
    if (draft === null || findings.failed()) return [];
    return [{ drawn, definition: draft.scenario.definition, agents: draft.scenario.agents }];
  });
}

/**
 * Golden transcripts: for each shipped scenario a list of fixed replies that wins it, with the outcome, turns, state hash and chain that
 * must come of them. `UPDATE_GOLDEN=1` writes new numbers, for the commit that raises a version.
 */
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseDocument } from 'yaml';
import { repliesController } from '../../src/agent/controllers/replies.js';
import { play } from '../support/play.js';
import { SIZED, someOf } from '../support/sizes.js';

const FOLDER = new URL('../fixtures/golden/', import.meta.url);

interface Golden {
  /** As `--set` takes them: another question, another fault of the same scenario. */
  set?: readonly string[];
  status: string;
  turns: number;
  steps: number;
  state_hash: string;
  chain: string;
  replies: Readonly<Record<string, readonly string[]>>;
}

/** `react.sum.yaml` is a transcript of `react.yaml`. */
function scenarioOf(name: string): string {
  return `${name.split('.')[0] ?? ''}.yaml`;
}

describe('the golden transcript', () => {
  it('stands for every shipped scenario', () => {
    const shipped = readdirSync('scenarios').filter((name) => name.endsWith('.yaml'));
    const won = new Set(readdirSync(FOLDER).map(scenarioOf));
    expect([...won].sort()).toEqual(shipped.sort());
  });

  it.each(someOf(readdirSync(FOLDER), 'scenarios'))(
    'of %s is played to the same end',
    SIZED,
    async (name) => {
      const file = new URL(name, FOLDER);
      const document = parseDocument(readFileSync(file, 'utf8'));
      const { replies, set = [], ...golden } = document.toJS() as Golden;
      // oxlint-disable-next-line unicorn/no-thenable -- the scenario's own word
      const player = (list: readonly string[]) => repliesController({ replies: list, then: 'stop' });
      const controllers = Object.fromEntries(Object.entries(replies).map(([id, list]) => [id, player(list)]));
      const { end } = await play(`scenarios/${scenarioOf(name)}`, { controllers, set });
      const { status, turns, steps, stateHash, chain } = end;
      const played = { status, turns, steps, state_hash: stateHash, chain };
      if (process.env['UPDATE_GOLDEN'] === '1') {
        for (const [key, value] of Object.entries(played)) document.set(key, value);
        writeFileSync(file, document.toString({ lineWidth: 0 }));
      } else expect(played).toEqual(golden);
      expect(status).toBe('succeeded');
    },
  );
});

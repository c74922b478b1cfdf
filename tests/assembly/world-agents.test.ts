/** A search takes agents of the world as chance that it knows: it predicts what they do and lets them help nobody. */
import { describe, expect, it } from 'vitest';
import { openScenario } from '../../src/assembly/open.js';
import { runScenario } from '../../src/assembly/run-scenario.js';
import { winnable } from '../../src/assembly/winnable.js';
import { openScenarioFile } from '../../src/scenario/folder.js';

const DRAWING = 'tests/fixtures/scenarios/agent-that-draws.yaml';
const SEEDS = ['1', '2', '3', '4', '5'];

const opened = (file: string, options: Parameters<typeof openScenario>[1]) =>
  openScenario(openScenarioFile(file), options);

describe('a search in a world with an agent that draws', () => {
  it('finds moves of the players alone, and they win as they are played', async () => {
    const bottles = new Set<string>();
    for (const seed of SEEDS) {
      const win = winnable(await opened(DRAWING, { seed }), { effort: 10_000, withdrawn: [] });
      const moves = win?.moves ?? [];
      expect(moves.map(({ agent }) => agent)).not.toContain('physician');
      const replies = Array.from({ length: win?.turn ?? 0 }, (_, turn) => {
        const now = moves.filter((move) => move.turn === turn + 1).map(({ command }) => `ACTION: ${command}`);
        return now.length > 0 ? now : ['ACTION: WAIT'];
      }).flat();
      const set = [`agents.apprentice.replies=${JSON.stringify(replies)}`];
      const { end } = await runScenario(DRAWING, { seed, set });
      expect(end).toMatchObject({ status: 'succeeded', turns: win?.turn });
      bottles.add(moves.at(-1)?.command ?? '');
    }
    // The seed decides which bottle is right.
    expect(bottles.size).toBeGreaterThan(1);
  });

  it('lets the oracle win every seed', async () => {
    const ends: string[] = [];
    for (const seed of SEEDS) {
      const set = ['agents.apprentice.controller=oracle'];
      ends.push((await runScenario(DRAWING, { seed, set })).end.status);
    }
    expect(ends).toEqual(SEEDS.map(() => 'succeeded'));
  });

  it('does not wait for one that says nothing', async () => {
    // The physician could pull a cord, but its list of replies never does.
    const opening = (replies: string) =>
      opened(DRAWING, {
        set: [
          'agents.physician.controller=null',
          `agents.physician.replies=${replies}`,
          'agents.physician.part=world',
          'turns.max=20',
        ],
      });
    const never = winnable(await opening('["ACTION: WAIT"]'), { effort: 10_000, withdrawn: [] });
    expect(never?.verdict).not.toBe('winnable');
    const red = winnable(await opening('["ACTION: USE red cord"]'), { effort: 10_000, withdrawn: [] });
    expect(red?.moves?.at(-1)?.command).toBe('TAKE red-bottle');
  });

  it('lets one be refused as often as a run does', async () => {
    const turnsFor = async (...turns: readonly string[]) => {
      // The bottle is not where the physician is.
      const refused = Array.from({ length: 9 }, () => 'ACTION: USE red bottle');
      const replies = JSON.stringify([...refused, 'ACTION: USE red cord']);
      const physician = ['controller=null', `replies=${replies}`, 'part=world'];
      const set = [...physician.map((one) => `agents.physician.${one}`), 'turns.max=20', ...turns];
      const found = winnable(await opened(DRAWING, { set }), { effort: 10_000, withdrawn: [] });
      return found?.turn ?? 0;
    };
    const once = await turnsFor('turns.attempts=1');
    expect(once).toBeGreaterThan(9);
    expect(await turnsFor('turns.attempts=1', 'turns.refusals=2')).toBeLessThan(once);
    expect(await turnsFor('turns.attempts=3', 'turns.refusals=1')).toBe(once);
  });
});

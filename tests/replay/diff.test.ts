/** Two logged runs compared: where they part, in what, how the worlds differ then and later, and what they share. */
import { beforeAll, describe, expect, it } from 'vitest';
import { known } from '../../src/base/assert.js';
import { LIMITS } from '../../src/base/limits.js';
import { MODULES } from '../../src/worlds/registry.js';
import { stageOpener } from '../../src/assembly/stage.js';
import { LogReader } from '../../src/log/reader.js';
import { differences } from '../../src/replay/diff/differences.js';
import { alignedSteps, sharedSteps } from '../../src/replay/diff/aligned-steps.js';
import { diffRuns } from '../../src/replay/diff/run-diff.js';
import type { RunDiff } from '../../src/replay/diff/run-diff.js';
import { worldsDiffer } from '../../src/replay/diff/worlds.js';
import type { RestoredWorld } from '../../src/replay/state-at.js';
import { corridor } from '../orchestrator/two-agents.js';
import { answering } from '../support/controllers.js';
import type { PlayOptions } from '../support/play.js';
import { changed, damaged, logged } from './support.js';

type Answers = readonly [ann: readonly string[], bob: readonly string[]];

const EAST: Answers = [
  ['ACTION: GO EAST', 'ACTION: GO SOUTH', 'ACTION: TAKE coin'],
  ['ACTION: WAIT', 'ACTION: WAIT', 'ACTION: WAIT'],
];

async function played(
  [ann, bob]: Answers,
  text = corridor('max: 3'),
  options: PlayOptions = {},
): Promise<string> {
  const controllers = { ann: answering(ann), bob: answering(bob) };
  return (await logged(text, { controllers, ...options })).path;
}

function compared(a: string, b: string, steps = 20): RunDiff {
  const readers = [new LogReader(a), new LogReader(b)] as const;
  try {
    const [one, two] = readers.map((reader) => ({
      reader,
      run: reader.run(known(reader.runs()[0], 'a run').runId),
    }));
    return diffRuns(
      { a: known(one, 'a'), b: known(two, 'b') },
      { open: stageOpener({ modules: MODULES }), moments: steps },
    );
  } finally {
    for (const reader of readers) reader.close();
  }
}

let first = '';

beforeAll(async () => {
  first = await played(EAST);
});

describe('two runs', () => {
  it('are the same where everything is, whenever and under whichever id they were played', async () => {
    const found = compared(first, await played(EAST));
    expect(found).toMatchObject({
      isSame: true,
      divergence: null,
      promptDifference: null,
      replyDifference: null,
      setup: [],
      parts: [],
    });
    expect([found.worldsBefore, found.worldsAfter, found.worldsAtEnd]).toEqual([null, null, null]);
  });

  it('part at the first step in which something else is done; the worlds are held against each other there', async () => {
    const other = await played([['ACTION: GO EAST', 'ACTION: WAIT', 'ACTION: WAIT'], EAST[1]]);
    const found = compared(first, other);
    expect(found.isSame).toBe(false);
    expect(found.divergence?.moment).toMatchObject({ turn: 2, agent: 'ann', a: { step: 4 }, b: { step: 4 } });
    expect(found.divergence?.aspects).toEqual(['acts', 'events', 'world']);
    expect(found.replyDifference).toMatchObject({
      turn: 2,
      agent: 'ann',
      part: 'reply',
      steps: { a: 4, b: 4 },
    });
    expect(found.promptDifference).toBeNull();
    expect(found.worldsAfter?.steps).toEqual({ a: 4, b: 4 });
    expect(found.worldsAfter?.differ.things).toEqual([
      {
        id: 'ann',
        name: expect.stringMatching(/ann/i) as string,
        a: { x: 3, y: 2, look: 'figure/knight' },
        b: { x: 3, y: 1, look: 'figure/knight' },
      },
    ]);
    const values = found.worldsAfter?.differ.values ?? [];
    expect(values).toContainEqual({ part: 'entities', path: ['bodies', 'ann', 'y'], logged: 2, made: 1 });
    expect(values.find(({ path }) => path.includes('last'))?.part).toBe('speech');
  });

  it('tell who holds what, what is told otherwise, and the parts from when on', async () => {
    const other = await played([['ACTION: GO EAST', 'ACTION: GO SOUTH', 'ACTION: WAIT'], EAST[1]]);
    const found = compared(first, other);
    expect(found.divergence?.moment).toMatchObject({ turn: 3, agent: 'ann' });
    const differ = known(found.worldsAtEnd?.differ, 'worlds');
    expect(differ.held).toEqual([{ agent: 'ann', a: ['coin'], b: [] }]);
    expect(differ.things.map(({ id, a, b }) => [id, a, b])).toEqual([
      ['coin', null, { x: 3, y: 2, look: 'item/coin' }],
    ]);
    expect(differ.told.map(({ agent, section }) => `${agent} ${section}`)).toContain('ann hold');
    expect(differ.values.find(({ path }) => path.includes('holds'))?.part).toBe('entities');
    expect(found.parts.find(({ part }) => part === 'things')).toMatchObject({ turn: 3, isApartAtEnd: true });
    expect(differ.parts).toEqual(expect.arrayContaining(['entities', 'ground', 'speech', 'things']));
  });

  it('may come together again', async () => {
    const other = await played([
      ['ACTION: GO SOUTH', 'ACTION: GO EAST', 'ACTION: GO WEST'],
      ['ACTION: WAIT', 'ACTION: WAIT', 'ACTION: WAIT'],
    ]);
    const found = compared(
      await played([['ACTION: GO EAST', 'ACTION: GO SOUTH', 'ACTION: GO WEST'], EAST[1]]),
      other,
    );
    expect(found.divergence?.moment.turn).toBe(1);
    expect(found.parts.find(({ part }) => part === 'entities')).toMatchObject({
      turn: 1,
      isApartAtEnd: false,
    });
  });

  it('do the same where only the words differ, and the first different words are named', async () => {
    const other = await played([['I walk on to the east.\nACTION: GO EAST', ...EAST[0].slice(1)], EAST[1]]);
    const found = compared(first, other);
    expect([found.isSame, found.divergence, found.promptDifference]).toEqual([false, null, null]);
    expect(found.replyDifference).toMatchObject({ turn: 1, agent: 'ann', difference: { path: ['content'] } });
  });

  it('name what an agent was told otherwise, also where everybody did the same', async () => {
    const text = corridor('max: 3').replace('id: ann,', 'id: ann, persona: Hurry.,');
    const found = compared(first, await played(EAST, text));
    expect(found.divergence).toBeNull();
    expect(found.promptDifference).toMatchObject({ turn: 1, agent: 'ann', part: 'messages' });
    expect(found.setup).toEqual([{ path: ['scenario', 'agents', 0, 'persona'], logged: '', made: 'Hurry.' }]);
    expect(found.isSame).toBe(false);
  });

  it('of which one goes on part where the other ends', async () => {
    const found = compared(first, await played(EAST, corridor('max: 2')));
    expect(found.divergence).toMatchObject({ aspects: ['step'], moment: { turn: 3, agent: 'ann', b: null } });
    expect(found.worldsAfter).toBeNull();
    expect(found.worldsAtEnd?.steps).toEqual({ a: 9, b: 6 });
    expect(found.finish).toMatchObject({ a: { turns: 3, steps: 9 }, b: { turns: 2, steps: 6 } });
  });

  it('differ at an unfinished end too', async () => {
    const cut = changed(first, (db) => db.exec('DELETE FROM ends'));
    const found = compared(first, cut);
    expect([found.isSame, found.divergence]).toEqual([false, null]);
    expect(found.finish.b.status).toBe('running');
  });

  it('with another map part only where something comes of it, and tell what was set up otherwise', async () => {
    const text = corridor('max: 3').replace('#..k.s#', '#...ks#');
    const found = compared(first, await played(EAST, text));
    expect(found.setup.length).toBeGreaterThan(0);
    expect(found.worldsBefore?.differ.things.map(({ id }) => id)).toEqual(['coin']);
    expect(found.divergence?.moment).toMatchObject({ turn: 3, agent: 'ann' });
    expect(found.promptDifference).toMatchObject({ turn: 1, part: 'observation' });
  });

  it('of different kinds of world are compared without their worlds', async () => {
    const { path } = await logged('scenarios/react.yaml');
    const found = compared(first, path);
    expect(found.worldsMissing).toMatch(/grid.*toolbox/);
    expect(found.worldsAtEnd).toBeNull();
    expect(found.divergence).not.toBeNull();
  });

  it('are compared without their worlds where a log holds another one than it makes', async () => {
    const other = await played([['ACTION: GO EAST', 'ACTION: WAIT', 'ACTION: WAIT'], EAST[1]]);
    const forged = changed(other, (db) =>
      db.exec(`UPDATE steps SET state = '${'0'.repeat(64)}' WHERE step = 4`),
    );
    const found = compared(first, forged);
    expect(found.worldsMissing).toBe('the world of b at step 4 differs from the log');
    expect([found.worldsAfter, found.worldsAtEnd]).toEqual([null, null]);
    expect(found.divergence?.moment.turn).toBe(2);
  });

  it.each([
    ['acts', `UPDATE steps SET acts = replace(acts, '"message":"', '"message":"Not so: ') WHERE step = 4`],
    ['events', `UPDATE steps SET events = '[]' WHERE step = 4`],
  ] as const)('part where %s were changed under a chain that was left as it was', (aspect, sql) => {
    const found = compared(
      first,
      changed(first, (db) => db.exec(sql)),
    );
    expect(found.isSame).toBe(false);
    expect(found.divergence?.moment.a?.step).toBe(4);
    expect(found.divergence?.aspects).toEqual([aspect]);
  });

  it('are refused where a reply was changed under a chain that was left as it was', () => {
    const forged = damaged(first, (db) =>
      db.exec(`UPDATE replies SET content = 'x' || content WHERE call = 3`),
    );
    expect(() => compared(first, forged)).toThrow('the reply to call 3 was altered (hash mismatch)');
  });

  it('keep so many moments and list so many differences, however many there are', async () => {
    const other = await played([['ACTION: WAIT'], ['ACTION: GO SOUTH']], corridor('max: 30'));
    const found = compared(first, other, 4);
    expect([found.after.length, found.hasMore]).toEqual([4, true]);
    const many = Array.from({ length: LIMITS.worldDifferences + LIMITS.setupDifferences }, (_, i) => i);
    const flipped = many.map((n) => -1 - n);
    expect(differences(many, flipped, LIMITS.worldDifferences)).toMatchObject({ hasMore: true });
    expect(differences(many, flipped, LIMITS.worldDifferences).found).toHaveLength(LIMITS.worldDifferences);
    expect(differences(many, many, LIMITS.setupDifferences)).toEqual({ found: [], hasMore: false });
  });
});

describe('two worlds', () => {
  /** Worlds of so many agents, each of whom holds what the state says and is told nothing. */
  const holding = (agents: number, state: string): RestoredWorld => ({
    environment: {
      agents: Array.from({ length: agents }, (_, i) => `agent-${i}`),
      parts: () => ({ hands: state }),
      scene: () => null,
      observe: () => ({ facts: { self: { holds: { name: state } } }, sections: [] }),
    } as unknown as RestoredWorld['environment'],
    state,
  });

  it.each([
    [LIMITS.worldDifferences, false],
    [LIMITS.worldDifferences + 1, true],
  ])('in which %i agents hold something else: the list is shortened: %s', (agents, isShortened) => {
    const found = worldsDiffer({ a: holding(agents, 'key'), b: holding(agents, 'coin') });
    expect(found.held).toHaveLength(LIMITS.worldDifferences);
    expect(found.hasMore).toBe(isShortened);
  });
});

describe('steps', () => {
  it('are matched by turn and agent, not by number', async () => {
    // Bob acts alone once ann is done.
    const other = await played([['ACTION: DONE', 'ACTION: WAIT'], EAST[1]]);
    const readers = [new LogReader(first), new LogReader(other)] as const;
    const sides = readers.map((reader) => ({
      reader,
      run: reader.run(known(reader.runs()[0], 'a run').runId),
    }));
    const all = [...alignedSteps({ a: known(sides[0], 'a'), b: known(sides[1], 'b') }, 1)];
    expect(
      all.every(({ turn, agent, a, b }) =>
        [a, b].every((one) => one === null || (one.turn === turn && one.agent === agent)),
      ),
    ).toBe(true);
    expect(all.filter(({ b }) => b === null).map(({ turn, agent }) => [turn, agent])).toEqual([
      [2, 'ann'],
      [3, 'ann'],
    ]);
    expect(sharedSteps({ a: known(sides[0], 'a'), b: known(sides[1], 'b') })).toBe(0);
    for (const reader of readers) reader.close();
  });
});

describe('all differences of two values', () => {
  it('match entries of a list by id, so that one more is one difference', () => {
    const a = [
      { id: 'x', n: 1 },
      { id: 'y', n: 2 },
    ];
    const b = [
      { id: 'w', n: 0 },
      { id: 'x', n: 1 },
      { id: 'y', n: 3 },
    ];
    expect(differences(a, b, 9).found).toEqual([
      { path: [1, 'n'], logged: 2, made: 3 },
      { path: [0], logged: undefined, made: { id: 'w', n: 0 } },
    ]);
    expect(differences([1, 2], [1, 3, 4], 9).found).toHaveLength(2);
    expect(differences({ a: 1 }, [1], 9).found).toHaveLength(1);
  });
});

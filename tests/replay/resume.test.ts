/** A run that was cut off at any moment goes on to the very end of the one that was not: nothing lost, nothing doubled, nothing asked twice. */
import Database from 'better-sqlite3';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { known } from '../../src/base/assert.js';
import type { Controller } from '../../src/agent/controller.js';
import { LogReader } from '../../src/log/reader.js';
import { LogWriter } from '../../src/log/writer.js';
import { corridor } from '../orchestrator/two-agents.js';
import { copyOf, cutOff, goOn, remembering } from '../support/going-on.js';
import type { CutOff } from '../support/going-on.js';
import { LIBRARY_YAML } from '../support/library-scenario.js';
import { libraryModule } from '../support/library-world.js';
import { reseal } from './changes.js';
import { verified } from './support.js';
import { SIZED, someOf } from '../support/sizes.js';

const ANSWERS = ['hm', 'ACTION: GO NORTH', 'ACTION: LOOK', 'ACTION: GO EAST', 'x', 'y', 'z'];
const OTHERS = [
  'ACTION: READ sign',
  'ACTION: TAKE coin',
  '???',
  'ACTION: NOTE "the coin is mine"',
  'ACTION: RECALL 1',
];

/** Steps, calls and effects of the only run of a log. */
function contents(path: string) {
  const reader = new LogReader(path);
  const { runId } = known(reader.runs()[0], 'a run');
  const steps = [...reader.steps(runId)];
  const calls = steps.flatMap(({ step }) => reader.outlines(runId, step));
  const found = {
    steps: steps.map(({ step }) => step),
    answered: calls.filter(({ end }) => end !== null).map(({ purpose, agent }) => `${purpose} ${agent}`),
    open: calls.filter(({ end }) => end === null).length,
    outside: steps.flatMap(({ step }) => reader.outside(runId, step)).map(({ action }) => action),
    probes: reader.probes(runId).map(({ question, answer }) => `${question} ${answer}`),
    sessions: reader.sessions(runId).length,
  };
  reader.close();
  return found;
}

const sorted = (all: readonly string[]): readonly string[] => [...all].sort();

/** What a log must hold whether or not its run was cut off. */
function lasting(path: string) {
  const { steps, answered, outside, probes } = contents(path);
  return { steps, answered: sorted(answered), outside, probes };
}

/** Every `each`th cut goes on to the end of the whole run; every eighth of them is verified. */
async function expectSameEnd(
  { cuts, end, path }: CutOff,
  each: number,
  goingOn: (cut: string) => ReturnType<typeof goOn>,
): Promise<void> {
  const chosen = someOf(
    cuts.filter((_, i) => i % each === 0),
    'cuts',
  );
  expect(chosen.length).toBeGreaterThan(5);
  const whole = lasting(path);
  for (const [i, cut] of chosen.entries()) {
    expect({ ...(await goingOn(cut)), endedAt: 0 }, `cut ${i * each}`).toEqual({ ...end, endedAt: 0 });
    expect(lasting(cut), `cut ${i * each}`).toEqual(whole);
    expect(contents(cut).sessions).toBe(2);
    if (i % 8 === 0) expect((await verified(cut)).difference).toBeNull();
  }
}

describe('a run cut off at any moment', () => {
  const orders = ['sequential', 'simultaneous'] as const;
  const cases = orders.flatMap((order) => [true, false].map((isRemote) => [order, isRemote] as const));

  it.each(someOf(cases, 'cutOffs'))(
    'ends as the whole one, in %s order, remote: %j',
    SIZED,
    async (order, isRemote) => {
      let asked = 0;
      const count = (): void => void (asked += 1);
      const controllers = {
        ann: remembering(ANSWERS, isRemote, count),
        bob: remembering(OTHERS, isRemote, count),
      };
      const whole = await cutOff(corridor(`max: 3, order: ${order}`), { controllers });
      const askedWhole = asked;
      await expectSameEnd(whole, order === 'sequential' ? 1 : 2, async (cut) => {
        const before = contents(copyOf(cut)).answered.length;
        asked = 0;
        const end = await goOn(cut, { controllers });
        // A reply of a step that was not finished is not among those of its steps.
        expect(asked).toBeLessThanOrEqual(askedWhole - before);
        expect(contents(cut).open).toBeLessThanOrEqual(order === 'sequential' ? 1 : 2);
        return end;
      });
    },
  );

  it.each([
    ['summaries and probes', ['probes.every=1', 'probes.each=2', 'agents.ann.memory.kind=summary']],
    ['notes', ['agents.ann.memory.kind=notes', 'agents.bob.memory.kind=file']],
    [
      'windows',
      ['agents.ann.memory.kind=window', 'agents.bob.memory.kind=history', 'turns.order=simultaneous'],
    ],
    ['past pictures', ['agents.ann.memory.pictures=2', 'agents.bob.memory.recalls=2', 'turns.free_acts=2']],
    ['nudges', ['turns.repeats.times=2', 'turns.repeats.then=nudge']],
    ['circles', ['turns.repeats.times=3', 'turns.repeats.then=stop']],
    ['a budget of steps', ['budget.steps=9']],
    [
      'a budget of tokens',
      ['models.m.base_url=http://127.0.0.1:1/v1', 'agents.ann.model=m', 'budget.tokens=200'],
    ],
    [
      'probes that are paid for',
      [
        'models.m.base_url=http://127.0.0.1:1/v1',
        'agents.ann.model=m',
        'probes.every=1',
        'budget.tokens=200',
      ],
    ],
    ['repairs', ['turns.repair=true', 'turns.attempts=3']],
  ])('with %s goes on as if nothing had been', { tags: ['long'] }, async (_what, set) => {
    const few = ['agents.ann.memory.turns_max=2', 'agents.ann.memory.turns_kept=1'];
    const controllers = {
      ann: remembering(ANSWERS, true, () => undefined),
      bob: remembering(OTHERS, true, () => undefined),
    };
    const whole = await cutOff(corridor('max: 6'), { controllers, set: [...few, ...set] });
    await expectSameEnd(whole, 7, (cut) => goOn(cut, { controllers }));
  });

  it('counts what could not be read and what was refused as before', async () => {
    const fails = ['hm', 'ACTION: GO NORTH', 'hm', 'ACTION: GO NORTH', 'hm', 'ACTION: GO NORTH'];
    const controllers = {
      ann: remembering(fails, true, () => undefined),
      bob: remembering(['ACTION: WAIT'], true, () => undefined),
    };
    const set = ['turns.attempts=2', 'turns.refusals=2', 'turns.repair=false'];
    const whole = await cutOff(corridor('max: 2'), { controllers, set });
    const reader = new LogReader(whole.path);
    const [first] = reader.steps(known(reader.runs()[0], 'a run').runId, { agent: 'ann' });
    reader.close();
    expect(first?.acts.map(({ insteadOf }) => insteadOf?.code ?? null)).toEqual([
      null,
      null,
      null,
      'unparsable',
    ]);
    await expectSameEnd(whole, 1, (cut) => goOn(cut, { controllers }));
  });

  it('reaches outside once for what is stored', async () => {
    let reached = 0;
    const modules = [
      libraryModule(async ({ entry }) => {
        reached += 1;
        return `The ${entry} is blue.`;
      }),
    ];
    const { cuts, end, path } = await cutOff(LIBRARY_YAML, { modules });
    const whole = lasting(path);
    for (const cut of cuts) {
      const before = copyOf(cut);
      const reader = new LogReader(before);
      const stored = reader.outside(known(reader.runs()[0], 'a run').runId, 1).length;
      reader.close();
      reached = 0;
      expect((await goOn(cut, { modules })).chain).toBe(end.chain);
      expect(reached).toBe(1 - stored);
      expect(lasting(cut)).toEqual(whole);
    }
  });

  it.each(['sequential', 'simultaneous'])(
    'goes on beyond a stored state, in %s order',
    { tags: ['long'] },
    async (order) => {
      const set = [`turns.order=${order}`, 'agents.ann.controller=random', 'agents.bob.controller=random'];
      const whole = await cutOff(corridor('max: 90'), { set }, 580);
      await expectSameEnd(whole, 8, (cut) => goOn(cut));
    },
  );

  it('goes on again and again', { tags: ['long'] }, async () => {
    const controllers = {
      ann: remembering(ANSWERS, true, () => undefined),
      bob: remembering(OTHERS, true, () => undefined),
    };
    const whole = await cutOff(corridor('max: 4'), { controllers });
    let path = known(whole.cuts[2], 'a cut');
    for (let session = 2; session < 7; session++) {
      let left = 6;
      let next = path;
      const end = await goOn(path, {
        controllers,
        onWrite: () => {
          left -= 1;
          if (left === 0) next = copyOf(path);
        },
      });
      expect(end.chain).toBe(whole.end.chain);
      expect(contents(path).sessions).toBe(session);
      path = next;
    }
    expect(lasting(path).steps.length).toBeLessThan(lasting(whole.path).steps.length);
    await goOn(path, { controllers });
    expect(lasting(path)).toEqual(lasting(whole.path));
    expect((await verified(path)).difference).toBeNull();
  });
});

describe('a run cut off after its end', () => {
  it('goes on with looking back, asks nobody twice, and begins no further session', async () => {
    let asked = 0;
    const count = (): void => void (asked += 1);
    const controllers = { ann: remembering(ANSWERS, true, count), bob: remembering(OTHERS, true, count) };
    const whole = await cutOff(corridor('max: 2'), { controllers, set: ['reflection.when=always'] });
    const asides = (path: string): readonly (readonly [string, boolean])[] => {
      const reader = new LogReader(path);
      const found = reader.asides(known(reader.runs()[0], 'a run').runId);
      reader.close();
      return found.map(({ request: { agent }, end }) => [agent, end !== null]);
    };
    const heard = asides(whole.path);
    expect(heard).toEqual([
      ['ann', true],
      ['bob', true],
    ]);
    const cuts = [whole.ended, ...whole.cuts.filter((cut) => asides(cut).length > 0)];
    expect(cuts).toHaveLength(5);
    for (const [i, cut] of cuts.entries()) {
      const before = asides(cut).filter(([, isAnswered]) => isAnswered).length;
      asked = 0;
      expect(await goOn(cut, { controllers }), `cut ${i}`).toEqual(whole.end);
      expect(asked).toBe(2 - before);
      expect(asides(cut).filter(([, isAnswered]) => isAnswered)).toEqual(heard);
      expect(contents(cut).sessions).toBe(1);
      expect((await verified(cut)).difference).toBeNull();
    }
  });
});

describe('a budget of seconds', () => {
  afterEach(() => void vi.useRealTimers());

  it(
    'counts every session and no time between them, by what the log knows of each',
    { tags: ['long'] },
    async () => {
      vi.useFakeTimers({ toFake: ['Date'], now: 1_000_000 });
      const SECOND = 1000;
      const pass = (ms: number): void => void vi.setSystemTime(Date.now() + ms);
      const thinking = (answers: readonly string[]): Controller => {
        const one = remembering(answers, true, () => pass(SECOND));
        return {
          ...one,
          decide: async (...asked) => {
            const { reply, memory } = await one.decide(...asked);
            return { reply: { ...reply, latencyMs: SECOND }, memory };
          },
        };
      };
      const controllers = { ann: thinking(ANSWERS), bob: thinking(OTHERS) };
      const set = ['budget.seconds=10'];
      const clock = { now: () => Date.now() };
      const whole = await cutOff(corridor('max: 30'), { controllers, set, clock });
      expect(whole.end.reason).toBe('the budget of 10 seconds is used up');
      for (const [i, cut] of whole.cuts.entries()) {
        pass(3_600_000);
        // Left again after the second thing that is written, an hour later taken up once more.
        let left = 2;
        let again = cut;
        await goOn(cut, {
          controllers,
          onWrite: () => {
            left -= 1;
            if (left === 0) again = copyOf(cut);
          },
        });
        pass(3_600_000);
        const end = await goOn(again, { controllers });
        expect([end.reason, end.chain], `cut ${i}`).toEqual([whole.end.reason, whole.end.chain]);
        if (i % 8 === 0) expect((await verified(again)).difference).toBeNull();
      }
    },
  );
});

describe('a run whose log was changed', () => {
  it.each([
    ['acts', `UPDATE steps SET acts = replace(acts, '"message":"', '"message":"Not so: ') WHERE step = 2`],
    ['events', `UPDATE steps SET events = replace(events, '"kind":"', '"kind":"un') WHERE step = 1`],
  ])('is refused with the step whose %s are not what the chain says', async (_what, sql) => {
    const controllers = {
      ann: remembering(ANSWERS, false, () => undefined),
      bob: remembering(OTHERS, false, () => undefined),
    };
    const { cuts } = await cutOff(corridor('max: 3'), { controllers });
    const forged = copyOf(known(cuts.at(-4), 'a cut'));
    const db = new Database(forged);
    db.exec(sql);
    reseal(db);
    db.close();
    await expect(goOn(forged, { controllers })).rejects.toThrow(
      /^step [12] of the log does not match its chain/,
    );
  });
});

describe('a log that is being written', () => {
  it('is refused to whoever would go on', async () => {
    const { cuts } = await cutOff(corridor('max: 1'));
    const path = known(cuts[1], 'a cut');
    const writer = new LogWriter(path);
    await expect(goOn(path)).rejects.toThrow('is being written');
    writer.close();
  });
});

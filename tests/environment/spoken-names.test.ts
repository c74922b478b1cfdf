/** Other names for actions, laid over any environment: what agents are told and what they say has these names, what others wrote keeps its words. */
import { describe, expect, it } from 'vitest';
import { problem } from '../../src/base/problem.js';
import { defineEnvironment } from '../../src/environment/define.js';
import type { Environment } from '../../src/environment/environment.js';
import { withSpokenNames } from '../../src/environment/spoken-names.js';

interface State {
  isLit: boolean;
  /** What came of the last act, and whether it did what was asked for. */
  last: string;
  lastOk: boolean;
}

const DARK = 'It is too dark to read. LIGHT the lamp first.';
const SIGN = 'The sign says: "LIGHT no lamp, READ nothing."';

const LAMP = defineEnvironment<object, State>({
  kind: 'lamp',
  rulesVersion: 1,
  actions: [
    {
      name: 'LIGHT',
      description: 'Light the lamp, to READ by it.',
      examples: [''],
      check: ({ isLit }) => (isLit ? problem('illegal/lit', 'It is lit: READ the sign.') : undefined),
      apply: () => ({
        state: { isLit: true, last: 'You lit it.', lastOk: true },
        message: 'You lit it.',
      }),
    },
    {
      name: 'READ',
      aliases: ['STUDY'],
      description: 'Read the sign, once it is LIT.',
      examples: [''],
      // Whether it is light enough only trying shows.
      apply: ({ isLit }) =>
        isLit
          ? { state: { isLit, last: SIGN, lastOk: true }, message: SIGN }
          : { state: { isLit, last: DARK, lastOk: false }, message: DARK },
    },
  ],
  create: () => ({ isLit: false, last: '', lastOk: true }),
  tell: () => ['A room.'],
  facts: ({ last, lastOk }) => ({ last, lastOk }),
  outcome: () => ({ status: 'running', reason: '' }),
});

const renamed = (names: Readonly<Record<string, string>>): Environment<unknown> =>
  withSpokenNames(LAMP.open({ agents: ['ann'] }), names);

/** A room in which the word for one action is the rules' name of another. */
const room = renamed({ LIGHT: 'KINDLE', READ: 'INSPECT' });

function after(world: Environment<unknown>, ...actions: readonly string[]) {
  let state = world.create('1');
  for (const action of actions) ({ state } = world.advance(state, [{ agent: 'ann', action, args: {} }]));
  const { sections, facts } = world.observe(state, 'ann');
  return { state, facts, last: sections.find(({ id }) => id === 'last')?.lines };
}

describe('an environment under other names', () => {
  it('offers them wherever offers are asked for, in their own order', () => {
    const start = room.create('1');
    const names = ['INSPECT', 'KINDLE', 'WAIT'];
    expect(room.legalActions(start, 'ann').map(({ action }) => action)).toEqual(names);
    expect(room.observe(start, 'ann').offered).toEqual(room.legalActions(start, 'ann'));
    expect(room.scope('ann')).toEqual(names);
    expect(room.observe(start, 'ann').scope).toEqual(names);
    expect(room.actions.list().map(({ name }) => name)).toEqual(expect.arrayContaining(names));
  });

  it('has them in what describes an action, and changes no other word', () => {
    const descriptions = ['KINDLE', 'INSPECT'].map((name) => room.actions.get(name)?.description);
    expect(descriptions).toEqual(['Light the lamp, to INSPECT by it.', 'Read the sign, once it is LIT.']);
  });

  it('understands the old name and other words for an action, unless one is the name of another now', () => {
    expect(room.actions.get('INSPECT')?.aliases).toEqual(['READ', 'STUDY']);
    const swapped = renamed({ LIGHT: 'READ', READ: 'STUDY' });
    expect(swapped.actions.get('READ')?.aliases).toEqual(['LIGHT']);
    expect(swapped.actions.get('STUDY')?.aliases).toEqual([]);
  });

  it('has them in refusals: when it is asked beforehand, when it refuses an act, and in what the action itself says', () => {
    const { state } = after(room, 'KINDLE');
    const intent = { agent: 'ann', action: 'KINDLE', args: {} };
    const words = 'It is lit: INSPECT the sign.';
    expect(room.check(state, intent)?.message).toBe(words);
    expect(room.actions.get('KINDLE')?.check(state, 'ann', {})?.message).toBe(words);
    const [result] = room.advance(state, [intent]).results;
    expect(result).toMatchObject({ ok: false, problem: { message: words } });
  });

  it('has them in what the agent is told of a failure, in words and facts, and not in what others wrote', () => {
    const failed = after(room, 'INSPECT');
    const words = 'It is too dark to read. KINDLE the lamp first.';
    expect([failed.last, failed.facts['last']]).toEqual([[words], words]);
    const read = after(room, 'KINDLE', 'INSPECT');
    expect([read.last, read.facts['last']]).toEqual([[SIGN], SIGN]);
  });

  it('changes nothing else of what an agent perceives after a failure', () => {
    const plain: Environment<unknown> = LAMP.open({ agents: ['ann'] });
    const pictured: Environment<unknown> = {
      ...plain,
      observe: (state, agent) => {
        const observation = plain.observe(state, agent);
        const sections = observation.sections.map((one) => ({ ...one, isPictured: true }));
        return { ...observation, sections };
      },
    };
    const world = withSpokenNames(pictured, { LIGHT: 'KINDLE', READ: 'INSPECT' });
    const { state } = after(world, 'INSPECT');
    const { sections } = pictured.observe(state, 'ann');
    const told = [{ ...sections.at(-1), lines: ['It is too dark to read. KINDLE the lamp first.'] }];
    expect(world.observe(state, 'ann').sections).toEqual([...sections.slice(0, -1), ...told]);
  });
});

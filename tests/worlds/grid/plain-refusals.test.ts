/** `rules.refusals: plain`: what is understood where only the picture names things, and what a refusal keeps for the log. */
import { describe, expect, it } from 'vitest';
import { at } from '../../../src/base/assert.js';
import { describeForPeople } from '../../../src/environment/own-failure.js';
import { answering, lastText } from '../../support/controllers.js';
import { play } from '../../support/play.js';

const KEYS = `title: Keys
map: |
  #######
  #A...##
  #######
legend: { A: { agent: ann } }
things:
  near: { name: key, sprite: item/key-brass, at: [2, 1] }
  far: { name: key, sprite: item/key-red, at: [4, 1] }
  note: { kind: sign, at: [1, 1], text: Mind the step. }
agents: [{ id: ann, sprite: figure/knight }]
rules: { movement: tile, go_to: false }
turns: { attempts: 1, repair: false, max: 2 }
prompt: { offers: false }
`;

async function saying(words: string, set: readonly string[] = ['render.channel=image']) {
  const ann = answering([`ACTION: ${words}`]);
  const { sink } = await play(KEYS, { controllers: { ann }, set });
  return { act: at(at(sink.steps, 0).acts, 0), told: lastText(ann.inputs[1]) };
}

describe('where only the picture names things', () => {
  it('an ambiguous name means the one with which the action is legal', async () => {
    const { act } = await saying('TAKE key');
    expect([act.intent?.args, act.result.ok]).toEqual([{ thing: 'near' }, true]);
  });

  it('of two that may be taken, neither is meant', async () => {
    const { act, told } = await saying('TAKE key', ['render.channel=image', 'things.far.at=[1,1]']);
    expect(act.intent).toBeNull();
    expect(told).toContain('This TAKE is not possible now.');
    expect(told).not.toMatch(/near|far/);
  });

  it.each(['near', 'key #near', '"near"'])(
    'an id is no name: TAKE %s, of which the log tells',
    async (id) => {
      const { act } = await saying(`TAKE ${id}`);
      expect([act.intent, act.result.ok]).toEqual([null, false]);
      const reason = act.result.ok ? '' : describeForPeople(act.result.problem);
      expect(reason).toContain('but ids are not understood here, only names.');
      expect(reason).not.toContain('it is of the kind');
    },
  );

  it.each([
    ['what is out of reach', 'TAKE key', ['things.near.at=[3,1]']],
    ['what is not there', 'TAKE crown', []],
    ['what stands there', 'GO west', []],
  ])('%s is refused without a reason, which the log keeps', async (_what, words, set) => {
    const { act, told } = await saying(words, ['render.channel=image', ...set]);
    const problem = act.result.ok ? null : act.result.problem;
    const verb = words.split(' ')[0] ?? '';
    expect(problem).toMatchObject({
      message: `This ${verb} is not possible now.`,
      code: 'illegal/not-possible',
    });
    const kept = problem?.details?.['message'];
    const reason = typeof kept === 'string' ? kept : '';
    expect(reason.length).toBeGreaterThan(20);
    expect(told).not.toContain(reason);
    expect(problem && describeForPeople(problem)).toContain(reason);
  });

  it('a guess at what the text would say of the place reads as any other words', async () => {
    const readings = ['east', 'west'].map(async (way) => {
      const { act } = await saying(`TAKE key\nFree to step: ${way}.\nACTION: WAIT`);
      return [act.intent, act.result.ok];
    });
    const [right, wrong] = await Promise.all(readings);
    expect(right).toEqual(wrong);
  });

  it('what is written is told, and nothing of the thing', async () => {
    const { told } = await saying('READ note');
    expect(told).toContain('It reads: "Mind the step."');
  });
});

it.each([
  [['render.channel=image'], 'plain'],
  [['render.channel=image', 'render.names=true'], undefined],
  [['render.channel=image', 'rules.refusals=full'], undefined],
  [['rules.refusals=plain'], 'plain'],
  [[], undefined],
])('with %j, refusals are %s', async (set, refusals) => {
  const { parts } = await play(KEYS, { controllers: { ann: answering([]) }, set });
  expect(Object(parts.scenario.definition).rules.refusals).toBe(refusals);
});

it('where text shows what is seen, offers and text have names alone', async () => {
  const ann = answering(['ACTION: WAIT']);
  const set = ['rules.refusals=plain', 'prompt.offers=true', 'things.far.at=[2,1]'];
  await play(KEYS, { controllers: { ann }, set });
  const told = lastText(ann.inputs[0]);
  expect(told).toContain('- key, beside you to the east\n- key, beside you to the east');
  expect(told).toContain('\nTAKE key\n');
  expect(told).not.toMatch(/near|far/);
});

it('built-in players say names', async () => {
  const set = [
    'render.channel=image',
    'agents.ann.controller=random',
    'things.far.name=crown',
    'turns.max=12',
  ];
  const { sink } = await play(KEYS, { set });
  const acts = sink.steps.flatMap((step) => step.acts);
  expect(acts.some(({ intent }) => intent?.action === 'TAKE')).toBe(true);
  expect(acts.filter(({ intent }) => intent === null)).toEqual([]);
});

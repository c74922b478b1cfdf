/** What ends a run before its turns are over: what it may use up, and agents that go round in circles. */
import { describe, expect, it } from 'vitest';
import type { Controller } from '../../src/agent/controller.js';
import { embeddedReply } from '../../src/agent/controllers/embedded-reply.js';
import { NO_USAGE } from '../../src/model/chat.js';
import type { Reply } from '../../src/model/chat.js';
import { NOTHING_SPENT, overBudget } from '../../src/orchestrator/budget.js';
import { withCall } from '../../src/trajectory/cost.js';
import { answering, lastText } from '../support/controllers.js';
import { play } from '../support/play.js';
import { corridor } from './two-agents.js';

const FREE = { steps: null, tokens: null, seconds: null, cost: null };
const PRICE = { prompt: '2', reply: '10' };
const ASKED = {
  messages: [{ role: 'user' as const, parts: [{ kind: 'text' as const, text: 'x'.repeat(40) }] }],
};

function reply(usage: Partial<Reply['usage']>): Reply {
  return { ...embeddedReply('y'.repeat(9)), usage: { ...NO_USAGE, ...usage } };
}

describe('what a call costs', () => {
  it('is what the server counted, at the price of its model', () => {
    const spent = withCall(NOTHING_SPENT, ASKED, reply({ promptTokens: 1000, completionTokens: 50 }), PRICE);
    expect(spent).toEqual({ steps: 0, promptTokens: 1000, replyTokens: 50, cost: 0.0025 });
  });

  it('is a token for four characters where the server tells nothing', () => {
    expect(withCall(NOTHING_SPENT, ASKED, reply({}), PRICE)).toMatchObject({
      promptTokens: 10,
      replyTokens: 3,
    });
  });

  it('is nothing where no model answered', () => {
    expect(withCall(NOTHING_SPENT, ASKED, reply({ promptTokens: 5 }), null)).toBe(NOTHING_SPENT);
  });
});

describe('a budget', () => {
  const spent = { steps: 6, promptTokens: 900, replyTokens: 100, cost: 0.5 };

  it('is used up exactly at its limit, and says which it was', () => {
    expect(overBudget(FREE, spent, 1e9)).toBeNull();
    expect(overBudget({ ...FREE, steps: 7, tokens: 1001, seconds: 3, cost: '0.51' }, spent, 2999)).toBeNull();
    expect(overBudget({ ...FREE, steps: 6 }, spent, 0)).toBe('the budget of 6 steps is used up');
    expect(overBudget({ ...FREE, tokens: 1000 }, spent, 0)).toBe(
      'the budget of 1000 tokens is used up (1000)',
    );
    expect(overBudget({ ...FREE, seconds: 3 }, spent, 3000)).toBe('the budget of 3 seconds is used up');
    expect(overBudget({ ...FREE, cost: '0.5' }, spent, 0)).toBe(
      'the budget of 0.5 in money is used up (0.5000)',
    );
  });

  it('of steps counts those of agents, not those of the world', async () => {
    const controllers = { ann: answering([]), bob: answering([]) };
    const { sink, end } = await play(corridor('max: 9'), { controllers, set: ['budget.steps=3'] });
    expect(end).toMatchObject({ status: 'ended', reason: 'the budget of 3 steps is used up' });
    expect(sink.steps.map(({ agent }) => agent)).toEqual(['ann', 'bob', 'world', 'ann']);
  });

  it('of tokens ends after the step that used it up', async () => {
    const dear: Controller = {
      ...answering([]),
      decide: async ({ memory }) => ({
        reply: {
          ...embeddedReply('ACTION: WAIT'),
          usage: { ...NO_USAGE, promptTokens: 400, completionTokens: 1 },
        },
        memory,
      }),
    };
    const set = ['models.m.base_url=http://127.0.0.1:1/v1', 'agents.ann.model=m', 'budget.tokens=802'];
    const { end } = await play(corridor('max: 9'), { controllers: { ann: dear, bob: answering([]) }, set });
    expect(end).toMatchObject({ turns: 2, reason: 'the budget of 802 tokens is used up (802)' });
  });
});

describe('what is asked beside the game', () => {
  const words = {
    ...embeddedReply('ACTION: WAIT'),
    usage: { ...NO_USAGE, promptTokens: 100, completionTokens: 0 },
  };
  const talker = (): Controller & { told: string[] } => {
    const told: string[] = [];
    return {
      ...answering([]),
      told,
      decide: async ({ memory }) => ({ reply: words, memory }),
      answer: async (messages) => {
        told.push(JSON.stringify(messages));
        return words;
      },
    };
  };
  const ofModel = ['models.m.base_url=http://127.0.0.1:1/v1', 'agents.ann.model=m'];

  it('counts in the budget: probes', async () => {
    const run = async (set: readonly string[]) => {
      const controllers = { ann: talker(), bob: answering([]) };
      const { end } = await play(corridor('max: 9'), {
        controllers,
        set: [...ofModel, 'budget.tokens=400', ...set],
      });
      return [end.turns, end.reason];
    };
    expect(await run([])).toEqual([4, 'the budget of 400 tokens is used up (400)']);
    expect(await run(['probes.every=1', 'probes.each=1'])).toEqual([
      2,
      'the budget of 400 tokens is used up (400)',
    ]);
  });

  it('ends with the budget: nobody looks back where it is used up', async () => {
    const asked = async (tokens: number) => {
      const ann = talker();
      const set = [...ofModel, `budget.tokens=${tokens}`, 'agents.ann.reflection.when=always'];
      await play(corridor('max: 2'), { controllers: { ann, bob: answering([]) }, set });
      return ann.told.length;
    };
    expect([await asked(200), await asked(201)]).toEqual([0, 1]);
  });

  it('counts in the budget: what an agent says when it looks back', async () => {
    const [ann, bob] = [talker(), talker()];
    const both = [
      'agents.bob.model=m',
      'agents.ann.reflection.when=always',
      'agents.bob.reflection.when=always',
    ];
    const set = [...ofModel, ...both, 'budget.tokens=500'];
    await play(corridor('max: 2'), { controllers: { ann, bob }, set });
    expect([ann.told.length, bob.told.length]).toEqual([1, 0]);
  });
});

describe('an agent that repeats itself', () => {
  const stuck = () => ({ ann: answering(Array<string>(9).fill('ACTION: GO NORTH')), bob: answering([]) });
  const set = (then: string): string[] => ['turns.repeats.times=3', `turns.repeats.then=${then}`];

  it('is told so from the turn after, as long as it goes on', async () => {
    const controllers = { ann: answering([]), bob: answering([]) };
    await play(corridor('max: 6'), { controllers, set: set('nudge') });
    const told = controllers.ann.inputs.map((input) =>
      lastText(input).includes('You have done the same thing'),
    );
    // The first turn tells of no last action, so the second is another situation.
    expect(told).toEqual([false, false, false, false, true, true]);
  });

  it('ends the run where the scenario wants it', async () => {
    const controllers = { ann: answering([]), bob: answering([]) };
    const { end } = await play(corridor('max: 9'), { controllers, set: set('stop') });
    expect(end).toMatchObject({ turns: 4, status: 'ended' });
    expect(end.reason).toMatch(/did the same thing 3 times in the same situation/);
  });

  it('is left alone by default, and where it does something else in between', async () => {
    const { end } = await play(corridor('max: 5'), { controllers: stuck() });
    expect(end.reason).toBe('the 5 turns are over');
    const walk = [
      'ACTION: GO WEST',
      'ACTION: GO EAST',
      'ACTION: GO WEST',
      'ACTION: GO EAST',
      'ACTION: GO WEST',
    ];
    const controllers = { ann: answering(walk), bob: answering(walk.toReversed()) };
    const moving = await play(corridor('max: 5'), { controllers, set: set('stop') });
    expect(moving.end.reason).toBe('the 5 turns are over');
  });
});

/** Whose turn it is, and what an agent sees of the others' part in it. */
import { describe, expect, it } from 'vitest';
import { WORLD_ID } from '../../src/base/ids.js';
import { answering, lastText } from '../support/controllers.js';
import { play } from '../support/play.js';
import { corridor } from './two-agents.js';

describe('sequential order', () => {
  it('lets the second agent see what the first did in the same turn', async () => {
    const ann = answering(['ACTION: SPEAK "Hello Bob."']);
    const bob = answering([]);
    const { sink } = await play(corridor(), { controllers: { ann, bob } });
    expect(lastText(bob.inputs[0])).toContain('Hello Bob.');
    expect(sink.steps.map(({ turn, agent }) => `${turn} ${agent}`)).toEqual([
      '1 ann',
      '1 bob',
      `1 ${WORLD_ID}`,
      '2 ann',
      '2 bob',
      `2 ${WORLD_ID}`,
    ]);
  });

  it('gives each step the state after it', async () => {
    const ann = answering(['ACTION: GO EAST']);
    const bob = answering(['ACTION: GO SOUTH']);
    const { sink } = await play(corridor('max: 1'), { controllers: { ann, bob } });
    expect(new Set(sink.steps.map(({ stateHash }) => stateHash)).size).toBe(3);
  });
});

describe('simultaneous order', () => {
  const turns = 'max: 2, order: simultaneous';

  it('of many agents is no leak of listeners', async () => {
    const warnings: Error[] = [];
    const keep = (warning: Error): void => void warnings.push(warning);
    process.on('warning', keep);
    await play('scenarios/high-water.yaml', { set: ['turns.max=1'] });
    await new Promise((resolve) => setImmediate(resolve));
    process.off('warning', keep);
    expect(warnings).toEqual([]);
  });

  it('lets nobody see what the others do in the same turn', async () => {
    const ann = answering(['ACTION: SPEAK "Hello Bob."']);
    const bob = answering([]);
    await play(corridor(turns), { controllers: { ann, bob } });
    expect(lastText(bob.inputs[0])).not.toContain('Hello Bob.');
    expect(lastText(bob.inputs[1])).toContain('Hello Bob.');
  });

  it('settles all intents together: steps of one tick share its state', async () => {
    const ann = answering(['ACTION: GO EAST']);
    const bob = answering(['ACTION: GO WEST']);
    const { sink } = await play(corridor(`${turns}, ties: id`), { controllers: { ann, bob } });
    const [one, two] = sink.steps;
    expect(one?.stateHash).toBe(two?.stateHash);
    expect(one?.acts.at(-1)?.result.ok).toBe(true);
    expect(two?.acts.at(-1)?.result).toMatchObject({ ok: false, problem: { code: 'illegal/occupied' } });
  });

  it('records the steps in the order of the agents, whoever answers first', async () => {
    const asked: string[] = [];
    let release: () => void = () => undefined;
    const bobHasAnswered = new Promise<void>((resolve) => (release = resolve));
    const ann = answering([
      async () => {
        await bobHasAnswered;
        asked.push('ann');
        return 'ACTION: WAIT';
      },
    ]);
    const bob = answering([
      () => {
        asked.push('bob');
        release();
        return 'ACTION: WAIT';
      },
    ]);
    const slow = await play(corridor(turns), { controllers: { ann, bob } });
    const plain = await play(corridor(turns), { controllers: { ann: answering([]), bob: answering([]) } });
    expect(asked).toEqual(['bob', 'ann']);
    expect(slow.sink.steps.map(({ agent }) => agent).slice(0, 3)).toEqual(['ann', 'bob', WORLD_ID]);
    expect(slow.end.chain).toBe(plain.end.chain);
  });
});

describe('the end of a run', () => {
  it('comes after the last turn, as planned where nothing is to be won', async () => {
    const { end } = await play(corridor('max: 3'), {
      controllers: { ann: answering([]), bob: answering([]) },
    });
    expect(end).toMatchObject({ status: 'ended', reason: 'the 3 turns are over', turns: 3, steps: 9 });
    const only = await play(corridor('max: 1'), {
      controllers: { ann: answering([]), bob: answering([]) },
    });
    expect(only.end.reason).toBe('the 1 turn is over');
  });

  it('comes when everybody is done, and asks nobody who is', async () => {
    const ann = answering(['ACTION: DONE']);
    const bob = answering(['ACTION: WAIT', 'ACTION: DONE']);
    const { end } = await play(corridor('max: 9'), { controllers: { ann, bob } });
    expect(end).toMatchObject({ status: 'ended', reason: 'no agent is left to act', turns: 2 });
    expect([ann.inputs.length, bob.inputs.length]).toEqual([1, 2]);
  });

  it('is a failure where there was something to win', async () => {
    const goal = `${corridor('max: 1')}success: { agent: ann, holds: coin }\n`;
    const controllers = { ann: answering([]), bob: answering([]) };
    expect((await play(goal, { controllers })).end).toMatchObject({ status: 'failed', turns: 1 });
    const won = { ann: answering(['ACTION: WAIT']), bob: answering(['ACTION: GIVE coin TO ann']) };
    expect((await play(goal, { controllers: won })).end.status).toBe('failed');
  });

  it('comes at once when it is won, within a turn', async () => {
    const goal = `${corridor('max: 5')}success: { agent: bob, holds: coin }\n`;
    const bob = answering(['ACTION: GO SOUTH-WEST', 'ACTION: TAKE coin', 'ACTION: TAKE coin']);
    const { end, sink } = await play(goal, { controllers: { ann: answering([]), bob } });
    expect(end.status).toBe('succeeded');
    expect(sink.steps.at(-1)?.agent).toBe('bob');
  });
});

/** RECALL laid over a world: those whose memory allows it have it, from the second turn on, and the world does not change. */
import { describe, expect, it } from 'vitest';
import { openScenario } from '../../src/assembly/open.js';
import { openScenarioFile } from '../../src/scenario/folder.js';
import { RECALL, withRecall } from '../../src/environment/recall.js';
import { MemorySink } from '../../src/trajectory/memory-sink.js';
import { corridor } from '../orchestrator/two-agents.js';
import { partsFor } from '../support/play.js';

const { environment: bare } = await partsFor(corridor(), new MemorySink());
const environment = withRecall(bare, ['ann']);
const first = environment.create('1');
const third = environment.endTurn(environment.endTurn(first).state).state;
const recall = (turn: number) => ({ agent: 'ann', action: RECALL, args: { turn } });

describe('RECALL', () => {
  it('is offered for past turns alone, to those who may look back', () => {
    const offered = (state: unknown, agent: string) =>
      environment.observe(state, agent).offered.find(({ action }) => action === RECALL);
    expect(offered(first, 'ann')).toBeUndefined();
    expect(offered(third, 'ann')).toEqual({ action: RECALL, slots: { turn: [] }, ways: [{ turn: [1, 2] }] });
    expect(offered(third, 'bob')).toBeUndefined();
    expect(environment.legalActions(third, 'ann')).toEqual(environment.observe(third, 'ann').offered);
    expect(environment.scope('ann')).toContain(RECALL);
    expect(environment.scope('bob')).not.toContain(RECALL);
  });

  it('is refused for the present turn, a later one, and others', () => {
    expect(environment.check(third, recall(2))).toBeUndefined();
    expect(environment.check(third, recall(3))).toMatchObject({
      message: 'You can look back at turns 1 to 2, not at turn 3.',
    });
    expect(environment.check(first, recall(1))).toMatchObject({ code: 'not-offered' });
    expect(environment.check(third, { ...recall(1), agent: 'bob' })).toMatchObject({ code: 'not-offered' });
  });

  it('leaves the world as it is', () => {
    const advance = environment.advance(third, [recall(1)]);
    expect(advance.state).toBe(third);
    expect(advance.events).toEqual([]);
    expect(withRecall(bare, [])).toBe(bare);
  });

  it.each([
    ['image', true],
    ['text', false],
  ])('with the channel %s, belongs to an agent with recalls: %s', async (channel, has) => {
    const set = ['agents.apprentice.memory.recalls=1', `render.channel=${channel}`];
    const opened = await openScenario(openScenarioFile('scenarios/one-glance.yaml'), { set });
    expect(opened.environment.scope('apprentice').includes(RECALL)).toBe(has);
    expect(opened.environment.scope('physician')).not.toContain(RECALL);
  });
});

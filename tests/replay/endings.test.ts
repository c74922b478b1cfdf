/** However a run ended, its log is verified to where it goes: interrupted, broken off, killed, out of time, written by a killed process. */
import { describe, expect, it } from 'vitest';
import { ModelError } from '../../src/base/errors.js';
import { corridor } from '../orchestrator/two-agents.js';
import { answering, neverAnswers } from '../support/controllers.js';
import { teller } from '../support/teller.js';
import { changed, logged, verified } from './support.js';

const ORDERS = ['sequential', 'simultaneous'] as const;

describe.each(ORDERS)('a run in %s order', (order) => {
  const text = corridor(`max: 6, order: ${order}`);

  it('that was stopped after a step', async () => {
    const soft = new AbortController();
    const stopping = () => {
      soft.abort();
      return 'ACTION: WAIT';
    };
    const controllers = {
      ann: answering(['ACTION: GO EAST', 'ACTION: WAIT']),
      bob: answering(['x', stopping]),
    };
    const { path, end } = await logged(
      text,
      { controllers },
      { stop: { soft: soft.signal, hard: new AbortController().signal } },
    );
    expect(end?.status).toBe('interrupted');
    expect(await verified(path)).toMatchObject({
      difference: null,
      status: 'interrupted',
      steps: end?.steps,
    });
  });

  it('that was stopped in the midst of a call', async () => {
    const hard = new AbortController();
    const stuck = neverAnswers(() => hard.abort());
    const controllers = {
      ann: answering(['ACTION: LOOK', 'ACTION: WAIT']),
      bob: answering(['x', stuck], true),
    };
    const { path, end } = await logged(
      text,
      { controllers },
      { stop: { soft: new AbortController().signal, hard: hard.signal } },
    );
    expect(end?.status).toBe('interrupted');
    expect(await verified(path)).toMatchObject({
      difference: null,
      status: 'interrupted',
      steps: end?.steps,
    });
    const other = changed(path, (db) =>
      db.exec(`UPDATE calls SET attempt = 7 WHERE call = (SELECT max(call) FROM calls WHERE agent = 'bob')`),
    );
    expect((await verified(other)).difference).toMatchObject({ agent: 'bob', part: 'call' });
  });

  it('that a server broke off', async () => {
    const failing = () => {
      throw new ModelError('the server is gone', { isRetryable: false });
    };
    const controllers = { ann: answering(['ACTION: WAIT']), bob: answering(['ACTION: WAIT', 'x', failing]) };
    const { path, end } = await logged(text, { controllers });
    expect(end).toBeNull();
    expect(await verified(path)).toMatchObject({ difference: null, status: 'error' });
    const reason = changed(path, (db) => db.exec(`UPDATE ends SET turns = 5`));
    expect((await verified(reason)).difference).toMatchObject({ part: 'end', path: '/end/turns' });
  });

  it.each([
    ['behind a step', 'DELETE FROM steps WHERE step > 4'],
    ['in the midst of a call', 'DELETE FROM steps WHERE step > 4; DELETE FROM replies WHERE call > 6'],
    ['before the first step', 'DELETE FROM steps'],
    ['before anything was asked', 'DELETE FROM steps; DELETE FROM replies; DELETE FROM calls'],
  ])('that was killed, %s', async (_what, sql) => {
    const whole = await logged(text, {
      controllers: { ann: answering(['hm', 'ACTION: LOOK']), bob: answering([]) },
    });
    const path = changed(whole.path, (db) => db.exec(`DELETE FROM ends; ${sql}`));
    const again = await verified(path);
    expect(again).toMatchObject({ difference: null, status: 'running' });
    expect(again.steps).toBe(/step > 4/.test(sql) ? 4 : 0);
  });

  it('that was over by its rules and has no end, which no program leaves', async () => {
    const { path } = await logged(text, { controllers: { ann: answering([]), bob: answering([]) } });
    const without = changed(path, (db) => db.exec('DELETE FROM ends'));
    expect((await verified(without)).difference).toMatchObject({ part: 'end', path: '/end', logged: null });
  });

  it('that ran out of time', async () => {
    let now = 0;
    const clock = { now: () => (now += 100) };
    const { path, end } = await logged(text, { set: ['budget.seconds=3'] }, { clock });
    expect(end?.reason).toContain('3 seconds');
    expect(await verified(path)).toMatchObject({ difference: null, status: 'ended', steps: end?.steps });
    const earlier = changed(path, (db) => db.exec(`UPDATE ends SET reason = 'the 6 turns are over'`));
    expect((await verified(earlier)).difference).toMatchObject({ part: 'end' });
  });

  it('in which agents went round in circles, kept silent and were given up', async () => {
    const set = ['turns.repeats.times=2', 'turns.repeats.then=nudge', 'turns.attempts=2'];
    const controllers = {
      ann: answering(['', '', 'hm', 'hm', 'ACTION: WAIT', 'ACTION: WAIT']),
      bob: answering([]),
    };
    const { path, end } = await logged(text, { controllers, set });
    expect(await verified(path)).toMatchObject({ difference: null, steps: end?.steps });
  });
});

describe('a question beside the run that failed', () => {
  it('is passed over as it was', async () => {
    const failing = teller({
      words: () => {
        throw new ModelError('too long', { isRetryable: false });
      },
    });
    const set = ['probes.every=1', 'agents.ann.reflection.when=always'];
    const { path, end } = await logged(corridor(), { controllers: { ann: failing, bob: failing }, set });
    expect(end?.status).toBe('ended');
    expect(await verified(path)).toMatchObject({ difference: null, steps: end?.steps });
  });
});

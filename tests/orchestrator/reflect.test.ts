/** Looking back after the end: who is asked, with what, and that nothing of the run changes by it. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ModelError } from '../../src/base/errors.js';
import { LogReader } from '../../src/log/reader.js';
import { LogWriter } from '../../src/log/writer.js';
import type { CallRequest } from '../../src/trajectory/records.js';
import { MemorySink } from '../../src/trajectory/memory-sink.js';
import { TurnOrchestrator } from '../../src/orchestrator/turn-orchestrator.js';
import { temporaryFolder } from '../support/folder.js';
import { NEVER_STOPPED, partsFor, play } from '../support/play.js';
import { verified } from '../replay/support.js';
import { teller, textOf } from '../support/teller.js';
import { corridor } from './two-agents.js';

const folder = temporaryFolder();
const WON = corridor('max: 3').concat('success: { agent: ann, holds: coin }\n');
const take = (turn: number): string => (turn === 1 ? 'ACTION: GO SOUTH' : 'ACTION: TAKE coin');

function reflections(sink: MemorySink): readonly CallRequest[] {
  return sink.entries.flatMap((entry) =>
    entry.kind === 'request' && entry.call.purpose === 'reflection' ? [entry.call] : [],
  );
}

describe('an agent looks back', () => {
  it.each([
    ['always', corridor('max: 2'), ['ann', 'bob']],
    ['success', corridor('max: 2'), []],
    ['never', corridor('max: 2'), []],
  ])('%s, after a run that only ended', async (when, text, who) => {
    const controllers = { ann: teller({ words: 'I waited.' }), bob: teller({ words: 'So did I.' }) };
    const { sink } = await play(text, { controllers, set: [`reflection.when=${when}`] });
    expect(reflections(sink).map(({ agent }) => agent)).toEqual(who);
  });

  it('without the answer format, with its past and the outcome, after the end is in the log', async () => {
    const ann = teller({ words: 'I waited.' });
    const told: (readonly [string, string | null])[] = [];
    const { sink, end } = await play(corridor('max: 2'), {
      controllers: { ann, bob: teller({ words: null }) },
      set: ['reflection.when=always'],
      watcher: {
        reflected: (agent, words) => told.push([agent, words]),
        runEnded: () => told.push(['end', null]),
      },
    });
    expect(told).toEqual([
      ['ann', 'I waited.'],
      ['end', null],
    ]);
    const [asked] = ann.asked;
    expect(textOf(asked?.slice(0, 1))).not.toContain('ACTION:');
    expect(textOf(asked)).toContain('Turn 2.');
    expect(textOf(asked?.slice(-1))).toContain(`The run is over after 2 turns. It ended: ${end.reason}`);
    const kinds = sink.entries.map(({ kind }) => kind);
    expect(kinds.slice(-3)).toEqual(['end', 'request', 'reply']);
    const [call] = reflections(sink);
    expect(call?.step).toBe(4);
    expect(sink.steps.flatMap(({ calls }) => calls)).not.toContain(call?.call);
  });

  it('after success, each by its own wish and question', async () => {
    const ann = teller({ words: 'It shone.', reply: take });
    const { end } = await play(WON, {
      controllers: { ann, bob: teller({ words: 'x' }) },
      set: [
        'reflection.when=always',
        'agents.ann.reflection.when=success',
        'agents.ann.reflection.question=Why?',
      ],
    });
    expect(end.status).toBe('succeeded');
    expect(textOf(ann.asked[0]?.slice(-1))).toMatch(/It succeeded: [\s\S]*\n\nWhy\?$/);
  });

  it.each([
    ['It shone.', 'It shone.'],
    ['It shone', 'It shone.'],
    ['Who took it?', 'Who took it?'],
  ])('told the end in whole sentences: %s', async (reason, told) => {
    const ann = teller({ words: 'x', reply: take });
    await play(WON.replace('holds: coin }', `holds: coin, reason: ${JSON.stringify(reason)} }`), {
      controllers: { ann, bob: teller({ words: 'x' }) },
      set: ['agents.ann.reflection.when=success', 'agents.ann.reflection.question=Why?'],
    });
    expect(textOf(ann.asked[0]?.slice(-1))).toContain(`It succeeded: ${told}\n\nWhy?`);
  });

  it('and leaves state and chain as they would be without', async () => {
    const ends = await Promise.all(
      ['always', 'never'].map(async (when) => {
        const controllers = { ann: teller({ words: 'x' }), bob: teller({ words: 'y' }) };
        return (await play(corridor('max: 2'), { controllers, set: [`reflection.when=${when}`] })).end;
      }),
    );
    expect(ends[0]?.chain).toBe(ends[1]?.chain);
    expect(ends[0]).toEqual(ends[1]);
  });

  it('not where its model fails: the run stays as it ended, the failure is in the log', async () => {
    const ann = teller({
      words: () => {
        throw new ModelError('the server is gone', { isRetryable: false });
      },
    });
    const told: (readonly (string | null)[])[] = [];
    const { sink, end } = await play(corridor('max: 1'), {
      controllers: { ann, bob: teller({ words: null }) },
      set: ['reflection.when=always'],
      watcher: { reflected: (_, ...answer) => told.push(answer) },
    });
    expect([end.status, told]).toEqual(['ended', [[null, 'the server is gone']]]);
    expect(sink.entries.at(-1)).toMatchObject({ end: { kind: 'failed', error: 'the server is gone' } });
  });

  it('not after a run that was stopped', async () => {
    const stop = new AbortController();
    const ann = teller({
      words: 'x',
      reply: () => {
        stop.abort();
        return 'ACTION: WAIT';
      },
    });
    const sink = new MemorySink();
    const set = ['reflection.when=always'];
    const parts = await partsFor(corridor('max: 2'), sink, { controllers: { ann, bob: ann }, set });
    const end = await new TurnOrchestrator(parts).run({ soft: stop.signal, hard: NEVER_STOPPED.hard });
    expect([end.status, ann.asked.length]).toEqual(['interrupted', 0]);
  });

  it('in a log whose last word is the end all the same, and which replays', async () => {
    const path = join(folder, 'reflected.sqlite');
    const writer = new LogWriter(path);
    const controllers = { ann: teller({ words: 'I waited.' }), bob: teller({ words: 'So did I.' }) };
    const set = ['reflection.when=always', 'turns.max=3'];
    const parts = await partsFor(corridor(), writer, { controllers, set });
    const end = await new TurnOrchestrator(parts).run(NEVER_STOPPED);
    writer.close();
    const reader = new LogReader(path);
    expect(reader.end(parts.run.runId)).toEqual(end);
    expect(reader.runs()[0]?.status).toBe('ended');
    expect(reader.asides(parts.run.runId).map(({ request }) => request.agent)).toEqual(['ann', 'bob']);
    reader.close();
    expect(await verified(path)).toMatchObject({ difference: null, steps: end.steps });
  });
});

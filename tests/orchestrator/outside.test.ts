/** Actions that reach outside: performed here, stored first, handed in as data; a failure of theirs is data too. */
import { describe, expect, it } from 'vitest';
import { at } from '../../src/base/assert.js';
import { UsageError } from '../../src/base/errors.js';
import { MemorySink } from '../../src/trajectory/memory-sink.js';
import type { EffectHandler } from '../../src/orchestrator/run-context.js';
import { TurnOrchestrator } from '../../src/orchestrator/turn-orchestrator.js';
import { answering, lastText } from '../support/controllers.js';
import { LIBRARY_YAML } from '../support/library-scenario.js';
import { libraryModule } from '../support/library-world.js';
import { NEVER_STOPPED, partsFor } from '../support/play.js';

async function asked(perform: EffectHandler) {
  const reader = answering(['ACTION: LOOKUP "sky"', 'ACTION: ANSWER "blue"']);
  const sink = new MemorySink();
  const parts = await partsFor(LIBRARY_YAML, sink, {
    modules: [libraryModule(perform)],
    controllers: { reader },
  });
  return { reader, sink, parts };
}

it('whose effect handler is missing keeps the run from beginning', async () => {
  const { sink, parts } = await asked(async () => null);
  const run = new TurnOrchestrator({ ...parts, effectHandlers: {} }).run(NEVER_STOPPED);
  await expect(run).rejects.toThrow(UsageError);
  await expect(run).rejects.toThrow('the action LOOKUP needs the effect handler "catalogue"');
  expect(sink.entries).toEqual([]);
});

describe('an action that reaches outside', () => {
  it('has its output stored before it is handed in, and told to the agent', async () => {
    const { reader, sink, parts } = await asked(async ({ entry }) => ({ about: entry ?? '', pages: 3 }));
    const end = await new TurnOrchestrator(parts).run(NEVER_STOPPED);
    expect(end.status).toBe('succeeded');
    const kinds = sink.entries.map(({ kind }) => kind);
    expect(kinds).toEqual(['begin', 'request', 'reply', 'outside', 'request', 'reply', 'step', 'end']);
    expect(sink.entries[3]).toMatchObject({
      record: { step: 1, agent: 'reader', action: 'LOOKUP', output: { about: 'sky', pages: 3 } },
    });
    expect(lastText(reader.inputs[1])).toContain('{"about":"sky","pages":3}');
    expect(at(sink.steps, 0).acts[0]?.intent?.outside).toEqual({ about: 'sky', pages: 3 });
  });

  it('that fails gives the agent the error as data, and the run goes on', async () => {
    const { reader, sink, parts } = await asked(() => Promise.reject(new Error('the shelf is empty')));
    const end = await new TurnOrchestrator(parts).run(NEVER_STOPPED);
    expect(end.status).toBe('succeeded');
    expect(lastText(reader.inputs[1])).toContain('the shelf is empty');
    expect(sink.entries.find(({ kind }) => kind === 'outside')).toMatchObject({
      record: { output: { error: 'the shelf is empty' } },
    });
  });

  it('that throws at once is the same', async () => {
    const { reader, parts } = await asked(() => {
      throw new Error('no shelf');
    });
    await new TurnOrchestrator(parts).run(NEVER_STOPPED);
    expect(lastText(reader.inputs[1])).toContain('no shelf');
  });

  it.each([
    ['that listens', (signal: AbortSignal) => Promise.reject(signal.reason as Error)],
    ['that is deaf', () => new Promise<never>(() => undefined)],
  ])('is given up by a hard stop, with an effect handler %s', async (_, pending) => {
    const hard = new AbortController();
    const { sink, parts } = await asked((_args, _agent, signal) => {
      hard.abort();
      return pending(signal);
    });
    const end = await new TurnOrchestrator(parts).run({ soft: hard.signal, hard: hard.signal });
    expect(end).toMatchObject({ status: 'interrupted', steps: 0 });
    expect(sink.entries.map(({ kind }) => kind)).not.toContain('outside');
  });

  it('with an output that no log can hold is told to the agent as an error', async () => {
    const { sink, parts } = await asked(async () => 0.5);
    const end = await new TurnOrchestrator(parts).run(NEVER_STOPPED);
    expect(end.status).toBe('succeeded');
    expect(sink.entries.find(({ kind }) => kind === 'outside')).toMatchObject({
      record: { output: { error: "the answer can't be kept: not a safe integer: 0.5" } },
    });
  });
});

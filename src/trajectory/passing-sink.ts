/**
 * A sink that passes every record on to another sink. Sinks that observe records on their way to the log
 * spread it and override the one or two methods that they need.
 */
import type { RunSink } from './sink.js';

export function passThroughSink(sink: RunSink): RunSink {
  return {
    begin: (run, state) => sink.begin(run, state),
    resume: (run, firstStep) => sink.resume(run, firstStep),
    request: (call, durable) => sink.request(call, durable),
    reply: (runId, call, end, durable) => sink.reply(runId, call, end, durable),
    probe: (record) => sink.probe(record),
    outside: (record) => sink.outside(record),
    step: (record) => sink.step(record),
    flush: () => sink.flush(),
    end: (runId, end) => sink.end(runId, end),
    onDurable: (listener) => sink.onDurable(listener),
  };
}

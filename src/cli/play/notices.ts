/**
 * What a user should hear of how replies came, once a run: a server that ignores guided decoding or refuses it. A sink before the log, since
 * every reply passes there; it changes nothing.
 */
import { passingTo } from '../../trajectory/passing-sink.js';
import type { RunSink } from '../../trajectory/sink.js';

const NOTICES: readonly (readonly [adaptation: string, words: string])[] = [
  [
    'unguided',
    'a reply does not match the form that the server was asked to enforce: it may not know the field; replies are parsed as usual',
  ],
  ['guided-dropped', 'the server refuses guided decoding: replies are not held to their form in this run'],
];

/** `warn` is called at the first reply that shows it. */
export function withNotices(sink: RunSink, warn: (words: string) => void): RunSink {
  const told = new Set<string>();
  const tell = (adaptations: readonly string[]): void => {
    for (const [adaptation, words] of NOTICES) {
      if (told.has(adaptation) || !adaptations.includes(adaptation)) continue;
      told.add(adaptation);
      warn(`${words} (orchestrate doctor shows what the server can do)`);
    }
  };
  return {
    ...passingTo(sink),
    reply: (runId, call, end, durable) => {
      if (end.kind === 'replied') tell(end.reply.adaptations);
      sink.reply(runId, call, end, durable);
    },
  };
}

/**
 * A recording as a controller: plays an agent with the replies that it gave in another run, turn by turn and in order. Unlike `verify` it
 * does not know what will be asked: the scenario may be another, or have changed. Where it holds no reply the run stops.
 */
import type { Controller, ControllerInput, Decision } from '../agent/controller.js';
import { UsageError } from '../base/errors.js';
import type { LogReader } from '../log/reader.js';
import type { CallEnd, CallPurpose } from '../log/records.js';

interface RecordedReply {
  readonly turn: number;
  readonly end: Extract<CallEnd, { kind: 'replied' }>;
}

/** For what an agent is asked that is to become an act. */
const ACTING: readonly CallPurpose[] = ['act', 'repair'];

/**
 * The controller of one agent. It reads the log while it plays, so the reader must stay open. Throws UsageError where the recorded run has no
 * such agent. Its answers are acts alone: a memory that wants its words does without.
 */
export function repliesOf(reader: LogReader, runId: string, agent: string): Controller {
  const { scenario } = reader.run(runId);
  const ids = scenario.agents.map(({ id }) => id);
  if (!ids.includes(agent))
    throw new UsageError(`run ${runId} has no agent "${agent}"`, [`its agents: ${ids.join(', ')}`]);
  const replies = repliesIn(reader, runId, agent);
  let next = replies.next();
  return {
    name: `recorded:${runId}`,
    isRemote: false,
    decide: async ({ turn, attempt }) => {
      while (next.done !== true && next.value.turn < turn) next = replies.next();
      if (next.done === true || next.value.turn > turn) throw missing(runId, { agent, turn, attempt });
      const { reply, memory }: Decision = next.value.end;
      next = replies.next();
      return { reply, memory };
    },
  };
}

function* repliesIn(reader: LogReader, runId: string, agent: string): Generator<RecordedReply, undefined> {
  for (const { step, turn, calls } of reader.steps(runId, { agent })) {
    for (const { request, end } of reader.calls(runId, step)) {
      const isActing = calls.includes(request.call) && ACTING.includes(request.purpose);
      if (isActing && end?.kind === 'replied') yield { turn, end };
    }
  }
  return undefined;
}

function missing(
  runId: string,
  { agent, turn, attempt }: Pick<ControllerInput, 'agent' | 'turn' | 'attempt'>,
): UsageError {
  return new UsageError(
    `the recording ${runId} holds no reply of ${agent} for turn ${turn}, attempt ${attempt}`,
    ['the scenario asks for more than the recorded run did: play it with another controller from there'],
  );
}

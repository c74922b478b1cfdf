/**
 * A recording as a controller: it plays an agent with the agent's replies from another run, turn by turn and
 * in order. Unlike `verify`, it does not know what will be asked: the scenario may be a different one, or
 * have changed. If it has no reply, the run stops.
 */
import { meantOf } from '../base/nearest.js';
import type { Controller, ControllerInput, Decision } from '../agent/controller.js';
import { UsageError } from '../base/errors.js';
import type { LogReader } from '../log/reader.js';
import type { CallEnd } from '../trajectory/records.js';
import type { CallPurpose } from '../trajectory/record-values.js';

interface RecordedReply {
  turn: number;
  end: Extract<CallEnd, { kind: 'replied' }>;
}

/** For requests whose reply becomes an act. */
const ACTING: readonly CallPurpose[] = ['act', 'repair'];

/**
 * The controller of one agent. It reads the log while it plays, so the reader must stay open. Throws
 * UsageError if the recorded run has no such agent. It only answers with acts, so a memory that needs a text
 * does without.
 */
export function repliesOf(reader: LogReader, runId: string, agent: string): Controller {
  const { scenario } = reader.run(runId);
  const ids = scenario.agents.map(({ id }) => id);
  if (!ids.includes(agent))
    throw new UsageError(`run ${runId} has no agent "${agent}"`, [meantOf(agent, ids, 'its agents')]);
  const replies = repliesIn(reader, runId, agent);
  let next = replies.next();
  /** The turn of the newest reply that was given or skipped; 0 before the first. */
  let newest = 0;
  const takeReply = (): IteratorResult<RecordedReply, undefined> => {
    const reply = next;
    newest = reply.value?.turn ?? newest;
    next = replies.next();
    return reply;
  };
  return {
    name: `recorded:${runId}`,
    isRemote: false,
    decide: async ({ turn, attempt }) => {
      while (next.done !== true && next.value.turn < turn) takeReply();
      if (next.done === true || next.value.turn > turn) {
        const hasEnded = next.done === true && newest < turn;
        throw missingReply(
          { runId, path: reader.path, newest: hasEnded ? newest : null },
          { agent, turn, attempt },
        );
      }
      const { reply, memory }: Decision = next.value.end;
      takeReply();
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

interface RecordingContext {
  runId: string;
  path: string;
  /** The turn of the agent's last reply, if the recording ends with it; null if the recording continues. */
  newest: number | null;
}

function missingReply(
  recording: RecordingContext,
  input: Pick<ControllerInput, 'agent' | 'turn' | 'attempt'>,
): UsageError {
  const { agent, turn, attempt } = input;
  return new UsageError(
    `the recording ${recording.runId} has no reply of ${agent} for turn ${turn}, attempt ${attempt}`,
    reasonsFor(recording, input),
  );
}

/** Possible changes, most likely first. */
function reasonsFor(
  { runId, path, newest }: RecordingContext,
  { agent, attempt }: Pick<ControllerInput, 'agent' | 'attempt'>,
): readonly string[] {
  const compare = `orchestrate diff ${path}#${runId} <this log> shows how the setups differ, and where the runs diverge`;
  if (newest === 0) return [`${agent} gave no reply in the recorded run`];
  if (newest !== null)
    return [`its last recorded reply is in turn ${newest}; --max-turns ${newest} ends the run there`];
  if (attempt > 1)
    return ['its previous reply was refused or unreadable here, but not in the recorded run', compare];
  return [`${agent} was not asked in that turn of the recorded run, or its answer was never stored`, compare];
}

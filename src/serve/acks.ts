/** The acknowledgement message for an intent. It always agrees with the log. */
import { create } from '@bufbuild/protobuf';
import type { UntimelyReason } from '../trajectory/record-values.js';
import type { IntentOutcome } from './gate.js';
import { IntentAckSchema, Reason } from './gen/orchestrate/world/v1/world_pb.js';
import type { IntentAck } from './gen/orchestrate/world/v1/world_pb.js';

export const UNTIMELY: Readonly<Record<UntimelyReason, { reason: Reason; message: string }>> = {
  late: { reason: Reason.LATE_TICK, message: 'the tick accepts no more intents' },
  early: { reason: Reason.EARLY_TICK, message: 'the tick has not begun for this entity' },
  decided: { reason: Reason.ALREADY_DECIDED, message: 'the entity has already decided in this tick' },
  'other-attempt': {
    reason: Reason.OTHER_ATTEMPT,
    message: 'the intent is for a different attempt from the one requested: answer the newest observation',
  },
  stale: {
    reason: Reason.STALE_OBSERVATION,
    message: 'this intent answers an observation that is too old (serve --staleness) or does not exist yet',
  },
  'out-of-play': { reason: Reason.OUT_OF_PLAY, message: 'the run accepts no more intents' },
};

export function ackMessage(outcome: IntentOutcome): IntentAck {
  if (outcome.kind === 'untimely') {
    const { reason, message } = UNTIMELY[outcome.reason];
    return create(IntentAckSchema, { accepted: false, reason, message, tick: BigInt(outcome.tick) });
  }
  const { judgement, attemptsLeft } = outcome;
  const { kind, intent, problem, turn } = judgement;
  return create(IntentAckSchema, {
    accepted: kind !== 'refused',
    reason: reasonOf(outcome),
    message: problem?.message ?? '',
    problem: problem?.code ?? '',
    action: intent?.action ?? '',
    attemptsLeft,
    tick: BigInt(turn),
  });
}

function reasonOf({ judgement }: Extract<IntentOutcome, { kind: 'judged' }>): Reason {
  if (judgement.kind === 'settled') return Reason.UNSPECIFIED;
  if (judgement.kind === 'free') return Reason.FREE_ACT;
  return judgement.intent === null ? Reason.UNREADABLE : Reason.ILLEGAL_ACTION;
}

/**
 * A typed command, read before it counts: by the parser that reads replies, against what the entity perceives. In: a line and the newest
 * observation; out: the call to submit, or what is wrong with the line. It asks nothing of the world, so what only trying shows stays hidden.
 */
import { create } from '@bufbuild/protobuf';
import { asReply } from '../agent/controllers/human.js';
import { embeddedReply } from '../agent/controllers/embedded-reply.js';
import { interpret } from '../binding/interpret.js';
import type { ActionRegistry } from '../environment/action.js';
import type { Observation } from '../environment/observation.js';
import { saidWith } from '../forms/said.js';
import { protocolOf } from '../parse/protocols.js';
import { CommandReadingSchema } from './gen/orchestrate/world/v1/world_pb.js';
import type { CommandReading } from './gen/orchestrate/world/v1/world_pb.js';

export function readCommand(
  line: string,
  observation: Observation,
  actions: ActionRegistry<unknown>,
): CommandReading {
  const reply = embeddedReply(asReply(line.toWellFormed()));
  const { intent, problem } = interpret(reply, protocolOf('command'), actions.list(), actions, observation);
  if (intent === null)
    return create(CommandReadingSchema, { message: problem?.message ?? '', problem: problem?.code ?? '' });
  const { action, args } = intent;
  const rest = saidWith(actions.get(action)?.grammar ?? null, args) ?? '';
  return create(CommandReadingSchema, {
    ok: true,
    call: {
      action,
      args: Object.fromEntries(Object.entries(args).map(([slot, value]) => [slot, wireValue(value)])),
    },
    words: `${action} ${rest}`.trim(),
  });
}

function wireValue(value: string | number) {
  return typeof value === 'number'
    ? { value: { case: 'number' as const, value: BigInt(value) } }
    : { value: { case: 'text' as const, value } };
}

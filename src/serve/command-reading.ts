/**
 * Parses a typed command before it counts, with the parser for replies and the entity's newest observation.
 * It does not use the world's state, so what only a try would show stays hidden.
 */
import { create } from '@bufbuild/protobuf';
import { asReply } from '../agent/controllers/human.js';
import { embeddedReply } from '../agent/controllers/embedded-reply.js';
import { interpret } from '../binding/interpret.js';
import type { ActionRegistry } from '../environment/action.js';
import type { Observation } from '../environment/observation.js';
import { commandText } from '../forms/command-text.js';
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
  return create(CommandReadingSchema, {
    ok: true,
    call: {
      action,
      args: Object.fromEntries(
        Object.entries(args).map(([slot, value]) => [
          slot,
          typeof value === 'number'
            ? { value: { case: 'number' as const, value: BigInt(value) } }
            : { value: { case: 'text' as const, value } },
        ]),
      ),
    },
    words: commandText({ name: action, grammar: actions.get(action)?.grammar ?? null }, args),
  });
}

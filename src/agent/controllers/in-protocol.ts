/**
 * Lets a controller that answers in command lines play in any protocol: its answer is read as a command and
 * written as the protocol writes answers. What it says around the command stays before the answer. Where ids are
 * not understood, it says names.
 */
import { protocolOf } from '../../parse/protocols.js';
import type { Protocol } from '../../parse/protocol.js';
import type { Vocabulary } from '../../forms/vocabulary.js';
import type { Observation } from '../../environment/observation.js';
import { withToldNames } from '../../environment/numbers.js';
import { commandText } from '../../forms/command-text.js';
import type { ReplyReading } from '../../parse/reading.js';
import { adapted } from '../controller.js';
import type { Controller } from '../controller.js';

/** The same controller, answering in `protocol`; a reply that is not a command is passed on unchanged. */
export function inProtocol(controller: Controller, protocol: Protocol, vocabulary: Vocabulary): Controller {
  const command = protocolOf('command');
  return adapted(controller, {
    decision: (decision, { observation }) => {
      const isPlain = observation.refusals === 'plain';
      if (protocol.name === command.name && !isPlain) return decision;
      const { reply } = decision;
      const read = command.read(reply, vocabulary);
      if (!read.ok) return decision;
      const reading = isPlain ? withSpokenNames(read, observation, vocabulary) : read;
      const linesBefore = reply.content.split('\n').slice(0, -1);
      return {
        ...decision,
        reply: { ...reply, content: [...linesBefore, protocol.replyText(reading)].join('\n') },
      };
    },
  });
}

type CommandReading = Extract<ReplyReading, { ok: true }>;

function withSpokenNames(
  reading: CommandReading,
  observation: Observation,
  vocabulary: Vocabulary,
): CommandReading {
  const { action } = reading.command;
  const grammar = vocabulary.find(({ name }) => name === action)?.grammar ?? null;
  const args = withToldNames(grammar, reading.command.args, observation);
  const words = commandText({ name: action, grammar }, args);
  return { ...reading, command: { action, args }, words };
}

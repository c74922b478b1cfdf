/**
 * Lets a controller that answers in command lines play in any protocol: its answer is read as a command and
 * written as the protocol writes answers. What it says around the command stays before the answer.
 */
import { protocolOf } from '../../parse/protocols.js';
import type { Protocol } from '../../parse/protocol.js';
import type { Vocabulary } from '../../forms/vocabulary.js';
import type { Controller } from '../controller.js';

/** The same controller, answering in `protocol`; a reply that is not a command is passed on unchanged. */
export function inProtocol(controller: Controller, protocol: Protocol, vocabulary: Vocabulary): Controller {
  const command = protocolOf('command');
  if (protocol.name === command.name) return controller;
  return {
    ...controller,
    decide: async (input, signal) => {
      const decision = await controller.decide(input, signal);
      const { reply } = decision;
      const reading = command.read(reply, vocabulary);
      if (!reading.ok) return decision;
      const linesBefore = reply.content.split('\n').slice(0, -1);
      return {
        ...decision,
        reply: { ...reply, content: [...linesBefore, protocol.replyText(reading)].join('\n') },
      };
    },
  };
}

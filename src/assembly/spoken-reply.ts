/** The reply with which an agent says something: SPEAK, in the agent's own reply format. */
import { embeddedReply } from '../agent/controllers/embedded-reply.js';
import { known } from '../base/assert.js';
import { UsageError } from '../base/errors.js';
import { protocolOf } from '../parse/protocols.js';
import type { OpenedScenario } from './opened-scenario.js';
import { vocabularyOf } from './seats.js';

const SPEAK = 'SPEAK';

/** Throws UsageError if the agent can't speak, or can't say this message. */
export function spokenReply(
  { environment, scenario }: OpenedScenario,
  agent: string,
  message: string,
): string {
  const vocabulary = vocabularyOf(environment, agent);
  if (!vocabulary.some(({ name }) => name === SPEAK))
    throw new UsageError(`${agent} can't speak in this world`, [
      "give the agent's whole answer with --reply",
    ]);
  const reply = embeddedReply(`ACTION: ${SPEAK} ${JSON.stringify(message)}`);
  const reading = protocolOf('command').read(reply, vocabulary);
  if (!reading.ok) throw new UsageError(`${agent} can't say that: ${reading.problem.message}`);
  const { protocol } = known(
    scenario.agents.find(({ id }) => id === agent),
    agent,
  );
  return protocolOf(protocol).replyText(reading);
}

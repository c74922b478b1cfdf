/**
 * The protocol `command`: a short reasoning, then one last line `ACTION: <command>`. Writes its instructions from the
 * actions' grammars and reads replies back by the ladder of DESIGN section 7 (`docs/PROTOCOLS.md` explains it with examples).
 */
import { breakControlTokens, oneLine } from '../base/text.js';
import type { Problem } from '../base/problem.js';
import type { OfferedAction } from '../environment/observation.js';
import { readCommandLine } from './command-line.js';
import { guidedCommand, guidedBy } from './guided.js';
import { offeredForms, spokenForms } from './help.js';
import type { ReplyText } from './intake.js';
import { takeIn } from './intake.js';
import type { Normal } from './normalise.js';
import { rawSpan } from './normalise.js';
import type { Protocol, Vocabulary } from './protocol.js';
import type { Reading } from './reading.js';
import { findAnswer } from './scanner.js';
import { toolCallProblem, USE_COMMAND } from './shapes.js';

export const commandProtocol: Protocol = {
  name: 'command',
  instructions,
  actionLines,
  form: (vocabulary, offered) => guidedBy(() => guidedCommand(vocabulary, offered)),
  replyText: ({ words }) => `ACTION: ${breakControlTokens(words)}`,
  repair: ({ message }) =>
    `${message}\nDo not think it over again. Write only the answer, as one line of this form:\nACTION: <command>`,
  read,
};

function instructions(vocabulary: Vocabulary): string {
  const help = vocabulary.map(
    (action) =>
      `- ${spokenForms(action.name, action.grammar).join(' or ')}: ${action.description}${costNote(action.cost)}`,
  );
  return [
    'How to answer: think in one to three short sentences, then end with exactly one line of this form:',
    'ACTION: <command>',
    'Nothing may follow that line. One command a reply. Write verbs as they are listed, name things as they are named to you, and put what you say between double quotes.',
    'The commands:',
    ...help,
  ].join('\n');
}

function costNote(cost: 'turn' | 'free'): string {
  return cost === 'free' ? ' Costs no turn.' : '';
}

/** One line per offered action, in the order offered; names stand in the slots where they are known. */
function actionLines(vocabulary: Vocabulary, offered: readonly OfferedAction[]): readonly string[] {
  return offered.flatMap((entry) => {
    const action = vocabulary.find((one) => one.name === entry.action);
    if (action === undefined) return [];
    return [offeredForms(action.name, action.grammar, entry.slots, entry.ways).join(' or ')];
  });
}

function read(reply: ReplyText, vocabulary: Vocabulary): Reading {
  const taken = takeIn(reply, ENDING);
  if (!taken.ok) return refused(taken.problem);
  if (reply.toolCalls.length > 0) return refused(toolCallProblem(USE_COMMAND));
  return readNormal(reply.content, soleLine(taken.normal), vocabulary);
}

const ENDING = 'After your reasoning, end with one line: ACTION: followed by the command.';

function refused(reason: Problem): Reading {
  return { ok: false, problem: reason, rung: null, span: null };
}

/** A reply that is one line in quotation marks is no quotation of somebody else. */
function soleLine(normal: Normal): Normal {
  const text = normal.text.trim();
  const mark = text.charAt(0);
  const isWrapped =
    text.length > 2 && (mark === '"' || mark === "'") && text.endsWith(mark) && !text.includes('\n');
  if (!isWrapped) return normal;
  const start = normal.text.indexOf(mark) + 1;
  const end = start + text.length - 2;
  return { text: normal.text.slice(start, end), offsets: normal.offsets.subarray(start, end) };
}

function readNormal(content: string, normal: Normal, vocabulary: Vocabulary): Reading {
  const answer = findAnswer(normal.text, vocabulary);
  const { place, rung } = answer;
  const span = place === null ? null : rawSpan(normal, place.start, place.end);
  if (!answer.ok) return { ok: false, problem: answer.problem, rung, span };
  const { start } = answer.place;
  const line = {
    text: normal.text.slice(start, answer.place.end),
    raw: (from: number, to: number): string => {
      const part = rawSpan(normal, start + from, start + to);
      return content.slice(part.start, part.end);
    },
    quotedOnly: answer.rung === 'line',
  };
  const command = readCommandLine(line, vocabulary);
  if (!command.ok) return { ok: false, problem: command.problem, rung: answer.rung, span };
  const accepted = rawSpan(normal, start, answer.place.end);
  return {
    ok: true,
    command: command.command,
    rung: answer.rung,
    span: accepted,
    words: oneLine(content.slice(accepted.start, accepted.end)),
  };
}

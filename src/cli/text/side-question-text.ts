/**
 * Questions outside a run, for a person and for a program: reflections after the end, and interviews. A model's
 * words are made safe in the text.
 */
import { compareText } from '../../base/ids.js';
import { lookUp } from '../../base/look-up.js';
import type { LoggedProbe } from '../../trajectory/records.js';
import type { LoggedCall } from '../../trajectory/records.js';
import { cutLines } from '../terminal/style.js';
import type { Paint } from '../terminal/style.js';

export interface SideQuestionLayout {
  names: Readonly<Record<string, string>>;
  paint: Paint;
}

/** '' if no questions were asked. */
export function sideQuestionsText(sideQuestions: readonly LoggedCall[], options: SideQuestionLayout): string {
  return sideQuestions.map((aside) => `\n${sideQuestionText(aside, options)}\n`).join('');
}

/** One question, the agent that was asked, and the answer. */
export function sideQuestionText(sideQuestion: LoggedCall, { names, paint }: SideQuestionLayout): string {
  const { request, end } = sideQuestion;
  const name = lookUp(names, request.agent) ?? request.agent;
  const head =
    request.purpose === 'reflection'
      ? paint('bold', `${name} reflects on the run`)
      : `${paint('bold', `${name}, asked about step ${request.step}`)}\n${paint('dim', cutLines(questionOf(sideQuestion)))}`;
  if (end?.kind === 'replied') return `${head}\n${cutLines(end.reply.content)}`;
  return `${head}\n${paint('yellow', end === null ? 'no answer was stored' : cutLines(end.error))}`;
}

/** The results of questions about what agents see, in total and by kind; '' if none was asked. */
export function probesText(all: readonly LoggedProbe[], paint: Paint): string {
  const probes = all.filter(({ picture }) => picture !== 'grey');
  if (probes.length === 0) return '';
  const kinds = [...new Set(probes.map(({ kind }) => kind))].toSorted(compareText);
  const lines = kinds.map(
    (kind) => `  ${kind.padEnd(12)}${score(probes.filter((one) => one.kind === kind))}`,
  );
  const control = all.filter(({ picture }) => picture === 'grey');
  if (control.length > 0) lines.push(`  ${'with grey'.padEnd(12)}${score(control)}`);
  return `\n${paint('bold', 'questions about what agents see')}: ${score(probes)}\n${lines.join('\n')}\n`;
}

function score(probes: readonly LoggedProbe[]): string {
  const times = (verdict: LoggedProbe['verdict']) => probes.filter((one) => one.verdict === verdict).length;
  const unreadable = times('unreadable');
  return `${times('right')} of ${probes.length} right${unreadable === 0 ? '' : `, ${unreadable} unreadable`}`;
}

/** As printed by `show --json` and `ask --json`; docs/reference/commands.md describes it. */
export function sideQuestionDocument(sideQuestion: LoggedCall): object {
  const { request, end } = sideQuestion;
  const replied = end?.kind === 'replied' ? end.reply : null;
  return {
    call: request.call,
    purpose: request.purpose,
    step: request.step,
    agent: request.agent,
    controller: request.controller,
    model: replied?.model ?? null,
    question: questionOf(sideQuestion),
    answer: replied?.content ?? null,
    error: end?.kind === 'failed' ? end.error : null,
  };
}

/** The last text that was sent; the texts before it are the program's own. */
function questionOf({ request }: LoggedCall): string {
  const parts = request.messages.at(-1)?.parts ?? [];
  return parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).at(-1) ?? '';
}

/**
 * One step as text next to its picture: first the action and its result, then the reply with the accepted
 * span, then the text sent to the agent. The lines are safe and not yet wrapped.
 */
import { duration } from '../../base/duration.js';
import { WORLD_ID } from '../../base/ids.js';
import { oneLine, printableText } from '../../base/text.js';
import { notesFor, stepView, worldEvent } from '../../replay/step-view.js';
import type { ActView } from '../../replay/step-view.js';
import type { LoggedCall, StepRecord } from '../../trajectory/records.js';
import { purposeWords } from './purpose.js';
import { heardText } from './step-line.js';
import { cutLines } from '../terminal/style.js';
import { plainLine } from '../terminal/styled-lines.js';
import type { TextStyle, StyledLine } from '../terminal/styled-lines.js';

export interface StepText {
  step: StepRecord;
  calls: readonly LoggedCall[];
  /** Display names by agent id. */
  names: Readonly<Record<string, string>>;
}

export function stepText({ step, calls, names }: StepText): readonly StyledLine[] {
  const { acts, notes } = stepView(step, { names });
  const outcome =
    step.agent === WORLD_ID
      ? step.events.map((event) => plainLine(oneLine(worldEvent(event))))
      : acts.flatMap((act) => actLines(act, names));
  // This turn's text, as it was sent last.
  const last = calls.at(-1)?.request.messages.at(-1);
  const text = last?.parts.map((part) => (part.kind === 'text' ? part.text : '')).join('\n') ?? '';
  return [
    ...outcome,
    ...notesFor(notes, 'replay').map((note) => plainLine(oneLine(note), 'dim')),
    ...calls.flatMap((call) => replyLines(acts, call)),
    ...(text.trim() === '' ? [] : headed('Prompt', lines(text))),
  ];
}

function actLines(
  { text, message, problem, insteadOf, speech }: ActView,
  names: StepText['names'],
): readonly StyledLine[] {
  return [
    plainLine(`→ ${oneLine(text)}`, ['bold', problem === null ? 'cyan' : 'yellow']),
    ...(insteadOf === null
      ? []
      : [plainLine(`instead of ${oneLine(`${insteadOf.code}: ${insteadOf.message}`)}`, 'yellow')]),
    ...(speech === null
      ? [
          problem === null
            ? plainLine(oneLine(message), 'green')
            : plainLine(oneLine(`${problem.code}: ${message}`), 'red'),
        ]
      : [
          plainLine(`“${oneLine(speech.text)}”`, 'magenta'),
          plainLine(heardText(speech.hearers, names), 'dim'),
        ]),
  ];
}

function replyLines(acts: readonly ActView[], call: LoggedCall): readonly StyledLine[] {
  const { request, end } = call;
  const purpose = purposeWords(request.purpose);
  const title = purpose === null ? 'Reply' : `Reply (${purpose})`;
  const heading = request.attempt > 1 ? `${title}, attempt ${request.attempt}` : title;
  if (end === null) return headed(heading, [plainLine('no reply was stored', 'yellow')]);
  if (end.kind === 'failed') return headed(heading, lines(end.error, 'red'));
  const { content, reasoning, latencyMs } = end.reply;
  const act = acts.find((one) => one.call === request.call);
  const time = latencyMs > 0 ? ` (${duration(latencyMs)})` : '';
  const thought = reasoning === null ? [] : lines(reasoning, 'dim');
  return headed(`${heading}${time}`, [...thought, ...marked(content, act?.accepted?.span ?? null)]);
}

/** With the accepted span in brackets and colour. */
function marked(content: string, span: { start: number; end: number } | null): readonly StyledLine[] {
  if (span === null) return lines(content);
  const before = lines(content.slice(0, span.start));
  const inside = lines(`⟦${content.slice(span.start, span.end)}⟧`, ['green', 'bold']);
  const after = lines(content.slice(span.end));
  return joinedAt(joinedAt(before, inside), after);
}

function joinedAt(first: readonly StyledLine[], second: readonly StyledLine[]): readonly StyledLine[] {
  return [...first.slice(0, -1), [...(first.at(-1) ?? []), ...(second[0] ?? [])], ...second.slice(1)];
}

function headed(title: string, body: readonly StyledLine[]): readonly StyledLine[] {
  return [plainLine(''), plainLine(title, 'underline'), ...body];
}

function lines(text: string, look: TextStyle | null = null): readonly StyledLine[] {
  // The width is counted in columns, so characters without a width are removed first.
  return cutLines(printableText(text))
    .split('\n')
    .map((line) => plainLine(line, look));
}

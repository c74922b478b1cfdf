/**
 * One step as text next to its picture: first the action and its result, then the reply with the accepted
 * span, then the text sent to the agent. Its lines are safe, and not yet wrapped.
 */
import { duration } from '../../base/duration.js';
import { describeForPeople } from '../../environment/own-failure.js';
import { WORLD_ID } from '../../base/ids.js';
import { oneLine, printableText } from '../../base/text.js';
import type { ActRecord, LoggedCall, StepRecord } from '../../trajectory/records.js';
import { purposeWords } from './purpose.js';
import { actText } from '../../trajectory/act-text.js';
import { heardText, speechOf, worldEvent } from './step-line.js';
import { cutLines } from '../terminal/style.js';
import { plainLine } from '../terminal/styled-lines.js';
import type { TextStyle, StyledLine } from '../terminal/styled-lines.js';

export interface StepText {
  readonly step: StepRecord;
  readonly calls: readonly LoggedCall[];
  /** Display names by agent id. */
  readonly names: Readonly<Record<string, string>>;
}

export function stepText(page: StepText): readonly StyledLine[] {
  const { step, calls } = page;
  const outcome =
    step.agent === WORLD_ID ? worldLines(step) : step.acts.flatMap((act) => actLines(page, act));
  return [...outcome, ...calls.flatMap((call) => replyLines(step, call)), ...sentTextLines(calls)];
}

function worldLines({ events }: StepRecord): readonly StyledLine[] {
  if (events.length === 0) return [plainLine('Nothing happened in the world.', 'dim')];
  return events.map((event) => plainLine(oneLine(worldEvent(event))));
}

function actLines({ step, names }: StepText, act: ActRecord): readonly StyledLine[] {
  const said = speechOf(step, act);
  const { result } = act;
  const [first, look]: readonly [string, TextStyle] = result.ok
    ? [result.message, 'green']
    : [`${result.problem.code}: ${describeForPeople(result.problem)}`, 'red'];
  const requested = plainLine(`→ ${oneLine(actText(act, said))}`, ['bold', result.ok ? 'cyan' : 'yellow']);
  const instead =
    act.insteadOf === null
      ? []
      : [plainLine(`instead of ${oneLine(`${act.insteadOf.code}: ${act.insteadOf.message}`)}`, 'yellow')];
  if (said === undefined) return [requested, ...instead, plainLine(oneLine(first), look)];
  const utterance = said.data['text'];
  const speech = plainLine(`“${typeof utterance === 'string' ? oneLine(utterance) : ''}”`, 'magenta');
  return [requested, ...instead, speech, plainLine(heardText(said, names), 'dim')];
}

function replyLines(step: StepRecord, call: LoggedCall): readonly StyledLine[] {
  const { request, end } = call;
  const purpose = purposeWords(request.purpose);
  const title = purpose === null ? 'Reply' : `Reply (${purpose})`;
  const heading = request.attempt > 1 ? `${title}, attempt ${request.attempt}` : title;
  if (end === null) return headed(heading, [plainLine('no reply was stored', 'yellow')]);
  if (end.kind === 'failed') return headed(heading, lines(end.error, 'red'));
  const { content, reasoning, latencyMs } = end.reply;
  const act = step.acts.find((one) => one.call === request.call);
  const time = latencyMs > 0 ? ` (${duration(latencyMs)})` : '';
  const thought = reasoning === null ? [] : lines(reasoning, 'dim');
  return headed(`${heading}${time}`, [...thought, ...marked(content, act?.reading?.span ?? null)]);
}

/** With the accepted span in brackets and colour. */
function marked(
  content: string,
  span: { readonly start: number; readonly end: number } | null,
): readonly StyledLine[] {
  if (span === null) return lines(content);
  const before = lines(content.slice(0, span.start));
  const inside = lines(`⟦${content.slice(span.start, span.end)}⟧`, ['green', 'bold']);
  const after = lines(content.slice(span.end));
  return joinedAt(joinedAt(before, inside), after);
}

/** Joins the last line of one list and the first line of the other. */
function joinedAt(first: readonly StyledLine[], second: readonly StyledLine[]): readonly StyledLine[] {
  return [...first.slice(0, -1), [...(first.at(-1) ?? []), ...(second[0] ?? [])], ...second.slice(1)];
}

/** This turn's text, as it was sent last. */
function sentTextLines(calls: readonly LoggedCall[]): readonly StyledLine[] {
  const last = calls.at(-1)?.request.messages.at(-1);
  const text = last?.parts.map((part) => (part.kind === 'text' ? part.text : '')).join('\n') ?? '';
  return text.trim() === '' ? [] : headed('Prompt', lines(text));
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

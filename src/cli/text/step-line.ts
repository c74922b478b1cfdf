/**
 * A step for a person: turn, agent, its thought, its action, the result, and speech on separate lines. In:
 * step records, without any world, and the replies if available. Used by `run` while it plays and by `show`
 * afterwards.
 */
import { lookUp } from '../../base/look-up.js';
import { describeForPeople } from '../../environment/own-failure.js';
import { stripVTControlCharacters } from 'node:util';
import { oneLine, quoted } from '../../base/text.js';
import type { Json } from '../../base/json.js';
import type { Event, Intent } from '../../environment/action.js';
import { actText } from '../../trajectory/act-text.js';
import type { ActRecord, StepRecord } from '../../trajectory/records.js';
import { UNCONTROLLED } from '../../trajectory/uncontrolled.js';
import { WORLD_ID } from '../../base/ids.js';
import { utteranceText } from '../../speech/utterance.js';
import { terminalText } from '../terminal/text-output.js';
import { fit, pad, wrapped } from '../terminal/style.js';
import type { Paint } from '../terminal/style.js';
import { thoughtOf } from './thought.js';
import type { ReplyWords } from './thought.js';

export interface LineOptions {
  readonly paint: Paint;
  readonly columns: number;
  /** Display names by agent id. */
  readonly names: Readonly<Record<string, string>>;
  /** By call; without them no thoughts are shown. */
  readonly replies?: ReadonlyMap<number, ReplyWords>;
}

/** The lines of a step; none if the world did nothing worth showing. */
export function stepLines(step: StepRecord, options: LineOptions): readonly string[] {
  const { paint, columns } = options;
  if (step.agent === WORLD_ID) {
    const events = worldEventTexts(step).join('; ');
    return events === '' ? [] : [paint('dim', `      ${fit(`world: ${events}`, columns - 6)}`)];
  }
  const turn = `T${step.turn}`.padStart(4);
  const name = lookUp(options.names, step.agent) ?? step.agent;
  const width = Math.max(...Object.values(options.names).map((one) => one.length), name.length);
  return step.acts.flatMap((act, i) => {
    const speech = speechOf(step, act);
    const lineStart =
      i === 0
        ? `${paint('dim', turn)}  ${paint('bold', pad(name, width))}  `
        : ' '.repeat(turn.length + width + 4);
    const indent = width + 8;
    const thoughts = thoughtLines(act, indent, options);
    const thought = thoughts.length === 0 ? [] : indentedAfter(lineStart, thoughts, indent);
    const actStart = thoughts.length === 0 ? lineStart : ' '.repeat(indent);
    const lines = [...thought, ...actLines(act, { ...options, lineStart: actStart, indent, speech })];
    return speech === undefined ? lines : [...lines, ...speechLines(speech, indent, options)];
  });
}

/** Maximum lines of a thought or a result; `show --step` prints all of them. */
const LINES_MAX = 3;

function thoughtLines(
  act: ActRecord,
  indent: number,
  { paint, columns, replies }: LineOptions,
): readonly string[] {
  const reply = act.call === null ? undefined : replies?.get(act.call);
  const thought = reply === undefined ? '' : thoughtOf(reply, act.reading);
  if (thought === '') return [];
  return fewLines(`Thought: ${thought}`, columns - indent).map((line) => paint(['dim', 'italic'], line));
}

function indentedAfter(
  lineStart: string,
  [first = '', ...others]: readonly string[],
  indent: number,
): readonly string[] {
  return [`${lineStart}${first}`, ...indented(others, indent)];
}

/** One safe line, wrapped into a few, the last one cut. */
function fewLines(text: string, columns: number): readonly string[] {
  const width = Math.max(12, columns);
  const lines = wrapped(oneLine(text, width * (LINES_MAX + 1)), width);
  const last = lines.slice(LINES_MAX - 1).join(' ');
  return lines.length <= LINES_MAX ? lines : [...lines.slice(0, LINES_MAX - 1), fit(last, width)];
}

function indented(lines: readonly string[], columns: number): readonly string[] {
  return lines.map((line) => ' '.repeat(columns) + line);
}

/**
 * The words of this act. Its event has them as they were heard: on one line, without invisible characters,
 * cut.
 */
export function speechOf({ agent, acts, events }: StepRecord, act: ActRecord): Event | undefined {
  const utterances = events.filter((event) => event.kind === 'said' && event.actor === agent);
  const performed = acts.filter(({ intent, result }) => intent !== null && result.ok);
  if (!performed.includes(act)) return undefined;
  // The speech of a step's only act, however the world words it.
  if (performed.length === 1) return utterances[0];
  const words = Object.values(act.intent?.args ?? {}).filter((value) => typeof value === 'string');
  return utterances.find((event) => words.some((word) => utteranceText(word) === event.data['text']));
}

/** Columns for the action, if there is room; a longer one moves the result to the right. */
const ACTION_COLUMNS = 26;
/** A reason is a few sentences, but a log may contain anything. */
const REASON_CHARACTERS = 1000;

interface ActLine extends LineOptions {
  readonly lineStart: string;
  /** The indentation of lines below the first. */
  readonly indent: number;
  /** The speech of this act, on its own line. */
  readonly speech: Event | undefined;
}

function actLines(
  act: ActRecord,
  { paint, columns, names, lineStart: leading, indent, speech }: ActLine,
): readonly string[] {
  const freeColumns = Math.max(12, columns - visibleLength(leading));
  const outcome = speech === undefined ? resultText(act) : heardText(speech, names);
  const colour = act.result.ok && act.insteadOf === null ? 'cyan' : 'yellow';
  const requested = oneLine(actText(act, speech));
  const isBeside = requested.length <= actionRoom(freeColumns, act.result.ok ? outcome.length : freeColumns);
  const width = Math.min(ACTION_COLUMNS, Math.floor(freeColumns / 2));
  const action = (isBeside ? [pad(requested, width)] : fewLines(requested, freeColumns)).map((one) =>
    paint(colour, one),
  );
  const above = isBeside ? [] : indentedAfter(leading, action, indent);
  const begin = isBeside ? `${leading}${action.join('')}  ` : ' '.repeat(indent);
  const end = { begin, freeColumns: columns - visibleLength(begin), indent, paint, columns };
  const lines = act.result.ok
    ? resultLines(outcome, end)
    : refusalLines(act.result.problem.code, reasonText(act), end);
  return [...above, ...lines];
}

/** Columns for an action next to its result: what a short result leaves, or about half. */
function actionRoom(freeColumns: number, resultLength: number): number {
  return Math.max(Math.min(46, Math.floor(freeColumns / 2)), freeColumns - 2 - resultLength);
}

/** Next to the action, or below it if there is too little room. */
const RESULT_COLUMNS_MIN = 24;

function resultLines(
  text: string,
  { begin, freeColumns, indent, paint, columns }: LineEnd,
): readonly string[] {
  const isBelow = freeColumns < RESULT_COLUMNS_MIN && oneLine(text).length > freeColumns;
  const lines = fewLines(text, isBelow ? columns - indent : freeColumns).map((line) => paint('dim', line));
  if (isBelow) return [begin.trimEnd(), ...indented(lines, indent)];
  const [first = '', ...others] = lines;
  return [`${begin}${first}`, ...indented(others, visibleLength(begin))];
}

interface LineEnd {
  /** The line up to the result. */
  readonly begin: string;
  /** The number of columns left after it. */
  readonly freeColumns: number;
  readonly indent: number;
  readonly paint: Paint;
  readonly columns: number;
}

/** A reason that would be cut is printed in full below its code. */
function refusalLines(
  code: string,
  reason: string,
  { begin, freeColumns, indent, paint, columns }: LineEnd,
): readonly string[] {
  const first = `${begin}${paint('red', fit(code, freeColumns))}`;
  const text = oneLine(reason, REASON_CHARACTERS);
  if (code.length + 1 + text.length <= freeColumns) return [`${first} ${paint('dim', text)}`];
  const below = wrapped(text, Math.max(12, columns - indent));
  return [first, ...indented(below, indent).map((each) => paint('dim', each))];
}

function reasonText({ result, insteadOf }: ActRecord): string {
  if (insteadOf?.code === UNCONTROLLED && result.ok) return '(nobody controls it)';
  const note = insteadOf === null ? '' : `instead of ${insteadOf.code}: `;
  return note + (result.ok ? result.message : describeForPeople(result.problem));
}

/** A message that begins with the call itself adds nothing, because the action is next to it. */
function resultText(act: ActRecord): string {
  const { result, intent, insteadOf } = act;
  if (!result.ok || intent === null || insteadOf !== null) return reasonText(act);
  return withoutCall(result.message, intent);
}

function withoutCall(message: string, { action, args }: Intent): string {
  let remaining = message;
  for (const value of [action, ...Object.values(args)]) {
    const spellings = [String(value), ...(typeof value === 'string' ? [quoted(value)] : [])];
    const spelling = spellings.find((way) => remaining.startsWith(`${way} `));
    if (spelling === undefined) return message;
    remaining = remaining.slice(spelling.length + 1);
  }
  return remaining;
}

/** Who heard it, by name. */
export function heardText(event: Event, names: LineOptions['names']): string {
  const hearers = event.data['hearers'];
  const list = Array.isArray(hearers) ? hearers.map((id) => lookUp(names, String(id)) ?? String(id)) : [];
  return list.length === 0 ? 'nobody heard it' : `heard by ${list.join(', ')}`;
}

/** The full speech, on separate lines. */
function speechLines(event: Event, indent: number, { paint, columns }: LineOptions): readonly string[] {
  const utterance = event.data['text'];
  const lines = wrapped(
    `“${typeof utterance === 'string' ? oneLine(utterance) : ''}”`,
    Math.max(12, columns - indent),
  );
  return lines.map((line) => `${' '.repeat(indent)}${paint('magenta', line)}`);
}

/** The world's own events, except walking, in a few words each. */
export function worldEventTexts({ events }: StepRecord): readonly string[] {
  return events.filter((event) => event.kind !== 'moved').map(worldEvent);
}

/** The event and its object's id. */
export function worldEvent(event: Event): string {
  const description = event.kind.replaceAll('-', ' ');
  return event.actor === null
    ? `${description}${objectNames(event.data)}`
    : `${event.actor} ${description}${objectNames(event.data)}`;
}

function objectNames(data: Readonly<Record<string, Json>>): string {
  const names = Object.values(data).filter((value) => typeof value === 'string');
  return names.length === 0 ? '' : ` (${names.join(', ')})`;
}

function visibleLength(text: string): number {
  return stripVTControlCharacters(terminalText(text)).length;
}

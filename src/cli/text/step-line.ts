/**
 * A step in the terminal: turn, agent, its thought, its action, the result, and speech on separate lines. `run`
 * prints it while it plays, `show` afterwards.
 */
import { stripVTControlCharacters } from 'node:util';
import { lookUp } from '../../base/look-up.js';
import { oneLine, quoted } from '../../base/text.js';
import { notesFor, stepView } from '../../replay/step-view.js';
import type { ActView, StepViewOptions } from '../../replay/step-view.js';
import type { StepRecord } from '../../trajectory/records.js';
import { UNCONTROLLED } from '../../trajectory/uncontrolled.js';
import { WORLD_ID } from '../../base/ids.js';
import { wrapped } from '../../base/wrap.js';
import { terminalText } from '../terminal/text-output.js';
import { fit, pad } from '../terminal/style.js';
import type { Paint } from '../terminal/style.js';

export interface LineOptions extends StepViewOptions {
  paint: Paint;
  columns: number;
}

/** Maximum lines of a thought or a result; `show --step` prints all of them. */
const LINES_MAX = 3;
/** Columns for the action, if there is room; a longer one moves the result to the right. */
const ACTION_COLUMNS = 26;
/** A reason is a few sentences, but a log may contain anything. */
const REASON_CHARACTERS = 1000;
/** A result has this much room next to its action; with less, it is below. */
const RESULT_COLUMNS_MIN = 24;
const TEXT_COLUMNS_MIN = 12;

/** The lines of a step; none if the world did nothing worth showing. */
export function stepLines(step: StepRecord, options: LineOptions): readonly string[] {
  const { paint, columns, names } = options;
  const { acts, notes } = stepView(step, options);
  const name = lookUp(names, step.agent) ?? step.agent;
  const width = Math.max(...Object.values(names).map((one) => one.length), name.length);
  const turn = `T${step.turn}`.padStart(4);
  const told = step.agent === WORLD_ID ? [] : acts;
  return [
    ...told.flatMap((act, i) => {
      const start =
        i === 0
          ? `${paint('dim', turn)}  ${paint('bold', pad(name, width))}  `
          : ' '.repeat(turn.length + width + 4);
      return actLines(act, start, width + 8, options);
    }),
    ...notesFor(notes, 'line').map((note) => paint('dim', `      ${fit(note, columns - 6)}`)),
  ];
}

/**
 * The thought, the action with its result, and its words. `start`: what the first line begins with; `indent`:
 * the columns before all others.
 */
function actLines(act: ActView, start: string, indent: number, options: LineOptions): readonly string[] {
  const { paint, columns, names } = options;
  const { problem, insteadOf, speech } = act;
  const margin = ' '.repeat(indent);
  const roomBelow = Math.max(TEXT_COLUMNS_MIN, columns - indent);
  const thought = act.thought === '' ? [] : fewLines(`Thought: ${act.thought}`, roomBelow);
  const outcome = speech === null ? outcomeText(act) : heardText(speech.hearers, names);

  const requested = oneLine(act.text);
  const room = Math.max(TEXT_COLUMNS_MIN, columns - visibleLength(thought.length === 0 ? start : margin));
  // Next to its result, an action has what a short result leaves, or about half.
  const actionRoom = problem === null ? room - 2 - outcome.length : -2;
  const isBeside = requested.length <= Math.max(Math.min(46, Math.floor(room / 2)), actionRoom);
  const actionColumns = Math.min(ACTION_COLUMNS, Math.floor(room / 2));
  const colour = problem === null && insteadOf === null ? 'cyan' : 'yellow';

  const above = [
    ...thought.map((line) => paint(['dim', 'italic'], line)),
    ...(isBeside ? [] : fewLines(requested, room).map((line) => paint(colour, line))),
  ];
  const beside = isBeside ? `${paint(colour, pad(requested, actionColumns))}  ` : '';
  const head = `${above.length === 0 ? start : margin}${beside}`;
  const words = speech === null ? [] : wrapped(`“${oneLine(speech.text)}”`, roomBelow);
  return [
    ...above.map((line, i) => `${i === 0 ? start : margin}${line}`),
    ...(problem === null
      ? resultLines(outcome, head, indent, options)
      : refusalLines(problem.code, outcome, head, indent, options)),
    ...words.map((line) => `${margin}${paint('magenta', line)}`),
  ];
}

/** The result next to the action, which `head` ends with, or below it if there is too little room. */
function resultLines(
  outcome: string,
  head: string,
  indent: number,
  { paint, columns }: LineOptions,
): readonly string[] {
  const left = columns - visibleLength(head);
  const isBelow = left < RESULT_COLUMNS_MIN && oneLine(outcome).length > left;
  const lines = fewLines(outcome, isBelow ? columns - indent : left).map((line) => paint('dim', line));
  const hanging = ' '.repeat(isBelow ? indent : visibleLength(head));
  return isBelow
    ? [head.trimEnd(), ...lines.map((line) => `${hanging}${line}`)]
    : lines.map((line, i) => `${i === 0 ? head : hanging}${line}`);
}

/** The code of a problem next to the action, and its reason there or, if it would be cut, in full below. */
function refusalLines(
  code: string,
  outcome: string,
  head: string,
  indent: number,
  { paint, columns }: LineOptions,
): readonly string[] {
  const left = columns - visibleLength(head);
  const reason = oneLine(outcome, REASON_CHARACTERS);
  const first = `${head}${paint('red', fit(code, left))}`;
  if (code.length + 1 + reason.length <= left) return [`${first} ${paint('dim', reason)}`];
  const below = wrapped(reason, Math.max(TEXT_COLUMNS_MIN, columns - indent));
  return [first, ...below.map((line) => paint('dim', `${' '.repeat(indent)}${line}`))];
}

/** One safe line, wrapped into a few, the last one cut. */
function fewLines(text: string, columns: number): readonly string[] {
  const width = Math.max(TEXT_COLUMNS_MIN, columns);
  const lines = wrapped(oneLine(text, width * (LINES_MAX + 1)), width);
  const last = lines.slice(LINES_MAX - 1).join(' ');
  return lines.length <= LINES_MAX ? lines : [...lines.slice(0, LINES_MAX - 1), fit(last, width)];
}

/** A message that begins with the call itself adds nothing, because the action is next to it. */
function outcomeText({ intent, message, problem, insteadOf }: ActView): string {
  if (insteadOf?.code === UNCONTROLLED && problem === null) return '(nobody controls it)';
  if (insteadOf !== null) return `instead of ${insteadOf.code}: ${message}`;
  if (problem !== null || intent === null) return message;
  let remaining = message;
  for (const value of [intent.action, ...Object.values(intent.args)]) {
    const spellings = [String(value), ...(typeof value === 'string' ? [quoted(value)] : [])];
    const spelling = spellings.find((way) => remaining.startsWith(`${way} `));
    if (spelling === undefined) return message;
    remaining = remaining.slice(spelling.length + 1);
  }
  return remaining;
}

/** Who heard an utterance, by name. */
export function heardText(hearers: readonly string[], names: LineOptions['names']): string {
  const list = hearers.map((id) => lookUp(names, id) ?? id);
  return list.length === 0 ? 'nobody heard it' : `heard by ${list.join(', ')}`;
}

function visibleLength(text: string): number {
  return stripVTControlCharacters(terminalText(text)).length;
}

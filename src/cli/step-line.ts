/**
 * A step as one line for a person: turn, agent, action, result; and what was said, set apart. In: step records, which know no
 * world. Used by `run` while it plays and by `show` afterwards.
 */
import { stripVTControlCharacters } from 'node:util';
import { oneLine } from '../base/text.js';
import type { Json } from '../base/json.js';
import type { Event, Intent } from '../environment/action.js';
import type { ActRecord, StepRecord } from '../log/records.js';
import type { Rung } from '../parse/reading.js';
import { WORLD_ID } from '../base/ids.js';
import { utteranceText } from '../speech/utterance.js';
import { fit, pad, wrapped } from './style.js';
import type { Paint } from './style.js';

export interface LineOptions {
  readonly paint: Paint;
  readonly columns: number;
  /** Display names by agent id. */
  readonly names: Readonly<Record<string, string>>;
}

/** The lines of a step; none where the world did nothing worth telling. */
export function stepLines(step: StepRecord, options: LineOptions): readonly string[] {
  return step.agent === WORLD_ID ? worldLines(step, options) : agentLines(step, options);
}

function agentLines(step: StepRecord, options: LineOptions): readonly string[] {
  const name = options.names[step.agent] ?? step.agent;
  const width = Math.max(...Object.values(options.names).map((one) => one.length), name.length);
  return step.acts.flatMap((act, i) => {
    const speech = speechOf(step, act);
    const leading = lead(step, i, pad(name, width), options);
    const lines = actLines(act, { ...options, lead: leading, indent: width + 8, speech });
    return speech === undefined ? lines : [...lines, ...speechLines(speech, width + 8, options)];
  });
}

/** What this act said. Its event holds the words as they were heard: on one line, without what can't be seen, cut. */
export function speechOf({ agent, acts, events }: StepRecord, act: ActRecord): Event | undefined {
  const said = events.filter((event) => event.kind === 'said' && event.actor === agent);
  const done = acts.filter(({ intent, result }) => intent !== null && result.ok);
  if (!done.includes(act)) return undefined;
  // A step's only deed said whatever was said in it, however its world words it.
  return done.length === 1 ? said[0] : said.find((event) => saidBy(act, event));
}

function saidBy({ intent }: ActRecord, event: Event): boolean {
  const words = Object.values(intent?.args ?? {}).filter((value) => typeof value === 'string');
  return words.some((word) => utteranceText(word) === event.data['text']);
}

function lead(step: StepRecord, index: number, name: string, { paint }: LineOptions): string {
  const turn = `T${step.turn}`.padStart(4);
  if (index === 0) return `${paint('dim', turn)}  ${paint('bold', name)}  `;
  return ' '.repeat(turn.length + name.length + 4);
}

/** Columns of the action, where there is room; longer ones push the result to the right. */
const ACTION_COLUMNS = 26;
/** A reason is a few sentences; a log may hold anything. */
const REASON_CHARACTERS = 1000;

interface ActLine extends LineOptions {
  readonly lead: string;
  /** Where lines below the first begin. */
  readonly indent: number;
  /** What was said by this act; it stands on a line of its own. */
  readonly speech: Event | undefined;
}

function actLines(
  act: ActRecord,
  { paint, columns, names, lead: leading, indent, speech }: ActLine,
): readonly string[] {
  const room = Math.max(12, columns - visibleLength(leading));
  const asked = askedText(act, speech);
  const action = pad(
    fit(asked, Math.min(46, Math.floor(room / 2))),
    Math.min(ACTION_COLUMNS, Math.floor(room / 2)),
  );
  const colour = act.result.ok && act.insteadOf === null ? 'cyan' : 'yellow';
  const begin = `${leading}${paint(colour, action)}  `;
  const left = room - action.length - 2;
  if (!act.result.ok)
    return refusalLines(act.result.problem.code, reasonText(act), { begin, left, indent, paint, columns });
  const rest = fit(speech === undefined ? reasonText(act) : heardText(speech, names), left);
  return [`${begin}${paint('dim', rest)}`];
}

/** A reason that would be cut stands whole below its code. */
function refusalLines(
  code: string,
  reason: string,
  line: {
    readonly begin: string;
    readonly left: number;
    readonly indent: number;
    readonly paint: Paint;
    readonly columns: number;
  },
): readonly string[] {
  const { begin, left, indent, paint, columns } = line;
  const first = `${begin}${paint('red', fit(code, left))}`;
  const told = oneLine(reason, REASON_CHARACTERS);
  if (code.length + 1 + told.length <= left) return [`${first} ${paint('dim', told)}`];
  const below = wrapped(told, Math.max(12, columns - indent));
  return [first, ...below.map((each) => `${' '.repeat(indent)}${paint('dim', each)}`)];
}

/** Rungs that read objects and calls, which are written for programs. */
const OBJECT_RUNGS: ReadonlySet<Rung> = new Set(['json', 'react', 'tool-call']);

/** The command as the agent put it in words; as it could be said where the answer was an object or none. */
export function askedText({ intent, reading }: ActRecord, speech: Event | undefined): string {
  if (speech !== undefined && intent !== null) return intent.action;
  if (reading?.ok === true && !OBJECT_RUNGS.has(reading.rung)) return reading.words;
  return intent === null ? '(no action)' : phrase(intent);
}

function reasonText({ result, insteadOf }: ActRecord): string {
  const note = insteadOf === null ? '' : `instead of ${insteadOf.code}: `;
  return note + (result.ok ? result.message : result.problem.message);
}

/** Who heard it, by name. */
export function heardText(event: Event, names: LineOptions['names']): string {
  const hearers = event.data['hearers'];
  const list = Array.isArray(hearers) ? hearers.map((id) => names[String(id)] ?? String(id)) : [];
  return list.length === 0 ? 'nobody heard it' : `heard by ${list.join(', ')}`;
}

/** What was said, whole, on lines of its own. */
function speechLines(event: Event, indent: number, { paint, columns }: LineOptions): readonly string[] {
  const said = event.data['text'];
  const lines = wrapped(`“${typeof said === 'string' ? oneLine(said) : ''}”`, Math.max(12, columns - indent));
  return lines.map((line) => `${' '.repeat(indent)}${paint('magenta', line)}`);
}

function worldLines(step: StepRecord, { paint, columns }: LineOptions): readonly string[] {
  const told = step.events.filter((event) => event.kind !== 'moved').map(worldEvent);
  return told.length === 0 ? [] : [paint('dim', `      ${fit(`world: ${told.join('; ')}`, columns - 6)}`)];
}

/** What happened, and to what, by id. */
export function worldEvent(event: Event): string {
  const what = event.kind.replaceAll('-', ' ');
  return event.actor === null
    ? `${what}${subject(event.data)}`
    : `${event.actor} ${what}${subject(event.data)}`;
}

function subject(data: Readonly<Record<string, Json>>): string {
  const names = Object.values(data).filter((value) => typeof value === 'string');
  return names.length === 0 ? '' : ` (${names.join(', ')})`;
}

/** An intent as it could be said: `TAKE brass-key`, `SPEAK "The red one."`. */
export function phrase(intent: Intent): string {
  const args = Object.values(intent.args).map((value) =>
    typeof value === 'string' && /[^a-z0-9_-]/.test(value) ? JSON.stringify(value) : String(value),
  );
  return [intent.action, ...args].join(' ');
}

function visibleLength(text: string): number {
  return stripVTControlCharacters(text).length;
}

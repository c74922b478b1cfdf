/**
 * A step as one line for a person: turn, agent, action, result; and what was said, set apart. In: step records, which know no
 * world. Used by `run` while it plays and by `show` afterwards.
 */
import { stripVTControlCharacters } from 'node:util';
import type { Json } from '../base/json.js';
import type { Event, Intent } from '../environment/action.js';
import type { ActRecord, StepRecord } from '../log/records.js';
import { WORLD_ACTOR } from '../log/records.js';
import { fit, pad } from './style.js';
import type { Paint } from './style.js';

export interface LineOptions {
  readonly paint: Paint;
  readonly columns: number;
  /** Display names by agent id. */
  readonly names: Readonly<Record<string, string>>;
}

/** The lines of a step; none where the world did nothing worth telling. */
export function stepLines(step: StepRecord, options: LineOptions): readonly string[] {
  return step.agent === WORLD_ACTOR ? worldLines(step, options) : agentLines(step, options);
}

function agentLines(step: StepRecord, options: LineOptions): readonly string[] {
  const name = options.names[step.agent] ?? step.agent;
  const width = Math.max(...Object.values(options.names).map((one) => one.length), name.length);
  return [
    ...step.acts.map((act, i) =>
      actLine(act, { ...options, lead: lead(step, i, pad(name, width), options) }),
    ),
    ...step.events.flatMap((event) => speechLine(event, width, options)),
  ];
}

function lead(step: StepRecord, index: number, name: string, { paint }: LineOptions): string {
  const turn = `T${step.turn}`.padStart(4);
  if (index === 0) return `${paint('dim', turn)}  ${paint('bold', name)}  `;
  return ' '.repeat(turn.length + name.length + 4);
}

function actLine(act: ActRecord, options: LineOptions & { readonly lead: string }): string {
  const { paint } = options;
  const asked = spoken(act);
  const said = act.result.ok ? act.result.message : act.result.problem.message;
  const note = act.insteadOf === null ? '' : `instead of ${act.insteadOf.code}: `;
  const room = Math.max(30, options.columns - visibleLength(options.lead) - 30);
  const head = paint(act.result.ok && act.insteadOf === null ? 'cyan' : 'yellow', pad(fit(asked, 46), 26));
  const mark = act.result.ok ? '' : `${paint('red', act.result.problem.code)} `;
  return `${options.lead}${head}  ${mark}${paint('dim', fit(note + said, room))}`;
}

/** The command as the agent put it; as it could be said where the agent gave none. */
function spoken({ reading, intent }: ActRecord): string {
  if (reading?.ok === true) return reading.words;
  return intent === null ? '(no action)' : phrase(intent);
}

function speechLine(event: Event, width: number, { paint, columns, names }: LineOptions): readonly string[] {
  const text = event.data['text'];
  if (event.kind !== 'said' || typeof text !== 'string') return [];
  const hearers = event.data['hearers'];
  const list = Array.isArray(hearers) ? hearers.map((id) => names[String(id)] ?? String(id)) : [];
  const heard = list.length === 0 ? 'nobody heard it' : `heard by ${list.join(', ')}`;
  const indent = ' '.repeat(width + 8);
  return [
    `${indent}${paint('magenta', `“${fit(text, Math.max(30, columns - width - 40))}”`)} ${paint('dim', heard)}`,
  ];
}

function worldLines(step: StepRecord, { paint, columns }: LineOptions): readonly string[] {
  const told = step.events.filter((event) => event.kind !== 'moved').map(worldEvent);
  return told.length === 0 ? [] : [paint('dim', fit(`      world: ${told.join('; ')}`, columns))];
}

function worldEvent(event: Event): string {
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

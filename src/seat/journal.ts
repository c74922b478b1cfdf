/** The journal, line by line, from one observation to the next. */
import type { Observation } from '../serve/gen/orchestrate/world/v1/world_pb.js';
import type { JournalLine } from './state.js';

/** Maximum number of lines; older ones are in the log. */
const KEPT = 200;

/**
 * The lines of a new tick: the result of the last action, what was seen and what was heard. A further attempt
 * adds nothing new.
 */
export function newLines({ tick, facts, events }: Observation): readonly JournalLine[] {
  const previousTick = Number(tick) - 1;
  const resultLines: readonly JournalLine[] =
    facts === undefined || facts.last === ''
      ? []
      : [{ tick: previousTick, kind: facts.lastOk ? 'did' : 'refused', speaker: '', text: facts.last }];
  const perceivedLines = events.flatMap(({ tick: at, event }): readonly JournalLine[] => {
    if (event.case === 'heard')
      return [{ tick: Number(at), kind: 'heard', speaker: event.value.name, text: event.value.text }];
    return event.case === 'noticed'
      ? [{ tick: Number(at), kind: 'noticed', speaker: '', text: event.value.line }]
      : [];
  });
  return [...resultLines, ...perceivedLines];
}

/**
 * The output of a free action, such as the text that was read: the lines that were not there before. Null: the
 * page was loaded again, and its journal has them.
 */
export function freshLines({ tick, text }: Observation, before: Observation | null): readonly JournalLine[] {
  if (before === null) return [];
  const earlierLines = new Set(before.text.flatMap(({ lines }) => lines));
  return text
    .flatMap(({ lines }) => lines)
    .filter((line) => !earlierLines.has(line))
    .map((line) => ({ tick: Number(tick), kind: 'did', speaker: '', text: line }));
}

export function withLines(
  journal: readonly JournalLine[],
  lines: readonly JournalLine[],
): readonly JournalLine[] {
  return [...journal, ...lines].slice(-KEPT);
}

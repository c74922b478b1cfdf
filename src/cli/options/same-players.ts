/**
 * Checks that a resumed run has the same players: an agent with another controller, or the same model with
 * other settings, is refused unless the user confirms it.
 */
import { differences } from '../../base/differences.js';
import { UsageError } from '../../base/errors.js';
import type { Json, JsonObject } from '../../base/json.js';
import { lookUp } from '../../base/look-up.js';
import { decidersAt } from '../../trajectory/player-names.js';
import type { LogReader } from '../../log/reader.js';
import type { RunRecord } from '../../trajectory/records.js';
import type { SeatChoices } from './own-seats.js';

/** The player options of the command line. */
export interface ResumePlayerOptions extends SeatChoices {
  recording: string | undefined;
  programs: readonly { agent: string }[];
  guided?: string | undefined;
}

/** By agent, the player in the session that played the step, or that would play it. */
export function playersAt(reader: LogReader, run: RunRecord, step: number): RunRecord['controllers'] {
  return decidersAt(reader.sessions(run.runId), step);
}

/**
 * Throws UsageError if an agent would be played differently than before and the user has not confirmed it.
 * `alternative`: the other options with which the run continues, if a player can't be restored.
 */
export function requireSamePlayers(
  {
    run,
    newRecord,
    previousPlayers,
    alternative,
  }: {
    run: RunRecord;
    newRecord: RunRecord;
    previousPlayers: RunRecord['controllers'];
    alternative?: string | undefined;
  },
  options: ResumePlayerOptions,
): void {
  const { controller, recording, model, baseUrl, human, programs } = options;
  const isChosenForAll = (controller ?? recording ?? model ?? baseUrl) !== undefined;
  for (const { id } of run.scenario.agents) {
    const [before, now] = [lookUp(previousPlayers, id) ?? null, lookUp(newRecord.controllers, id) ?? null];
    if (options.protocol === undefined) requireSame(id, before, now, ['protocol']);
    requireSame(id, before, now, ['memory']);
    if (isChosenForAll || human.includes(id) || programs.some((one) => one.agent === id)) continue;
    requireName(id, [before, now], alternative);
    // Settings that the log of an earlier version lacks are not compared.
    const hasSettings = fieldOf(before, 'settings') !== undefined;
    const isChanged =
      options.guided !== undefined || differences(modelOf(run, id), modelOf(newRecord, id)).length > 0;
    if (!isChanged) requireSame(id, before, now, ['model', ...(hasSettings ? ['settings', 'guided'] : [])]);
  }
}

function requireName(
  id: string,
  [before, now]: readonly [Json, Json],
  alternative: string | undefined,
): void {
  const name = fieldOf(before, 'name');
  if (typeof name !== 'string' || name === fieldOf(now, 'name')) return;
  throw new UsageError(`${id} was played by ${name}, which can't be restored from the log`, [
    ...(alternative === undefined ? [] : [alternative]),
    'specify a controller with --controller, --human, --process or --model, or load the module that defines it with --modules',
  ]);
}

function requireSame(id: string, before: Json, now: Json, fields: readonly string[]): void {
  const of = (record: Json): Json =>
    Object.fromEntries(fields.map((field) => [field, fieldOf(record, field) ?? null]));
  const [first] = differences(of(before), of(now));
  if (first === undefined) return;
  const valueText = (value: Json | undefined): string => (value == null ? 'none' : JSON.stringify(value));
  throw new UsageError(
    `${id} was played with ${first.path.join('.')} ${valueText(first.before)}, and would now be played with ${valueText(first.after)}`,
    ['confirm the change with --model, --base-url or --guided; load your own module with --modules'],
  );
}

/** The scenario's settings for an agent's model, which a fork may have changed. */
function modelOf({ scenario }: RunRecord, id: string): Json {
  const controller = scenario.agents.find((agent) => agent.id === id)?.controller;
  return controller?.kind === 'model' ? ((lookUp(scenario.models, controller.model) ?? null) as Json) : null;
}

function fieldOf(record: Json, field: string): Json | undefined {
  return typeof record === 'object' && record !== null && !Array.isArray(record)
    ? lookUp(record as JsonObject, field)
    : undefined;
}

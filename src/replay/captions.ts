/** The words below a film's picture: what each agent did and what came of it, and how the run ended. */
import { WORLD_ID } from '../base/ids.js';
import { oneLine } from '../base/text.js';
import type { LogReader } from '../log/reader.js';
import type { RunRecord, StepRecord } from '../trajectory/records.js';
import type { Scenario } from '../scenario/scenario.js';
import type { StepsOfTick } from './ticks.js';

/** Of agents that are shown; of a film with the whole map, of all. */
export function captionsOf(
  tick: StepsOfTick,
  scenario: Scenario,
  viewers: readonly (string | null)[],
): readonly string[] {
  const shown = tick.filter(({ agent }) => viewers.includes(null) || viewers.includes(agent));
  const [first] = tick;
  if (first.agent === WORLD_ID) return [`Turn ${first.turn}, step ${first.step}`];
  const lines = shown.flatMap((record) => stepLines(record, scenario, shown.length === 1));
  return tick.length === 1
    ? [`Turn ${first.turn}, step ${first.step}`, ...lines]
    : [`Turn ${first.turn}`, ...lines];
}

function stepLines({ agent, acts }: StepRecord, { agents }: Scenario, isAlone: boolean): readonly string[] {
  const name = agents.find(({ id }) => id === agent)?.name ?? agent;
  const act = acts.at(-1);
  if (act === undefined) return [];
  const asked = act.reading?.ok === true ? act.reading.words : (act.intent?.action ?? 'nothing');
  const came = act.result.ok ? act.result.message : act.result.problem.message;
  const head = oneLine(`${name}: ${asked}`);
  return isAlone ? [head, oneLine(came)] : [act.result.ok ? head : `${head} - ${oneLine(came)}`];
}

/** Nothing where the film stops before the run's end. */
export function endCaption(reader: LogReader, run: RunRecord, to: number): readonly string[] {
  const end = reader.end(run.runId);
  return end === null || end.steps > to ? [] : [run.scenario.title, `${end.status}: ${oneLine(end.reason)}`];
}

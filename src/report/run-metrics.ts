/**
 * The figures of one logged run: how it ended, its replies, its speech, its costs. All other files of
 * `report` work on lists of these and read no log. Figures that were counted during play are stored in the
 * log (`log/kept-figures.ts`); without them, the steps are read.
 */
import { compareText } from '../base/ids.js';
import { lookUp } from '../base/look-up.js';
import { rounded6 } from '../base/rounded.js';
import { readFigures } from '../log/read-figures.js';
import type { LogReader } from '../log/reader.js';
import { sumCounts } from '../trajectory/agent-figures.js';
import type { AgentCounts } from '../trajectory/agent-figures.js';
import { costOfTokens, priceOf } from '../trajectory/cost.js';
import type { Cost } from '../trajectory/cost.js';
import { originOf } from '../log/provenance.js';
import type { RunOrigin } from '../log/provenance.js';
import { namesIn } from '../trajectory/player-names.js';
import type { RunNames } from '../trajectory/player-names.js';
import { playedCall, RunFiguresSum } from '../trajectory/run-figures.js';
import type { RunFigures } from '../trajectory/run-figures.js';
import type { LoggedCall, RunRecord, RunStatus, SessionRecord } from '../trajectory/records.js';
import type { Drawn, Scenario } from '../scenario/scenario.js';

/** The figures of one agent, with its cost. */
export type AgentFigures = AgentCounts & Cost;

export interface RunMetrics extends Omit<RunFigures, 'answered' | 'agents'> {
  /** As given on the command line. */
  log: string;
  run: string;
  /** The scenario's name. */
  scenario: string;
  seed: string;
  /** What the seed drew, by name; null for a scenario without draws. */
  drawn: Drawn | null;
  /**
   * The players, by their names in the batch, otherwise by their models, otherwise by their controllers
   * (`trajectory/player-names.ts`); sorted, without duplicates, joined by ` + `.
   */
  players: string;
  names: RunNames;
  /**
   * What distinguishes it from other runs of the same scenario and players, as `key=value`; '' for nothing.
   */
  settings: string;
  status: RunStatus;
  /** The reason why it ended, in the log's words; '' while it is in progress. */
  reason: string;
  /**
   * The temperatures of the models that its agents ask, as set in the scenario, without duplicates: "0", "0,
   * 0.7"; '' if no model is asked.
   */
  temperature: string;
  /**
   * As counted by servers; four characters count as one if a server reports none. Built-in players use none.
   */
  promptTokens: number;
  replyTokens: number;
  /** In the currency of the scenario's prices. */
  cost: number;
  /** Questions with a known answer that agents were asked, and how many they answered correctly. */
  probes: number;
  probesRight: number;
  /**
   * Turns lost per step of its players, over the steps whose cost is known, exactly or as an estimate; a step
   * that made success impossible lost the turns that were left. Null if none is known, nothing counts as
   * success, or the costs were not searched.
   */
  regret: number | null;
  /** The mean reward of its agents; null if the scenario has no rewards. */
  return: number | null;
  /** The figures of each agent, by id. */
  agents: readonly AgentFigures[];
  /** The time in milliseconds since 1970. */
  startedAt: number;
  origin: RunOrigin;
  /** The time played, without the time between sessions; null if no step was finished. */
  seconds: number | null;
}

/** Where a run's figures come from: stored with its end, or counted from the steps. */
export type FiguresOf = (reader: LogReader, run: RunRecord) => RunFigures;

const STORED_OR_COUNTED: FiguresOf = (reader, run) =>
  reader.keptFigures(run.runId) ?? readFigures(reader, run);

/** Throws StorageError if the log is damaged. */
export function runFigures(
  reader: LogReader,
  run: RunRecord,
  log: string,
  figuresOf: FiguresOf = STORED_OR_COUNTED,
): Omit<RunMetrics, 'settings' | 'regret'> {
  const { runId, scenario } = run;
  const end = reader.ending(runId);
  const sessions = reader.sessions(runId);
  const played = withSideQuestions(figuresOf(reader, run), reader.asides(runId), { scenario, sessions });
  const { answered, agents: counts, ...figures } = played;
  const agents = counts.map((one) => withCost(one, scenario));
  const names = namesIn(sessions, { answered, leases: reader.leases(runId) });
  return {
    ...figures,
    ...totalsOf(agents, scenario),
    agents,
    players: names.players.join(' + ') || 'nobody',
    names,
    log,
    run: runId,
    scenario: scenario.name,
    seed: run.seed,
    drawn: scenario.draw?.drawn ?? null,
    status: end?.status ?? 'running',
    reason: end?.reason ?? '',
    temperature: temperatureIn(run),
    startedAt: run.startedAt,
    origin: originOf(run, sessions, () => reader.answeringModels(runId)),
    seconds: figures.trajectory === null ? null : playedMs(sessions) / 1000,
  };
}

/** Includes reflections and interviews: they come after the end, but cost tokens too. */
function withSideQuestions(
  figures: RunFigures,
  sideQuestions: readonly LoggedCall[],
  run: ConstructorParameters<typeof RunFiguresSum>[0],
): RunFigures {
  if (sideQuestions.length === 0) return figures;
  const sum = new RunFiguresSum(run);
  for (const { request, end } of sideQuestions)
    sum.addOutsideCall(
      playedCall(request, end?.kind === 'replied' ? end.reply : null, () => request.messages),
    );
  const extra = sum.figures();
  return {
    ...figures,
    unknownUsage: figures.unknownUsage + extra.unknownUsage,
    cachedTokens: figures.cachedTokens + extra.cachedTokens,
    cacheToldTokens: figures.cacheToldTokens + extra.cacheToldTokens,
    answered: [...figures.answered, ...extra.answered],
    agents: sumCounts([figures.agents, extra.agents]),
  };
}

function withCost(counts: AgentCounts, scenario: Scenario): AgentFigures {
  const spec = scenario.agents.find(({ id }) => id === counts.agent);
  const price = spec === undefined ? null : priceOf(scenario, spec);
  const { cost } =
    price === null ? { cost: 0 } : costOfTokens(counts.promptTokens, counts.replyTokens, price);
  return { ...counts, cost };
}

function totalsOf(agents: readonly AgentFigures[], { rewards, agents: specs }: Scenario) {
  const sum = (of: (one: AgentFigures) => number): number =>
    agents.reduce((total, one) => total + of(one), 0);
  return {
    promptTokens: sum((one) => one.promptTokens),
    replyTokens: sum((one) => one.replyTokens),
    cost: sum((one) => one.cost),
    return: rewards === undefined ? null : rounded6(sum((one) => one.reward) / specs.length),
    probes: sum((one) => one.probes),
    probesRight: sum((one) => one.probesRight),
  };
}

function temperatureIn({ scenario: { agents, models } }: RunRecord): string {
  const temperatures = agents.flatMap(({ controller, part }) =>
    controller.kind === 'model' && part !== 'world'
      ? (lookUp(models, controller.model)?.temperature ?? [])
      : [],
  );
  return [...new Set(temperatures)].toSorted(compareText).join(', ');
}

/** A session without an end lasted until its last step. */
function playedMs(sessions: readonly SessionRecord[]): number {
  return sessions.reduce((sum, { startedAt, endedAt, lastStepAt }) => {
    return sum + Math.max(0, (endedAt ?? lastStepAt ?? startedAt) - startedAt);
  }, 0);
}

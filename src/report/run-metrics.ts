/**
 * One logged run in figures: how it ended, what its replies came to, what was said and heard, what it cost. In goes a reader and a run,
 * out comes one flat readonly record; all other files of `report` work on lists of these and reads no log.
 */
import { canonicalJson, hashJson } from '../base/canonical.js';
import { WORLD_ID, compareText } from '../base/ids.js';
import type { Json } from '../base/json.js';
import { lookUp } from '../base/look-up.js';
import { rounded6 } from '../base/rounded.js';
import type { LogReader } from '../log/reader.js';
import { callPlayer, runPlayers } from '../trajectory/player-names.js';
import type { CallOutline, RunRecord, RunStatus, SessionRecord, StepRecord } from '../trajectory/records.js';
import type { Reply } from '../model/chat.js';
import { priceOf, withCall } from '../trajectory/cost.js';
import { TickSums } from '../trajectory/tick-sums.js';
import type { TickFigures } from '../trajectory/tick-sums.js';
import { isUncontrolled } from '../trajectory/uncontrolled.js';
import type { Scenario } from '../scenario/scenario.js';
import { AgentSums } from './agent-figures.js';
import type { AgentFigures } from './agent-figures.js';

/** How often something of a kind happened, by its word. */
export type NamedCounts = Readonly<Record<string, number>>;

export interface RunMetrics extends TickFigures {
  /** As it was named on the command line. */
  readonly log: string;
  readonly run: string;
  /** The scenario's name. */
  readonly scenario: string;
  readonly seed: string;
  /** Who decided, by their names in the batch, else their models, else controllers (`trajectory/player-names.ts`); sorted, each once, joined by ` + `. */
  readonly players: string;
  /**
   * What distinguishes it from other runs of the same scenario and players, as `key=value`; '' for nothing.
   */
  readonly settings: string;
  readonly status: RunStatus;
  /** Why it ended, in the log's words; '' while it is in progress. */
  readonly reason: string;
  /**
   * Over the actions of its agents and its world, step by step, whatever the seed: two runs with the same
   * hash went the same way. Null before the first step.
   */
  readonly trajectory: string | null;
  /** Of the models that its agents ask, as the scenario says it, each once: "0", "0, 0.7"; '' where no model is asked. */
  readonly temperature: string;
  readonly turns: number;
  /** Of agents that somebody controlled; the world's own are not counted. */
  readonly steps: number;
  /** Calls that asked for an action, repairs among them. */
  readonly replies: number;
  /** Discarded speculative calls; their cost is counted with the rest. */
  readonly wasted: number;
  /** Steps whose first reply was understood and accepted. */
  readonly firstTries: number;
  /** Replies in which no action could be understood, by problem code. */
  readonly unread: NamedCounts;
  /** Actions that were understood and refused, by problem code. */
  readonly refused: NamedCounts;
  /** Steps with a forced wait, because no attempt succeeded. */
  readonly standIns: number;
  /** Steps of agents that nobody controlled. */
  readonly uncontrolled: number;
  /** Steps whose action and arguments are those of the same agent's step before. */
  readonly repeated: number;
  readonly said: number;
  /** Of those, how many reached no one. */
  readonly unheard: number;
  /**
   * As servers counted them; four characters count as one if a server reports none. Embedded controllers use
   * none.
   */
  readonly promptTokens: number;
  readonly replyTokens: number;
  /** Prompt tokens that the server had cached; 0 if it reports none. */
  readonly cachedTokens: number;
  /** Prompt tokens of the calls whose server reported how many of them it had cached. */
  readonly cacheToldTokens: number;
  /** In the currency of the scenario's prices. */
  readonly cost: number;
  /** Questions with a known answer that agents were asked, and how many they answered rightly. */
  readonly probes: number;
  readonly probesRight: number;
  /** What its agents were paid, on average; null where the scenario has no rewards. */
  readonly return: number | null;
  /** What each agent came to, by id. */
  readonly agents: readonly AgentFigures[];
  /** The time in milliseconds since 1970. */
  readonly startedAt: number;
  /** Played, without the time between sessions; null where no step was finished. */
  readonly seconds: number | null;
}

/** Throws StorageError where the log is damaged. */
export function runFigures(reader: LogReader, runId: string, log: string): Omit<RunMetrics, 'settings'> {
  const run = reader.run(runId);
  const end = reader.ending(runId);
  const sessions = reader.sessions(runId);
  const sum = new MetricsSum(run, sessions);
  // An early call may have been made for what became the world's step, or for a step that was never played.
  const isAhead = run.scenario.turns.speculate != null;
  let last: StepRecord | null = null;
  for (const step of reader.steps(runId)) {
    const isWorlds = step.agent === WORLD_ID && !isAhead;
    sum.add(step, isWorlds ? [] : reader.outlines(runId, step.step));
    last = step;
  }
  for (const step of isAhead ? stepsBehind(last, run) : []) sum.waste(reader.outlines(runId, step));
  for (const probe of reader.probes(runId)) sum.agents.probe(probe);
  const figures = sum.figures();
  return {
    ...figures,
    players: runPlayers(sessions, { answered: sum.answered, leases: reader.leases(runId) }) || 'nobody',
    log,
    run: runId,
    scenario: run.scenario.name,
    seed: run.seed,
    status: end?.status ?? 'running',
    reason: end?.reason ?? '',
    temperature: temperatureIn(run),
    startedAt: run.startedAt,
    seconds: last === null ? null : playedMs(sessions, last.finishedAt) / 1000,
  };
}

function temperatureIn({ scenario: { agents, models } }: RunRecord): string {
  const asked = agents.flatMap(({ controller }) =>
    controller.kind === 'model' ? (lookUp(models, controller.model)?.temperature ?? []) : [],
  );
  return [...new Set(asked)].toSorted(compareText).join(', ');
}

function stepsBehind(last: StepRecord | null, { scenario }: RunRecord): readonly number[] {
  return scenario.agents.map((_, i) => (last?.step ?? 0) + 1 + i);
}

/** A session without an end lasted until its last step. */
function playedMs(sessions: readonly SessionRecord[], lastFinished: number): number {
  return sessions.reduce((sum, { startedAt, endedAt }, i) => {
    const until = endedAt ?? Math.min(lastFinished, sessions[i + 1]?.startedAt ?? lastFinished);
    return sum + Math.max(0, until - startedAt);
  }, 0);
}

/** A live sum: steps go in one by one. */
class MetricsSum {
  readonly #scenario: Scenario;
  readonly #sessions: readonly SessionRecord[];
  /** Players of calls that were answered. */
  readonly answered = new Set<string>();
  readonly #last = new Map<string, string>();
  readonly #unread = new Map<string, number>();
  readonly #refused = new Map<string, number>();
  #counts = {
    turns: 0,
    steps: 0,
    replies: 0,
    wasted: 0,
    firstTries: 0,
    standIns: 0,
    uncontrolled: 0,
    repeated: 0,
    said: 0,
    unheard: 0,
  };
  #trajectory = '';
  readonly #ticks = new TickSums();
  readonly agents = new AgentSums();
  #cached: Pick<RunMetrics, 'cachedTokens' | 'cacheToldTokens'> = { cachedTokens: 0, cacheToldTokens: 0 };

  constructor(run: RunRecord, sessions: readonly SessionRecord[]) {
    this.#scenario = run.scenario;
    this.#sessions = sessions;
  }

  add(step: StepRecord, calls: readonly CallOutline[]): void {
    this.#trajectory = hashJson('orchestrate-trajectory-v1', [this.#trajectory, doneIn(step)]);
    this.#speech(step);
    this.agents.rewards(step);
    this.#ticks.add(step);
    this.waste(calls);
    if (step.agent === WORLD_ID) return;
    const counts = this.#counts;
    counts.turns = step.turn;
    this.agents.step(step);
    if (isUncontrolled(step)) {
      counts.uncontrolled += 1;
      return;
    }
    counts.steps += 1;
    this.#acts(step);
    for (const call of calls) {
      if (call.end?.kind !== 'replied' || isWasted(call)) continue;
      this.answered.add(
        callPlayer(this.#sessions, { agent: call.agent, controller: call.controller, step: step.step }),
      );
      if (call.purpose === 'act' || call.purpose === 'repair') counts.replies += 1;
      this.#spend(call, call.end.reply);
    }
  }

  /** The discarded speculative calls among a step's calls. */
  waste(calls: readonly CallOutline[]): void {
    for (const call of calls.filter(isWasted)) {
      this.#counts.wasted += 1;
      if (call.end?.kind === 'replied') this.#spend(call, call.end.reply);
    }
  }

  #spend(call: CallOutline, reply: Reply): void {
    const { cachedTokens, promptTokens } = reply.usage;
    if (cachedTokens !== null && promptTokens !== null)
      this.#cached = {
        cachedTokens: this.#cached.cachedTokens + cachedTokens,
        cacheToldTokens: this.#cached.cacheToldTokens + promptTokens,
      };
    const price = this.#priceOf(call.agent);
    if (price === null) return;
    this.agents.spent(call.agent, (before) => withCall(before, call.request(), reply, price));
  }

  figures() {
    const agents = this.agents.figures();
    const all = (of: (one: AgentFigures) => number): number => agents.reduce((sum, one) => sum + of(one), 0);
    return {
      ...this.#counts,
      ...this.#ticks.figures(),
      trajectory: this.#trajectory === '' ? null : this.#trajectory,
      unread: sorted(this.#unread),
      refused: sorted(this.#refused),
      promptTokens: all((one) => one.promptTokens),
      replyTokens: all((one) => one.replyTokens),
      ...this.#cached,
      cost: all((one) => one.cost),
      return:
        this.#scenario.rewards === undefined
          ? null
          : rounded6(all((one) => one.reward) / this.#scenario.agents.length),
      probes: all((one) => one.probes),
      probesRight: all((one) => one.probesRight),
      agents,
    };
  }

  #priceOf(agent: string) {
    const spec = this.#scenario.agents.find(({ id }) => id === agent);
    return spec === undefined ? null : priceOf(this.#scenario, spec);
  }

  #acts({ agent, acts }: StepRecord): void {
    const counts = this.#counts;
    for (const { intent, result, insteadOf } of acts) {
      if (insteadOf !== null) counts.standIns += 1;
      else if (!result.ok) count(intent === null ? this.#unread : this.#refused, result.problem.code);
    }
    const [first] = acts;
    if (first?.result.ok === true && first.insteadOf === null) counts.firstTries += 1;
    const { intent } = acts.at(-1) ?? { intent: null };
    const key = intent === null ? '' : canonicalJson([intent.action, intent.args]);
    if (key !== '' && this.#last.get(agent) === key) counts.repeated += 1;
    this.#last.set(agent, key);
  }

  #speech({ events }: StepRecord): void {
    for (const { kind, actor, seenBy } of events) {
      if (kind !== SAID || actor === null) continue;
      this.#counts.said += 1;
      if (seenBy.every((agent) => agent === actor)) this.#counts.unheard += 1;
    }
  }
}

/**
 * What a step did, without what follows only from the seed: unused random streams, and the words of refusals.
 */
function doneIn({ agent, acts, events }: StepRecord): Json {
  const done = acts.map(({ intent, result }) => [
    intent === null ? null : [intent.action, intent.args],
    result.ok ? [result.message, result.path] : result.problem.code,
  ]);
  return [agent, done, events] as unknown as Json;
}

function isWasted({ purpose }: CallOutline): boolean {
  return purpose === 'speculation';
}

/** The event of an utterance, in every world that has speech. */
const SAID = 'said';

function count(counts: Map<string, number>, code: string): void {
  counts.set(code, (counts.get(code) ?? 0) + 1);
}

function sorted(counts: ReadonlyMap<string, number>): NamedCounts {
  return Object.fromEntries([...counts].toSorted(([a], [b]) => compareText(a, b)));
}

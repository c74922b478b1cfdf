/**
 * The figures of a run, counted during play or from its log: acts, refusals, speech, tokens, and one hash of
 * its course. Steps come in order, calls in any; the log stores the figures with the run's end
 * (`log/kept-figures.ts`). They leave out what the log has elsewhere: the outcome, the times, the prices, and
 * questions after the end.
 */
import { canonicalJson, hashJson } from '../base/canonical.js';
import { WORLD_ID, compareText } from '../base/ids.js';
import { isUnanswered } from '../base/problem.js';
import type { ProblemCode } from '../base/problem.js';
import type { Json } from '../base/json.js';
import type { Intent } from '../environment/action.js';
import { SAID } from '../environment/spoken.js';
import { SERVER_ERROR } from '../model/chat.js';
import type { Reply } from '../model/chat.js';
import type { Scenario } from '../scenario/scenario.js';
import { AgentSums, isFirstTry } from './agent-figures.js';
import type { AgentCounts, PlayedActs } from './agent-figures.js';
import { priceOf, tokensOf } from './cost.js';
import type { Tokens } from './cost.js';
import { count, namedCounts } from './named-counts.js';
import type { NamedCounts } from './named-counts.js';
import { callPlayer, isAnsweredByWorld } from './player-names.js';
import type { CallRequest, ProbeRecord, SessionRecord } from './records.js';
import { TickSums } from './tick-sums.js';
import type { TickFigures } from './tick-sums.js';
import { isLostToServer, isUncontrolled } from './uncontrolled.js';
import { WaitSums } from './wait-sums.js';
import type { WaitFigures } from './wait-sums.js';

/** Raised whenever the same run would be counted otherwise: figures of another version are not used. */
export const FIGURES_VERSION = 5;

/**
 * What is added up step by step and call by call. A further count needs only its line here and the line that
 * counts it: the log stores it, and reports have its sum.
 */
const NOTHING_COUNTED = {
  turns: 0,
  /**
   * Steps of agents in which a controller decided; neither the world's own nor those lost to a model's server
   * are counted.
   */
  steps: 0,
  /** Calls that asked for an action, including repairs. */
  replies: 0,
  /** Discarded speculative calls; their cost is counted with the rest. */
  wasted: 0,
  /** Steps whose first reply was understood and accepted. */
  firstTries: 0,
  /** Steps with a forced wait, because no attempt succeeded. */
  standIns: 0,
  /** Steps of agents that no one controlled. */
  uncontrolled: 0,
  /** Steps whose action and arguments are those of the same agent's step before. */
  repeated: 0,
  said: 0,
  /** How many of those nobody heard. */
  unheard: 0,
  /**
   * Requests to a model whose tokens nobody knows, because no answer came: its server failed, or the program
   * was stopped while it waited.
   */
  unknownUsage: 0,
};

type StepCounts = typeof NOTHING_COUNTED;

/** The same value for each of these counts. */
export function forEachCount<T>(value: T): Record<keyof StepCounts, T> {
  const entries = Object.keys(NOTHING_COUNTED).map((name) => [name, value] as const);
  return Object.fromEntries(entries) as Record<keyof StepCounts, T>;
}

export interface RunFigures extends StepCounts, TickFigures, WaitFigures {
  /**
   * A hash over the actions of agents and world, step by step, which does not depend on the seed: two runs
   * with the same hash took the same course. Null before the first step.
   */
  trajectory: string | null;
  /** Replies in which no action could be understood, by problem code. */
  unread: NamedCounts;
  /**
   * Requests to which no answer came, by problem code: the server failed (`server-error`), sent no choice or
   * filtered the answer, or the model declined (`refused-by-model`).
   */
  unanswered: NamedCounts;
  /** Actions that were understood and refused, by problem code. */
  refused: NamedCounts;
  /** Prompt tokens that the server had cached; 0 if it reports none. */
  cachedTokens: number;
  /** Prompt tokens of the calls whose server reported how many of them it had cached. */
  cacheToldTokens: number;
  /** Players whose calls were answered, sorted. */
  answered: readonly string[];
  /** The figures of each agent, by id. */
  agents: readonly AgentCounts[];
}

type CallHead = Pick<CallRequest, 'call' | 'step' | 'agent' | 'controller' | 'purpose'>;

/** The parts of a call that are counted. */
export interface PlayedCall extends CallHead {
  /** Null: it was not answered. */
  reply: Pick<Reply, 'usage' | 'finishReason'> | null;
  /** The usage of the reply; requested only if it is counted. */
  tokens: () => Tokens;
}

export interface FiguredRun {
  scenario: Scenario;
  sessions: readonly Pick<SessionRecord, 'firstStep' | 'controllers'>[];
}

/** Tokens of a reply; the exact messages are needed only if the tokens must be estimated. */
export function playedCall(
  { call, step, agent, controller, purpose }: CallHead,
  reply: Reply | null,
  messages: () => CallRequest['messages'],
): PlayedCall {
  const noTokens = { promptTokens: 0, replyTokens: 0 };
  const tokens = (): Tokens => (reply === null ? noTokens : tokensOf(reply, messages));
  return { call, step, agent, controller, purpose, reply, tokens };
}

/** How one call of a step counts. */
export type CountCall = (call: PlayedCall) => void;

/** A live sum. */
export class RunFiguresSum {
  readonly #run: FiguredRun;
  readonly #answered = new Set<string>();
  readonly #last = new Map<string, string>();
  readonly #unread = new Map<string, number>();
  readonly #unanswered = new Map<string, number>();
  readonly #refused = new Map<string, number>();
  readonly #counts: StepCounts = { ...NOTHING_COUNTED };
  #trajectory = '';
  readonly #ticks = new TickSums();
  readonly #waits = new WaitSums();
  readonly #agents = new AgentSums();
  #cached: Pick<RunFigures, 'cachedTokens' | 'cacheToldTokens'> = { cachedTokens: 0, cacheToldTokens: 0 };

  constructor(run: FiguredRun) {
    this.#run = run;
  }

  /** A finished step; the result counts its calls, whenever they are answered. */
  step(step: PlayedActs): CountCall {
    this.#trajectory = hashJson('orchestrate-trajectory-v1', [this.#trajectory, effectsOf(step)]);
    this.#speech(step);
    this.#agents.rewards(step);
    this.#ticks.add(step);
    this.#waits.add(step);
    // An early call may have been made for what became the world's step.
    if (step.agent === WORLD_ID) return (call) => this.waste(call);
    const counts = this.#counts;
    counts.turns = step.turn;
    this.#agents.step(step);
    if (isUncontrolled(step)) {
      counts.uncontrolled += 1;
      return (call) => this.waste(call);
    }
    if (!isLostToServer(step)) counts.steps += 1;
    this.#acts(step);
    return (call) =>
      isWasted(call) ? this.waste(call) : isAside(call) ? undefined : this.#countAnswered(call);
  }

  /** Counts a discarded speculative call, and no other: also one for a step that was never played. */
  waste(call: PlayedCall): void {
    if (!isWasted(call)) return;
    this.#counts.wasted += 1;
    this.#spend(call);
  }

  /** A call for a step that was not played: it was paid for, and nothing else of it counts. */
  unplayed(call: PlayedCall): void {
    if (isWasted(call)) this.waste(call);
    else if (!isAside(call)) this.#spend(call);
  }

  /** A question after the run's end, or outside the run: no step counts it. */
  addOutsideCall(call: PlayedCall): void {
    this.#countAnswered(call);
  }

  /** Answers to a grey picture are a control and do not count. */
  probe(probe: Pick<ProbeRecord, 'verdict' | 'picture'> & { agent: string }): void {
    if (probe.picture !== 'grey') this.#agents.probe(probe);
  }

  figures(): RunFigures {
    return {
      ...this.#counts,
      ...this.#ticks.figures(),
      ...this.#waits.figures(),
      trajectory: this.#trajectory === '' ? null : this.#trajectory,
      unread: namedCounts(this.#unread),
      unanswered: namedCounts(this.#unanswered),
      refused: namedCounts(this.#refused),
      ...this.#cached,
      answered: [...this.#answered].toSorted(compareText),
      agents: this.#agents.figures(),
    };
  }

  #countAnswered(call: PlayedCall): void {
    this.#spend(call);
    if (call.reply === null) return;
    if (!isAnsweredByWorld(this.#run.sessions, call))
      this.#answered.add(callPlayer(this.#run.sessions, call));
    if (call.purpose === 'act' || call.purpose === 'repair') this.#counts.replies += 1;
  }

  #spend({ agent, reply, tokens }: PlayedCall): void {
    const spec = this.#run.scenario.agents.find(({ id }) => id === agent);
    if (spec === undefined || priceOf(this.#run.scenario, spec) === null) return;
    if (reply === null || (reply.finishReason === SERVER_ERROR && !reply.usage.promptTokens))
      this.#counts.unknownUsage += 1;
    if (reply === null) return;
    const { cachedTokens, promptTokens } = reply.usage;
    if (cachedTokens !== null && promptTokens !== null)
      this.#cached = {
        cachedTokens: this.#cached.cachedTokens + cachedTokens,
        cacheToldTokens: this.#cached.cacheToldTokens + promptTokens,
      };
    this.#agents.add(agent, tokens());
  }

  #acts(step: PlayedActs): void {
    const counts = this.#counts;
    const { agent, acts } = step;
    for (const { intent, result, insteadOf } of acts) {
      if (insteadOf !== null) counts.standIns += 1;
      else if (!result.ok) this.#failed(intent, result.problem.code);
    }
    if (isFirstTry(step)) counts.firstTries += 1;
    if (isLostToServer(step)) return;
    const { intent } = acts.at(-1) ?? { intent: null };
    const key = intent === null ? '' : canonicalJson([intent.action, intent.args]);
    if (key !== '' && this.#last.get(agent) === key) counts.repeated += 1;
    this.#last.set(agent, key);
  }

  #failed(intent: Intent | null, code: ProblemCode): void {
    if (isUnanswered(code)) count(this.#unanswered, code);
    else count(intent === null ? this.#unread : this.#refused, code);
  }

  #speech({ events }: PlayedActs): void {
    for (const { kind, actor, seenBy } of events) {
      if (kind !== SAID || actor === null) continue;
      this.#counts.said += 1;
      if (seenBy.every((agent) => agent === actor)) this.#counts.unheard += 1;
    }
  }
}

/**
 * The effects of a step, without what follows only from the seed: unused random streams, and the wording of
 * refusals.
 */
function effectsOf({ agent, acts, events }: PlayedActs): Json {
  const done = acts.map(({ intent, result }) => [
    intent === null ? null : [intent.action, intent.args],
    result.ok ? [result.message, result.path] : result.problem.code,
  ]);
  return [agent, done, events] as unknown as Json;
}

function isWasted({ purpose }: PlayedCall): boolean {
  return purpose === 'speculation';
}

/** Questions outside the run, which are counted as such. */
function isAside({ purpose }: PlayedCall): boolean {
  return purpose === 'reflection' || purpose === 'interview';
}

/**
 * From decisions to the world: free acts are applied in turn order, the intents of a step (or of all agents
 * in a tick) are settled together, and one step record is written for each agent. The end of a turn is the
 * world's own step.
 */
import { assert, at, known } from '../base/assert.js';
import { canonicalJson } from '../base/canonical.js';
import type { ActResult } from '../environment/environment.js';
import type { Event } from '../environment/action.js';
import { NOTE } from '../environment/notes.js';
import { WORLD_ID } from '../base/ids.js';
import type { MemoryTurn } from '../agent/memory.js';
import { actOf } from '../trajectory/act.js';
import type { ActRecord } from '../trajectory/act.js';
import { isNobodysChoice } from '../trajectory/uncontrolled.js';
import { priceOf } from '../trajectory/cost.js';
import { answerText } from './answer-text.js';
import { onlyResult } from './decide.js';
import type { CallSummary, StepDecision } from './decide.js';
import { lostTurn } from './lost-turn.js';
import { pictureOf } from './request.js';
import type { RunContext, Seat } from './run-context.js';
import type { RunState } from './run-state.js';
import { countRepeat } from './repeats.js';

export function applyDecisions<S>(
  parts: RunContext<S>,
  progress: RunState<S>,
  decisions: readonly StepDecision[],
): void {
  const before = progress.state;
  const appliedActs = decisions.map((decided, i) => {
    const applied = applyFreeActs(parts, progress, decided);
    // No agent has acted since the first decision, so its private copy was the true state.
    assert(
      i > 0 || haveSameResults(applied.acts, decided.acts),
      'a free act must have the result that its agent was shown',
    );
    return applied;
  });
  const advance = parts.environment.advance(
    progress.state,
    decisions.map(({ last }) => last.intent),
  );
  progress.state = advance.state;
  decisions.forEach((decided, i) => {
    const ownEvents = advance.events.filter((event) => event.actor === decided.seat.spec.id);
    // Events without an acting agent (a door closes on two at once) belong to the first step of the tick.
    const unattributedEvents = i === 0 ? advance.events.filter((event) => !isActor(decisions, event)) : [];
    const { acts, events } = at(appliedActs, i);
    recordStep(parts, progress, {
      decided: { ...decided, acts },
      result: at(advance.results, i),
      events: [...events, ...ownEvents, ...unattributedEvents],
      before: i === decisions.length - 1 ? before : null,
    });
  });
}

function isActor(decisions: readonly StepDecision[], event: Event): boolean {
  return decisions.some((decided) => decided.seat.spec.id === event.actor);
}

interface AppliedFreeActs {
  /** The decision's acts; free ones have the result that they have in the world. */
  acts: readonly ActRecord[];
  events: readonly Event[];
}

function applyFreeActs<S>(
  parts: RunContext<S>,
  progress: RunState<S>,
  decided: StepDecision,
): AppliedFreeActs {
  const acts = [...decided.acts];
  const events: Event[] = [];
  for (const index of decided.freeActIndices) {
    const act = at(acts, index);
    const advance = parts.environment.advance(progress.state, [known(act.intent, 'a free intent')]);
    progress.state = advance.state;
    acts[index] = { ...act, result: onlyResult(advance.results) };
    events.push(...advance.events);
  }
  return { acts, events };
}

function haveSameResults(actual: readonly ActRecord[], shown: readonly ActRecord[]): boolean {
  return actual.every(({ result }, i) => {
    const shownResult = at(shown, i).result;
    return result === shownResult || canonicalJson(result) === canonicalJson(shownResult);
  });
}

interface AppliedDecision<S> {
  before: S | null;
  decided: StepDecision;
  result: ActResult;
  events: readonly Event[];
}

function recordStep<S>(parts: RunContext<S>, progress: RunState<S>, applied: AppliedDecision<S>): void {
  const { decided, result, events, before } = applied;
  const agent = decided.seat.spec.id;
  const acts = [...decided.acts, actOf(decided.last, { index: decided.acts.length, result })];
  applyLastingEffects(parts, progress, decided);
  const calls = decided.calls.map(({ request }) => request.call);
  const isDecided = !isNobodysChoice(decided.last);
  const { step } = decided;
  progress.record(
    { step, turn: progress.turn, agent, calls, acts, events, before, isDecided },
    decided.calls,
  );
}

/** The lasting effects of a step, besides its record: the agent's memory, its costs, its repeats. */
export function applyLastingEffects<S>(
  parts: Pick<RunContext<S>, 'scenario' | 'painter'>,
  progress: RunState<S>,
  decided: StepDecision,
): void {
  const { calls, seat, last } = decided;
  const { insteadOf, intent } = last;
  const { id: agent } = seat.spec;
  rememberTurn(parts, progress, decided);
  // Where no one decided, no one gave up, and nothing was repeated.
  const isOwnChoice = !isNobodysChoice(last);
  if (insteadOf !== null && isOwnChoice) progress.gaveUp = agent;
  progress.spend(calls, priceOf(parts.scenario, seat.spec));
  const lastCall = calls.at(-1);
  const isLost = insteadOf !== null && lastCall !== undefined;
  progress.setLostTurn(agent, isLost ? lostTurn(progress.turn, lastCall.end.reply, insteadOf) : null);
  if (lastCall !== undefined && isOwnChoice && parts.scenario.turns.repeats !== null)
    progress.setRepeats(agent, countRepeat(progress.repeats(agent), lastCall.request.observation, intent));
}

/**
 * The turn as it will appear in later prompts: its text as last sent, and the parsed reply or, if unreadable,
 * the agent's own words.
 */
function rememberTurn<S>(
  parts: Pick<RunContext<S>, 'painter'>,
  progress: RunState<S>,
  decided: StepDecision,
): void {
  const agent = decided.seat.spec.id;
  const lastCall = decided.calls.at(-1);
  if (lastCall === undefined) return;
  const { text } = lastCall;
  const { turn } = progress;
  const reading = readingOf(decided);
  const reply =
    reading?.ok === true ? decided.seat.composer.replyText(reading) : answerText(lastCall.end.reply);
  const notes = notesOf(decided.acts);
  const picture = pastPicture(parts, decided.seat, lastCall);
  if (decided.seat.spec.memory.recalls !== undefined) progress.setSeenPicture(agent, turn, picture);
  const withoutText = { turn, reply, notes, picture };
  const memoryTurn = typeof text === 'string' ? { ...withoutText, text } : withLazyText(withoutText, text);
  progress.setMemory(agent, progress.memory(agent).remember(memoryTurn));
}

/** Keeps nothing of an observation that no later request shows. */
function pastPicture<S>(
  parts: Pick<RunContext<S>, 'painter'>,
  { spec: { memory } }: Seat,
  { request }: CallSummary,
): MemoryTurn['picture'] {
  if (memory.pictures === undefined && memory.recalls === undefined) return () => null;
  return () => pictureOf(parts, request.observation);
}

/** How the agent's last reply was understood, whether or not it was allowed. */
function readingOf({ last, acts }: StepDecision): ActRecord['reading'] {
  return last.insteadOf === null ? last.reading : (acts.at(-1)?.reading ?? null);
}

function withLazyText(turn: Omit<MemoryTurn, 'text'>, readText: () => string): MemoryTurn {
  return {
    ...turn,
    get text() {
      return readText();
    },
  };
}

/** The notes that acts wrote for their agent's own memory. */
function notesOf(acts: readonly ActRecord[]): readonly string[] {
  return acts.flatMap(({ intent, result }) => {
    const text = intent?.action === NOTE && result.ok ? intent.args['text'] : undefined;
    return typeof text === 'string' ? [text] : [];
  });
}

/** The world's own part, once after the agents. */
export function settleWorld<S>(parts: RunContext<S>, progress: RunState<S>): void {
  const before = progress.state;
  const end = parts.environment.endTurn(before);
  progress.state = end.state;
  const { nextStep: step, turn } = progress;
  const withoutAgent = { agent: WORLD_ID, calls: [], acts: [], isDecided: false };
  progress.record({ ...withoutAgent, step, turn, events: end.events, before }, []);
  progress.closeTurn();
}

/**
 * From decisions to the world: free acts are made true in turn order, the intents of a step (or of all agents in a tick) settled
 * together, and one step record written for each agent. The end of a turn is the world's own step.
 */
import { at } from '../base/assert.js';
import type { Intent } from '../environment/action.js';
import type { ActResult } from '../environment/environment.js';
import type { Event } from '../environment/action.js';
import { remembered } from '../agent/memory.js';
import { WORLD_ACTOR } from '../log/records.js';
import type { ActRecord } from '../log/records.js';
import type { Decided } from './decide.js';
import type { RunParts } from './parts.js';
import type { RunProgress } from './progress.js';

export function settle<S>(parts: RunParts<S>, progress: RunProgress<S>, decisions: readonly Decided[]): void {
  const freeEvents = decisions.map((decided) => actFreely(parts, progress, decided.free));
  const advance = parts.environment.advance(
    progress.state,
    decisions.map((decided) => decided.intent),
  );
  progress.state = advance.state;
  decisions.forEach((decided, i) => {
    const own = advance.events.filter((event) => event.actor === decided.seat.spec.id);
    // What no agent did by itself (a door falls on two at once) is told with the first step of the tick.
    const nobodys = i === 0 ? advance.events.filter((event) => !isActor(decisions, event)) : [];
    recordStep(progress, {
      decided,
      result: at(advance.results, i),
      events: [...at(freeEvents, i), ...own, ...nobodys],
    });
  });
}

function isActor(decisions: readonly Decided[], event: Event): boolean {
  return decisions.some((decided) => decided.seat.spec.id === event.actor);
}

function actFreely<S>(
  parts: RunParts<S>,
  progress: RunProgress<S>,
  free: readonly Intent[],
): readonly Event[] {
  return free.flatMap((intent) => {
    const advance = parts.environment.advance(progress.state, [intent]);
    progress.state = advance.state;
    return advance.events;
  });
}

interface Settled {
  readonly decided: Decided;
  readonly result: ActResult;
  readonly events: readonly Event[];
}

function recordStep<S>(progress: RunProgress<S>, settled: Settled): void {
  const { decided, result, events } = settled;
  const agent = decided.seat.spec.id;
  const last: ActRecord = {
    index: decided.acts.length,
    call: decided.call,
    reading: decided.reading,
    intent: decided.intent,
    result,
    insteadOf: decided.insteadOf,
  };
  rememberTurn(progress, decided);
  const calls = decided.asked.map(({ request }) => request.call);
  const acts = [...decided.acts, last];
  progress.record({ step: decided.step, turn: progress.turn, agent, calls, acts, events }, decided.asked);
}

/** The turn as it will stand in the next prompts: its text as last sent, and what was understood of the reply. */
function rememberTurn<S>(progress: RunProgress<S>, decided: Decided): void {
  const agent = decided.seat.spec.id;
  const asked = decided.asked.at(-1);
  if (asked === undefined) return;
  const past = remembered(decided.seat.spec.memory, progress.past(agent), {
    text: asked.text,
    reply: decided.seat.composer.replyText(decided.reading),
  });
  progress.remember(agent, past);
}

/** The world's own part, once after the agents. */
export function settleWorld<S>(parts: RunParts<S>, progress: RunProgress<S>): void {
  const end = parts.environment.endTurn(progress.state);
  progress.state = end.state;
  const { nextStep: step, turn } = progress;
  progress.record({ step, turn, agent: WORLD_ACTOR, calls: [], acts: [], events: end.events }, []);
  progress.turn += 1;
}

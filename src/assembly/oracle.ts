/**
 * The oracle: a controller that knows the whole world and plays the shortest plan that the solver finds. It
 * serves as a teacher for data sets and as an upper bound in comparisons. It is told the true position before
 * each call (`receivePosition`). Its memory is the rest of the plan, which it follows as long as the plan
 * still wins from the current position; otherwise it searches again. If no plan was found, its memory is the
 * turn of the next search.
 */
import { embeddedReply } from '../agent/controllers/embedded-reply.js';
import type { Controller, Decision } from '../agent/controller.js';
import { known } from '../base/assert.js';
import type { Json } from '../base/json.js';
import { WAIT } from '../environment/action.js';
import type { Intent } from '../environment/action.js';
import type { Environment } from '../environment/environment.js';
import type { Observation } from '../environment/observation.js';
import { withToldNames } from '../environment/numbers.js';
import type { SearchPosition, TurnRules } from '../solve/position.js';
import { planWins, solveFrom } from '../solve/solve.js';
import type { PlannedAct } from '../solve/solve.js';
import { commandText } from '../forms/command-text.js';

/** Maximum steps per search: some seconds in a large world. */
const EFFORT = 20_000;

/** Turns until the next search if no plan was found: by then, others may have made success possible. */
const PATIENCE_TURNS = 10;

export interface Oracle {
  controller: Controller;
  /** Must be called before each call of the controller. */
  receivePosition: (position: SearchPosition<unknown>) => void;
}

/**
 * Answers in the protocol `command`. It waits if no plan is found, and in a world without a success
 * condition.
 */
export function oracle(environment: Environment<unknown>, rulesOf: () => TurnRules): Oracle {
  let latest: SearchPosition<unknown> | null = null;
  return {
    receivePosition: (position) => {
      latest = position;
    },
    controller: {
      name: 'oracle',
      isRemote: false,
      decide: async ({ agent, observation, memory }) => {
        const rules = rulesOf();
        const received = known(latest, 'the position that the oracle has received');
        const ofWorld = Object.entries(received.memories ?? {}).filter(([id]) => rules.world?.has(id));
        const position = { ...received, memories: Object.fromEntries(ofWorld) };
        if (typeof memory === 'number' && position.turn < memory) return waitUntil(memory);
        const plan = planFrom(environment, rules, position, rememberedPlan(position, memory));
        if (plan.length === 0) return waitUntil(position.turn + PATIENCE_TURNS);
        const index = plan.findIndex(({ turn, intent }) => turn === position.turn && intent.agent === agent);
        const act = known(plan[index], "the plan's act for the agent that acts now");
        const remaining = plan.slice(index + 1).map(({ turn, intent }) => ({ turn, intent: { ...intent } }));
        return {
          reply: embeddedReply(`ACTION: ${commandOf(environment, act.intent, observation)}`),
          memory: remaining,
        };
      },
    },
  };
}

function waitUntil(turn: number): Decision {
  return { reply: embeddedReply(`ACTION: ${WAIT}`), memory: turn };
}

/** From a position to success; empty if none was found. */
function planFrom(
  environment: Environment<unknown>,
  rules: TurnRules,
  position: SearchPosition<unknown>,
  remembered: readonly PlannedAct[],
): readonly PlannedAct[] {
  if (remembered.length > 0 && planWins(environment, rules, position, remembered)) return remembered;
  if (!environment.hasGoal) return [];
  return solveFrom(environment, position, { ...rules, effort: EFFORT }).plan ?? [];
}

/**
 * The part of the remembered plan that applies from this position on: others have acted since, as planned or
 * not.
 */
function rememberedPlan({ turn, waiting }: SearchPosition<unknown>, memory: Json): readonly PlannedAct[] {
  const plan = Array.isArray(memory) ? (memory as unknown as readonly PlannedAct[]) : [];
  const first = plan.findIndex((act) => act.turn === turn && act.intent.agent === waiting[0]);
  return first === -1 ? [] : plan.slice(first);
}

function commandOf(
  environment: Environment<unknown>,
  { action, args }: Intent,
  observation: Observation,
): string {
  const spec = known(environment.actions.get(action), action);
  return commandText(spec, withToldNames(spec.grammar, args, observation));
}

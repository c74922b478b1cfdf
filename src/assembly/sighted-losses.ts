/**
 * How many turns steps of a logged run lost against the sighted reference player, which plays on for all agents from
 * before a step, and again from after it. It goes on with what it would have learnt, had it seen what its agent saw
 * and done what its agent did. No model is asked.
 */
import { WORLD_ID } from '../base/ids.js';
import { known } from '../base/assert.js';
import type { Json } from '../base/json.js';
import { lookUp } from '../base/look-up.js';
import { WAIT } from '../environment/action.js';
import { commandText } from '../forms/command-text.js';
import type { LogReader } from '../log/reader.js';
import { FREE_FORM } from '../model/chat.js';
import { predictedAgents } from '../orchestrator/turn-rules.js';
import { LoggedStates } from '../replay/state-at.js';
import type { OpenStage } from '../replay/verify.js';
import { deciderOf } from '../scenario/controllers.js';
import type { AgentSpec } from '../scenario/scenario.js';
import { playedAgents } from '../scenario/world-part.js';
import { afterAct, afterWorldAgents } from '../solve/position.js';
import type { PlayedStep, RunRecord } from '../trajectory/records.js';
import { referenceWorld } from '../worlds/registry.js';

/**
 * By step: the turns by which success comes later, below 0 if it comes earlier, and all turns that were left if it
 * does not come any more; null if the player does not win from before the step either. The result is null if the world
 * has no sighted player. Throws StorageError if the log is damaged, UsageError if more may be drawn than the player can
 * consider.
 */
export function sightedLosses(
  reader: LogReader,
  run: RunRecord,
  open: OpenStage,
  steps: ReadonlySet<number>,
): ReadonlyMap<number, number | null> | null {
  const { scenario } = run;
  const reference = referenceWorld(scenario.environment);
  if (reference === undefined) return null;
  const { order, max: turnsMax, freeActs } = scenario.turns;
  const played = playedAgents(scenario);
  // Agents of the world keep their controllers.
  const agents = scenario.agents.flatMap((agent): readonly AgentSpec[] => {
    if (played.includes(agent.id)) return [{ ...agent, controller: { kind: 'sighted' } }];
    return deciderOf(agent.controller.kind) === 'built-in' ? [agent] : [];
  });
  const stage = open({ ...run, scenario: { ...scenario, agents } });
  const { environment } = stage;
  const seats = stage.seats({}, false);
  const rules = { order, turnsMax, freeActs, world: predictedAgents(scenario, seats) };
  const states = new LoggedStates({ reader, run, environment });
  const losses = new Map<number, number | null>();
  let memories: Readonly<Record<string, Json>> = {};
  let tick = { turn: 0, memories };

  /** What the agent of a step remembers after it, had it been played by its seat and done what was done. */
  const remembered = ({ step, calls }: PlayedStep): Json => {
    const { agent, turn, acts } = step;
    const predict = seats.find(({ spec }) => spec.id === agent)?.controller.predict;
    let memory = lookUp(memories, agent) ?? null;
    const own = calls().filter(({ request }) => step.calls.includes(request.call));
    for (const [i, { request }] of own.entries()) {
      const observation = request.observation();
      const call = { agent, turn, attempt: i + 1, observation, messages: [], memory, form: FREE_FORM };
      memory = predict?.(call).memory ?? memory;
      const { intent = null } = acts.find((act) => act.call === request.call) ?? {};
      const action = environment.actions.get(intent?.action ?? WAIT);
      if (!played.includes(agent) || action === undefined) continue;
      const command = commandText(action, intent?.args ?? {});
      memory = reference.withDone(memory, { command, isFree: action.cost === 'free' });
    }
    return memory;
  };

  for (const taken of reader.played(run.runId)) {
    const { step, turn, agent, acts } = taken.step;
    if (agent === WORLD_ID) continue;
    if (order === 'sequential' || turn !== tick.turn) tick = { turn, memories };
    memories = { ...memories, [agent]: remembered(taken) };
    if (!steps.has(step)) continue;
    const answer = states.atAnswer(known(reader.step(run.runId, step), `step ${step}`));
    const { state } = states.at(answer.step);
    const place = environment.agents.indexOf(agent);
    const others = environment
      .active(state)
      .filter((id) => (order === 'sequential' ? environment.agents.indexOf(id) > place : id !== agent));
    const start = { ...tick, state, waiting: [agent, ...others], decided: [], free: 0 };
    const before = afterWorldAgents(environment, rules, { kind: 'position', position: start });
    if (before.kind !== 'won') {
      losses.set(step, null);
      continue;
    }
    const informed = { ...tick.memories, [agent]: lookUp(memories, agent) ?? null };
    const reached = { ...start, state: answer.state, free: answer.freeActs, memories: informed };
    const intent = acts.at(-1)?.intent ?? { agent, action: WAIT, args: {} };
    const after = afterAct(environment, rules, reached, intent);
    losses.set(step, after.kind === 'won' ? after.turn - before.turn : turnsMax - turn + 1);
  }
  return losses;
}

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
import type { Environment } from '../environment/environment.js';
import { commandText } from '../forms/command-text.js';
import type { LogReader } from '../log/reader.js';
import { systemDependencies } from '../model/dependencies.js';
import { predictedAgents } from '../orchestrator/turn-rules.js';
import { LoggedStates } from '../replay/state-at.js';
import { deciderOf } from '../scenario/controllers.js';
import type { AgentSpec } from '../scenario/scenario.js';
import { playedAgents } from '../scenario/world-part.js';
import { afterAct, afterWorldAgents } from '../solve/position.js';
import type { SearchPosition, SearchResult, WorldAgent } from '../solve/position.js';
import type { PlayedStep, RunRecord } from '../trajectory/records.js';
import { referenceWorld } from '../worlds/registry.js';
import { seatsFor } from './seats.js';

type Memories = Readonly<Record<string, Json>>;

/**
 * By step: the turns by which success comes later, below 0 if it comes earlier, and all turns that were left if it
 * does not come any more; null if the player does not win from before the step either. The result is null if the world
 * has no sighted player. Throws StorageError if the log is damaged, UsageError if more may be drawn than the player can
 * consider.
 */
export function sightedLosses(
  reader: LogReader,
  run: RunRecord,
  environment: Environment<unknown>,
  steps: ReadonlySet<number>,
): ReadonlyMap<number, number | null> | null {
  const { runId, scenario } = run;
  const { order, max: turnsMax, freeActs } = scenario.turns;
  const { withDone = null } = referenceWorld(scenario.environment) ?? {};
  if (withDone === null) return null;
  const played = playedAgents(scenario);
  const agents = scenario.agents.flatMap((agent): readonly AgentSpec[] => {
    if (played.includes(agent.id)) return [{ ...agent, controller: { kind: 'sighted' } }];
    return deciderOf(agent.controller.kind) === 'built-in' ? [agent] : [];
  });
  const dependencies = systemDependencies(() => undefined);
  const { seats } = seatsFor({
    scenario: { ...scenario, agents },
    environment,
    hasPicture: false,
    dependencies,
  });
  let turnReached = 0;
  const all = [...predictedAgents(scenario, seats)].map(([agent, decide]): [string, WorldAgent] => [
    agent,
    (world, state, call) => {
      turnReached = call.turn;
      return decide(world, state, call);
    },
  ]);
  const rules = { order, turnsMax, freeActs, world: new Map(all) };
  const turnOfWin = (result: SearchResult<unknown>): number | null =>
    afterWorldAgents(environment, rules, result).kind === 'won' ? turnReached : null;

  /** What the players remember after a step of an agent. */
  const remembered = (memories: Memories, { step, calls }: PlayedStep): Memories => {
    const { agent, turn, acts } = step;
    const seat = seats.find(({ spec }) => spec.id === agent);
    const predict = seat?.controller.predict;
    if (seat === undefined || predict === undefined) return memories;
    let memory = lookUp(memories, agent) ?? null;
    for (const [i, { request }] of calls()
      .filter((one) => step.calls.includes(one.request.call))
      .entries()) {
      const call = { agent, turn, attempt: i + 1, memory };
      const observation = request.observation();
      const decision = predict({ ...call, observation, messages: [], form: { tools: [], guided: null } });
      const { intent = null } = acts.find((act) => act.call === request.call) ?? {};
      const action = environment.actions.get(intent?.action ?? WAIT);
      memory = decision.memory;
      if (!played.includes(agent) || action === undefined) continue;
      const done = { command: commandText(action, intent?.args ?? {}), isFree: action.cost === 'free' };
      memory = withDone(memory, done);
    }
    return { ...memories, [agent]: memory };
  };

  const states = new LoggedStates({ reader, run, environment });
  const losses = new Map<number, number | null>();
  let memories: Memories = {};
  let tick: { turn: number; step: number; memories: Memories } = { turn: 0, step: 0, memories };
  for (const played of reader.played(runId)) {
    const { step, turn, agent } = played.step;
    if (agent === WORLD_ID) continue;
    if (order === 'sequential' || turn !== tick.turn) tick = { turn, step: step - 1, memories };
    memories = remembered(memories, played);
    if (!steps.has(step)) continue;
    const { state } = states.at(tick.step);
    const place = environment.agents.indexOf(agent);
    const others = environment
      .active(state)
      .filter((id) => (order === 'sequential' ? environment.agents.indexOf(id) > place : id !== agent));
    const waiting = [agent, ...others];
    const position: SearchPosition<unknown> = {
      state,
      turn,
      waiting,
      decided: [],
      free: 0,
      memories: tick.memories,
    };
    turnReached = turn;
    const before = turnOfWin({ kind: 'position', position });
    if (before === null) {
      losses.set(step, null);
      continue;
    }
    const answer = states.atAnswer(known(reader.step(runId, step), `step ${step}`));
    const own = { [agent]: lookUp(memories, agent) ?? null };
    const reached = {
      ...position,
      state: answer.state,
      free: answer.freeActs,
      memories: { ...tick.memories, ...own },
    };
    const intent = played.step.acts.at(-1)?.intent ?? { agent, action: WAIT, args: {} };
    turnReached = turn;
    const after = turnOfWin(afterAct(environment, rules, reached, intent));
    losses.set(step, after === null ? turnsMax - turn + 1 : after - before);
  }
  return losses;
}

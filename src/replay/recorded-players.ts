/** Those whom a run asks, played from its log: each agent's controller, and what its actions reach for outside. They decide nothing. */
import type { Controller } from '../agent/controller.js';
import type { ActionRegistry } from '../environment/action.js';
import type { EffectHandler } from '../orchestrator/run-context.js';
import type { Playback } from './playback.js';

/** Answers with what was answered to the call that is being made. */
export function recordedController(agent: string, playback: Playback): Controller {
  return {
    get name() {
      return playback.nameOf(agent);
    },
    isRemote: false,
    decide: () => playback.answered(agent),
    get tell() {
      return playback.tells(agent) ? async () => (await playback.answered(agent)).reply : undefined;
    },
  };
}

/** By name, one for whatever the environment's actions reach for; nothing is reached. */
export function recordedEffectHandlers(
  actions: ActionRegistry<unknown>,
  playback: Playback,
): Readonly<Record<string, EffectHandler>> {
  const names = actions.list().flatMap(({ outside }) => (outside === undefined ? [] : [outside.handler]));
  const perform: EffectHandler = async (_args, agent) => playback.output(agent);
  return Object.fromEntries(names.map((name) => [name, perform]));
}

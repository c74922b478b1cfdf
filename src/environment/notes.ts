/**
 * NOTE, an action that any world may offer: it writes something down for the agent's own memory and changes nothing in the world. So it
 * is laid over an environment from outside, for those agents whose memory keeps notes; the world knows nothing of it.
 */
import { problem } from '../base/problem.js';
import { compareText } from '../base/ids.js';
import { LIMITS } from '../base/limits.js';
import type { Action, Intent } from './action.js';
import { actionRegistry } from './action.js';
import type { Environment } from './environment.js';
import { passingToEnvironment } from './passing-environment.js';
import { text } from './grammar.js';
import type { Observation, OfferedAction } from './observation.js';

export const NOTE = 'NOTE';

export function noteAction<S>(): Action<S> {
  return {
    name: NOTE,
    aliases: ['REMEMBER'],
    description: 'Write something down for yourself. You are shown it every turn from then on.',
    grammar: text('text', 'what to remember', LIMITS.noteCharacters),
    examples: ['"the iron door is locked"'],
    cost: 'free',
    check: () => undefined,
    apply: (state) => ({ state, message: 'You wrote it down.', events: [] }),
  };
}

/** The environment with NOTE for these agents. The same environment where nobody keeps notes or the world has such an action itself. */
export function withNotes<S>(environment: Environment<S>, keepers: readonly string[]): Environment<S> {
  const note = noteAction<S>();
  if (keepers.length === 0 || environment.actions.get(NOTE) !== undefined) return environment;
  const actions = actionRegistry<S>([...environment.actions.list(), note]);
  const keeps = (agent: string): boolean => keepers.includes(agent);
  const isNote = ({ action }: Intent): boolean => action === NOTE;
  return {
    ...passingToEnvironment(environment),
    actions,
    scope: (agent) => (keeps(agent) ? named(environment.scope(agent)) : environment.scope(agent)),
    legalActions: (state, agent) =>
      keeps(agent)
        ? offering(environment.legalActions(state, agent))
        : environment.legalActions(state, agent),
    observe: (state, agent) => {
      const observation = environment.observe(state, agent);
      return keeps(agent) ? observing(observation) : observation;
    },
    check: (state, intent) => {
      if (!isNote(intent)) return environment.check(state, intent);
      return keeps(intent.agent)
        ? undefined
        : problem('not-offered', 'You have nothing to write notes with.');
    },
    advance: (state, intents) => {
      const [only] = intents;
      if (only === undefined || intents.length > 1 || !isNote(only))
        return environment.advance(state, intents);
      const { message } = note.apply(state, only.agent, only.args);
      return { state, results: [{ ok: true, message, path: null }], events: [] };
    },
  };
}

function named(scope: readonly string[]): readonly string[] {
  return [...scope, NOTE].sort(compareText);
}

/** Nothing is offered to an agent that acts no more. */
function offering(offered: readonly OfferedAction[]): readonly OfferedAction[] {
  if (offered.length === 0) return offered;
  return [...offered, { action: NOTE, slots: { text: [] } }].sort((a, b) => compareText(a.action, b.action));
}

function observing(observation: Observation): Observation {
  return { ...observation, scope: named(observation.scope), offered: offering(observation.offered) };
}

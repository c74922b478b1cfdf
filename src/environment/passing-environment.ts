/**
 * An environment that passes everything on to another one. A layer over an environment starts from this and
 * replaces what it changes. Its members are spelled out and not spread, because an environment may be an
 * instance of a class.
 */
import { known } from '../base/assert.js';
import type { Environment } from './environment.js';

export function passingToEnvironment<S>(environment: Environment<S>): Environment<S> {
  const { pictureGuide, search } = environment;
  return {
    kind: environment.kind,
    rulesVersion: environment.rulesVersion,
    actions: environment.actions,
    agents: environment.agents,
    hasGoal: environment.hasGoal,
    ...(pictureGuide === undefined ? {} : { pictureGuide }),
    ...(search === undefined ? {} : { search }),
    create: (seed) => environment.create(seed),
    scope: (agent) => environment.scope(agent),
    active: (state) => environment.active(state),
    legalActions: (state, agent) => environment.legalActions(state, agent),
    observe: (state, agent) => environment.observe(state, agent),
    scene: (state, agent) => environment.scene(state, agent),
    check: (state, intent) => environment.check(state, intent),
    advance: (state, intents) => environment.advance(state, intents),
    endTurn: (state) => environment.endTurn(state),
    outcome: (state) => environment.outcome(state),
    parts: (state) => environment.parts(state),
    ...(environment.outcomeOf === undefined
      ? {}
      : { outcomeOf: (state, agent) => known(environment.outcomeOf?.(state, agent), 'an outcome') }),
    ...(environment.everyNoun === undefined ? {} : { everyNoun: () => environment.everyNoun?.() ?? [] }),
    ...(environment.places === undefined ? {} : { places: () => environment.places?.() ?? [] }),
  };
}

/**
 * Lets a controller that knows only the rules' own action names play a scenario that renames actions: its
 * observation lists the offers under the rules' names, and the verb of its command is replaced by the
 * scenario's.
 */
import { lookUp } from '../../base/look-up.js';
import type { Observation } from '../../environment/observation.js';
import type { SpokenNames } from '../../environment/action.js';
import { adapted } from '../controller.js';
import type { Controller } from '../controller.js';

/** Returns the same controller if the scenario renames nothing. */
export function withOwnNames(controller: Controller, names: SpokenNames): Controller {
  if (Object.keys(names).length === 0) return controller;
  const ownNames = new Map(Object.entries(names).map(([name, spoken]) => [spoken, name]));
  return adapted(controller, {
    input: (input) => ({ ...input, observation: underOwnNames(input.observation, ownNames) }),
    decision: ({ reply, memory }) => {
      const content = reply.content.replace(
        /(\nACTION: )([A-Z_]+)(?![^]*\nACTION: )/,
        (_line, label: string, verb: string) => `${label}${lookUp(names, verb) ?? verb}`,
      );
      return { memory, reply: { ...reply, content } };
    },
  });
}

function underOwnNames(observation: Observation, ownNames: ReadonlyMap<string, string>): Observation {
  return {
    ...observation,
    scope: observation.scope.map((name) => ownNames.get(name) ?? name),
    offered: observation.offered.map((offer) => ({
      ...offer,
      action: ownNames.get(offer.action) ?? offer.action,
    })),
  };
}

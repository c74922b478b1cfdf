/** A scenario's environment: its world together with the additions from outside. */
import type { Environment } from '../environment/environment.js';
import { withNotes } from '../environment/notes.js';
import { withRecall } from '../environment/recall.js';
import { withSpokenNames } from '../environment/spoken-names.js';
import type { Scenario } from '../scenario/scenario.js';
import type { EnvironmentModule } from '../worlds/environment-module.js';

/**
 * The scenario's world, with NOTE and RECALL for the agents whose memory has them, and its actions under the
 * names that the scenario gives them. If no pictures are sent, nobody has RECALL, because there is nothing to
 * recall.
 */
export function environmentOf(module: EnvironmentModule, scenario: Scenario): Environment<unknown> {
  const agentsWithNotes = scenario.agents.filter(
    ({ memory }) => memory.kind === 'notes' || memory.kind === 'file',
  );
  const isPictured = scenario.render.channel !== 'text';
  const agentsWithRecall = scenario.agents.filter(({ memory }) => isPictured && memory.recalls !== undefined);
  const world = withNotes(module.kind.open(scenario.definition), idsOf(agentsWithNotes));
  return withSpokenNames(withRecall(world, idsOf(agentsWithRecall)), scenario.spokenNames ?? {});
}

function idsOf(agents: Scenario['agents']): readonly string[] {
  return agents.map(({ id }) => id);
}

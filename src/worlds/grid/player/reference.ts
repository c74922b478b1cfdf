/** The reference players of the grid world, by their senses. */
import type { ControllerInput } from '../../../agent/controller.js';
import type { ReferencePlayer } from '../../../agent/controllers/reference-player.js';
import type { SpatialFacts } from '../../../environment/spatial-facts.js';
import { sightedPlayer } from './sighted.js';
import { textOnlyPlayer } from './text-only.js';

export const referencePlayer: ReferencePlayer = (task) => {
  if (task.sense === 'text-only') return textOnlyPlayer(task);
  const play = sightedPlayer(task);
  return task.sense === 'deaf' ? (input) => play(withoutHearing(input)) : play;
};

/** What an agent gets that doesn't hear others; what the world tells it stays. */
function withoutHearing(input: ControllerInput): ControllerInput {
  const { observation } = input;
  const facts = observation.facts as unknown as SpatialFacts;
  const isOwn = (line: string): boolean => !/ (?:said|announced) to [^:]+: /.test(line);
  const recalled = (facts.recalled ?? []).filter(isOwn);
  return { ...input, observation: { ...observation, facts: { ...observation.facts, heard: [], recalled } } };
}

/** The reference players of the grid world, by their senses. */
import type { ControllerInput } from '../../../agent/controller.js';
import type { ReferencePlayer } from '../../../agent/controllers/reference-player.js';
import type { SpatialFacts } from '../../../environment/spatial-facts.js';
import { sightedPlayer } from './sighted.js';
import { textOnlyPlayer } from './text-only.js';

export const referencePlayer: ReferencePlayer = (task) => {
  if (task.sense === 'text-only') return textOnlyPlayer(task);
  const play = sightedPlayer(task);
  return task.sense === 'deaf' ? (input) => play(withoutSpeech(input)) : play;
};

/** What an agent gets that neither speaks nor hears others; what the world tells it stays. */
function withoutSpeech(input: ControllerInput): ControllerInput {
  const { observation } = input;
  const facts = observation.facts as unknown as SpatialFacts;
  const isOwn = (line: string): boolean => !/ (?:said|announced) to [^:]+: /.test(line);
  const mute = (verb: string): boolean => verb !== 'SPEAK' && verb !== 'ANNOUNCE';
  return {
    ...input,
    observation: {
      ...observation,
      scope: observation.scope.filter(mute),
      offered: observation.offered.filter(({ action }) => mute(action)),
      facts: { ...observation.facts, heard: [], recalled: (facts.recalled ?? []).filter(isOwn) },
    },
  };
}

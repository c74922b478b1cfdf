/** The reference players of the grid world, by their senses. */
import type { ReferencePlayer } from '../../../agent/controllers/reference-player.js';
import { sightedPlayer } from './sighted.js';

export const referencePlayer: ReferencePlayer = (task) => sightedPlayer(task);

/** The built-in players: each world has one, and the scripted controller asks them in turn. */
import type { Json } from '../../base/json.js';
import type { ControllerInput } from '../controller.js';

/**
 * Returns null if the player does not understand the observation's facts. `wish` is the command that it would
 * give, null if there is nothing to do; `memory` is what it must remember.
 */
export type ScriptedPlayer = (
  input: ControllerInput,
) => { wish: CandidateAction | null; memory: Json } | null;

/** A command that a scripted player would give. */
export interface CandidateAction {
  /** As a command: `TAKE brass-key`. */
  command: string;
  /** One sentence of reasoning. */
  why: string;
  isFree?: boolean;
  /** What the player's notebook keeps once the command is given. */
  note?: {
    read?: string;
    told?: string;
    seenUp?: string;
    worn?: string;
    looked?: string;
  };
}

/** If nothing is worth doing. */
export const NOTHING_TO_DO: CandidateAction = {
  command: 'WAIT',
  why: 'There is nothing for me to do just now.',
};

/** ANNOUNCE: say something to everybody in the room. */
import { LIMITS } from '../../../base/limits.js';
import { text } from '../../../environment/grammar.js';
import type { GridWorld } from '../world.js';
import type { GridAction } from './grid-action.js';
import { textArg } from './grid-action.js';
import { checkSpeech, speechCostText, speak } from './speech.js';

export function announceAction(world: GridWorld): GridAction {
  return {
    name: 'ANNOUNCE',
    aliases: ['SHOUT'],
    description: `Say something to everybody in your room.${speechCostText(world)}`,
    grammar: text('text', 'what to say', LIMITS.utteranceCharacters),
    examples: ['"The door is open."'],
    cost: world.definition.rules.speechFree ? 'free' : 'turn',
    check: (state, agent, args) => checkSpeech(world, state, agent, textArg(args, 'text')),
    apply: (state, agent, args) =>
      speak(world, state, agent, { channel: 'announce', said: textArg(args, 'text') }),
  };
}

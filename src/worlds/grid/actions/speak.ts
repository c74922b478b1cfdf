/** SPEAK: say something to agents nearby. */
import { counted } from '../../../base/counted.js';
import { LIMITS } from '../../../base/limits.js';
import { text } from '../../../environment/grammar.js';
import type { GridWorld } from '../world.js';
import type { GridAction } from './grid-action.js';
import { textArg } from './grid-action.js';
import { checkSpeech, speechCostText, speak } from './speech.js';

export function speakAction(world: GridWorld): GridAction {
  return {
    name: 'SPEAK',
    aliases: ['SAY', 'TELL'],
    description: `Say something to everybody within ${counted(world.definition.rules.speakRadius, 'tile')}.${speechCostText(world)}`,
    grammar: text('text', 'what to say', LIMITS.utteranceCharacters),
    examples: ['"I found the key."'],
    cost: world.definition.rules.speechFree ? 'free' : 'turn',
    check: (state, agent, args) => checkSpeech(world, state, agent, textArg(args, 'text')),
    apply: (state, agent, args) =>
      speak(world, state, agent, { channel: 'speak', said: textArg(args, 'text') }),
  };
}

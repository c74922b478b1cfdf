/** Actions that any world may offer: WAIT, DONE and SPEAK. */
import { compareText } from '../base/ids.js';
import { LIMITS } from '../base/limits.js';
import { lookUp } from '../base/look-up.js';
import type { Problem } from '../base/problem.js';
import { problem } from '../base/problem.js';
import { quoted } from '../base/text.js';
import { utteranceText } from '../speech/utterance.js';
import type { Action, Args, Event } from './action.js';
import { text } from './grammar.js';
import type { ActionSpec, SpokenWords } from './own-action.js';
import { SAID } from './spoken.js';

/** What WAIT did, as told to the agent. */
export const WAITED = 'You waited.';

/** The action WAIT, which costs the turn and does nothing. */
export function waitAction<S>(): Action<S> {
  return {
    name: 'WAIT',
    aliases: ['PASS'],
    description: 'Do nothing this turn.',
    grammar: null,
    examples: [''],
    cost: 'turn',
    check: () => undefined,
    apply: (state) => ({ state, message: WAITED, events: [] }),
  };
}

/**
 * The action DONE, with which the agent declares that its work is finished and stops acting. `markDone`
 * records it in the world's state.
 */
export function doneAction<S>(markDone: (state: S, agent: string) => S): Action<S> {
  return {
    name: 'DONE',
    aliases: ['FINISH'],
    description: 'Finish your work; you will not act again.',
    grammar: null,
    examples: [''],
    cost: 'turn',
    check: () => undefined,
    apply: (state, agent) => ({
      state: markDone(state, agent),
      message: 'You are done.',
      events: [{ kind: 'agent-done', actor: agent, at: null, data: {}, seenBy: [] }],
    }),
  };
}

/** An argument that the grammar makes a text, a word or a name; '' if it was left out. */
export function textArg(args: Args, slot: string): string {
  return String(lookUp(args, slot) ?? '');
}

/** Why these words can't be said; undefined if they can. */
export function speechProblem(raw: string): Problem | undefined {
  if (utteranceText(raw) !== '') return undefined;
  return problem('bad-argument', 'There is nothing to say. Put your words in quotation marks.');
}

/** The words for the prompt, and who hears an agent now, from where. */
export interface SpeakSpec<S> {
  description: string;
  /** As spoken: `"The windscreen is cracked."` */
  example: string;
  hear: (state: S, agent: string) => Omit<SpokenWords, 'text'> & { at?: Event['at'] };
}

/**
 * The action SPEAK for a world of `defineEnvironment` whose agents get news. The world determines speaker and
 * hearers; the words are only data.
 */
export function speakAction<S>({ description, example, hear }: SpeakSpec<S>): ActionSpec<S> {
  return {
    name: 'SPEAK',
    aliases: ['SAY', 'TELL'],
    description,
    grammar: text('text', 'what to say', LIMITS.utteranceCharacters),
    examples: [example],
    check: (_state, _agent, args) => speechProblem(textArg(args, 'text')),
    apply: (state, agent, args) => {
      const words = utteranceText(textArg(args, 'text'));
      const { at = null, ...hearing } = hear(state, agent);
      const hearers = hearing.hearers.map(({ id }) => id).toSorted(compareText);
      return {
        state,
        message: `You said ${quoted(words)}.${hearers.length === 0 ? ' Nobody heard it.' : ''}`,
        events: [{ kind: SAID, actor: agent, at, data: { text: words, hearers }, seenBy: hearers }],
        spoken: { text: words, ...hearing },
      };
    },
  };
}

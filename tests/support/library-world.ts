/** A whole environment, without space or picture: a reader asks a catalogue that lies outside the program, and answers. */
import { z } from 'zod';
import { problem } from '../../src/base/problem.js';
import type { EnvironmentModule } from '../../src/worlds/environment-module.js';
import { defineEnvironment } from '../../src/environment/define.js';
import { text } from '../../src/environment/grammar.js';
import type { EffectHandler } from '../../src/orchestrator/run-context.js';
import { settingsReader } from '../../src/scenario/settings-reader.js';

interface Settings {
  question: string;
  answer: string;
}
interface State {
  given: string | null;
}

const library = defineEnvironment<Settings, State>({
  kind: 'library',
  rulesVersion: 1,
  actions: [
    {
      name: 'LOOKUP',
      aliases: ['FIND'],
      description: 'Ask the catalogue for one entry. It does not take your turn.',
      grammar: text('entry', 'the entry to look up', 40),
      examples: ['"moon"'],
      cost: 'free',
      outside: { handler: 'catalogue' },
      check: (_state, _agent, { entry }) =>
        entry === '' ? problem('bad-argument', 'An entry has a name. Write LOOKUP "moon".') : undefined,
      apply: (state, _agent, { entry }, found) => ({
        state,
        message: `The catalogue says of ${JSON.stringify(entry)}: ${JSON.stringify(found ?? null)}.`,
      }),
    },
    {
      name: 'ANSWER',
      description: 'Give the answer.',
      grammar: text('answer', 'the answer', 80),
      examples: ['"blue"'],
      apply: (_state, _agent, { answer }) => ({
        state: { given: String(answer) },
        message: 'You have answered.',
      }),
    },
  ],
  create: () => ({ given: null }),
  tell: (_state, _agent, { question }) => [`You are in the library. The question is: ${question}`],
  outcome: ({ given }, { answer }) => {
    if (given === null) return { status: 'running', reason: '' };
    return given === answer
      ? { status: 'succeeded', reason: 'the answer is right' }
      : { status: 'failed', reason: 'the answer is wrong' };
  },
});

const catalogue: EffectHandler = async ({ entry }) =>
  entry === 'sky' ? 'The sky is blue.' : { missing: String(entry) };

export const libraryModule = (perform: EffectHandler = catalogue): EnvironmentModule => ({
  kind: library,
  reader: settingsReader('library', { question: z.string(), answer: z.string() }),
  effectHandlers: { catalogue: perform },
});

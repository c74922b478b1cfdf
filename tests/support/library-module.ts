/** The library as the command line wants it: environment, the keys that it adds to the scenario format, and the catalogue. */
import { z } from 'zod';
import type { EnvironmentModule } from '../../src/assembly/environments.js';
import type { Performer } from '../../src/orchestrator/parts.js';
import { library } from './library-world.js';

const ENTRIES: Readonly<Record<string, string>> = { sky: 'The sky is blue.' };

export const catalogue: Performer = async ({ entry }) => ENTRIES[String(entry)] ?? { missing: String(entry) };

export function libraryModule(perform: Performer = catalogue): EnvironmentModule {
  return {
    kind: library,
    reader: {
      kind: 'library',
      keys: { question: z.string(), answer: z.string() },
      agentKeys: {},
      sections: ['place', 'last'],
      read: ({ values, agents }) => ({
        question: String(values['question']),
        answer: String(values['answer']),
        agents: agents.map((agent) => String(agent['id'])),
      }),
    },
    performers: { catalogue: perform },
  };
}

export const LIBRARY_YAML = `title: The Question
environment: library
seed: 4
question: Which colour has the sky?
answer: blue
turns: { max: 5 }
agents:
  - id: reader
    persona: You read.
    replies:
      - 'ACTION: LOOKUP "sky"'
      - 'ACTION: ANSWER "blue"'
`;

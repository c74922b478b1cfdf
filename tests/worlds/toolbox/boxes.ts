/** Small toolboxes for tests: a scenario as text, and a definition to be opened without one. */
import type { Args } from '../../../src/environment/action.js';
import type { Json } from '../../../src/base/json.js';
import type { DefinedState } from '../../../src/environment/environment-spec.js';
import type { Environment } from '../../../src/environment/environment.js';
import type { ToolboxDefinition } from '../../../src/worlds/toolbox/definition.js';
import type { ToolboxState } from '../../../src/worlds/toolbox/state.js';
import { toolbox } from '../../../src/worlds/toolbox/toolbox.js';

export const YAML = `title: Box
environment: toolbox
questions:
  tower:
    ask: How high is the tower?
    answer: { number: 42, used: SEARCH }
  other:
    ask: What is the sum?
    answer: { equals: seven }
question: tower
knowledge:
  tower: The tower is 42 metres high.
  pi: About 3.14.
agents:
  - id: ann
    controller: random
`;

export const PLAIN: ToolboxDefinition = {
  question: 'How high is the tower?',
  answer: { kind: 'number', value: '42' },
  knowledge: [
    { key: 'pi', text: 'About 3.14.' },
    { key: 'tower', text: 'The tower is 42 metres high.' },
  ],
  folder: 'papers',
  tools: [],
  agents: ['ann', 'bob'],
  scopes: {},
};

export type Box = Environment<DefinedState<ToolboxState>>;

export function box(changes: Partial<ToolboxDefinition> = {}): Box {
  const json: Json = JSON.parse(JSON.stringify({ ...PLAIN, ...changes }));
  return toolbox.open(json);
}

/** One act after the other; the last result's message, or the problem's code. */
export function acting(environment: Box) {
  let state = environment.create('1');
  return {
    state: () => state,
    act: (agent: string, action: string, args: Args = {}, outside?: Json) => {
      const intent = { agent, action, args, ...(outside === undefined ? {} : { outside }) };
      const advance = environment.advance(state, [intent]);
      state = advance.state;
      const [result] = advance.results;
      return result?.ok === true ? result.message : result?.problem.code;
    },
    text: (agent: string) =>
      environment
        .observe(state, agent)
        .sections.flatMap(({ lines }) => lines)
        .join('\n'),
    outcome: () => environment.outcome(state),
  };
}

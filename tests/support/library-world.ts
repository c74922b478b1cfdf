/**
 * A whole environment in one file, with no space and no picture: a reader asks a catalogue that lies outside the program, and
 * answers. It shows that loop, log, `show` and `parse` know nothing of grids.
 */
import { hashOf } from '../../src/base/canonical.js';
import { problem } from '../../src/base/problem.js';
import type { Json } from '../../src/base/json.js';
import { actionRegistry } from '../../src/environment/action.js';
import type { Action } from '../../src/environment/action.js';
import type { Environment, EnvironmentKind } from '../../src/environment/environment.js';
import { text } from '../../src/environment/grammar.js';
import { waitAction } from '../../src/environment/standard-actions.js';

interface State {
  readonly turn: number;
  readonly last: string;
  readonly answer: string | null;
}
interface Definition {
  readonly agents: readonly string[];
  readonly question: string;
  readonly answer: string;
}

const lookup: Action<State> = {
  name: 'LOOKUP',
  aliases: ['FIND'],
  description: 'Ask the catalogue for one entry. It does not take your turn.',
  grammar: text('entry', 'the entry to look up', 40),
  examples: ['"moon"'],
  cost: 'free',
  outside: { performer: 'catalogue' },
  check: (_state, _agent, args) =>
    args['entry'] === '' ? problem('bad-argument', 'An entry has a name. Write LOOKUP "moon".') : undefined,
  apply: (state, agent, args, outside) => {
    const message = `The catalogue says of ${JSON.stringify(args['entry'])}: ${JSON.stringify(outside ?? null)}.`;
    const event = {
      kind: 'looked-up',
      actor: agent,
      at: null,
      data: { entry: args['entry'] ?? '' },
      seenBy: [agent],
    };
    return { state: { ...state, last: message }, message, events: [event] };
  },
};

const answer: Action<State> = {
  name: 'ANSWER',
  aliases: [],
  description: 'Give the answer.',
  grammar: text('answer', 'the answer', 80),
  examples: ['"blue"'],
  cost: 'turn',
  check: () => undefined,
  apply: (state, _agent, args) => ({
    state: { ...state, answer: String(args['answer']) },
    message: 'You have answered.',
    events: [],
  }),
};

export const library: EnvironmentKind<State> = {
  kind: 'library',
  rulesVersion: 1,
  actionNames: ['ANSWER', 'LOOKUP', 'WAIT'],
  open,
};

function open(json: Json): Environment<State> {
  const definition = json as unknown as Definition;
  const actions = actionRegistry<State>([lookup, answer, waitAction()]);
  const offered = actions.list().map(({ name }) => ({ action: name, slots: {} }));
  return {
    kind: 'library',
    rulesVersion: 1,
    actions,
    agents: definition.agents,
    hasGoal: true,
    create: () => ({ turn: 1, last: '', answer: null }),
    scope: () => actions.list().map(({ name }) => name),
    active: () => definition.agents,
    offered: () => offered,
    observe: (state, agent) => ({
      agent,
      turn: state.turn,
      sections: [
        { id: 'place', lines: [`You are in the library. The question is: ${definition.question}`] },
        { id: 'last', lines: state.last === '' ? [] : [state.last] },
      ],
      scope: offered.map(({ action }) => action),
      offered,
      nouns: [],
      facts: { question: definition.question },
      scene: null,
    }),
    scene: () => null,
    check: (state, intent) => actions.get(intent.action)?.check(state, intent.agent, intent.args),
    advance: (start, intents) => {
      let state = start;
      const results = [];
      const events = [];
      for (const intent of intents) {
        const applied = actions.get(intent.action)?.apply(state, intent.agent, intent.args, intent.outside);
        state = applied?.state ?? state;
        events.push(...(applied?.events ?? []));
        results.push({ ok: true as const, message: applied?.message ?? '', path: null });
      }
      return { state, results, events };
    },
    endTurn: (state) => ({ state: { ...state, turn: state.turn + 1 }, events: [] }),
    outcome: ({ answer: given }) =>
      given === null
        ? { status: 'running', reason: '' }
        : given === definition.answer
          ? { status: 'succeeded', reason: 'the answer is right' }
          : { status: 'failed', reason: 'the answer is wrong' },
    parts: (state) => ({ all: hashOf(state) }),
  };
}

/**
 * The parser on the grid's own actions and nouns: whatever is offered to an agent can be said, in the very words of the
 * offer, and means what was offered; and the examples of every action are readable.
 */
import { describe, expect, test } from 'vitest';
import type { OfferedAction } from '../../src/environment/observation.js';
import { layOut } from '../../src/forms/layouts.js';
import { interpret } from '../../src/binding/interpret.js';
import { protocolOf } from '../../src/parse/protocols.js';
import { openGrid } from '../../src/worlds/grid/grid.js';
import { agent, chest, crate, door, npc, thing, tinyDefinition } from '../worlds/grid/tiny-world.js';

const definition = tinyDefinition(
  `
  #########
  #.A.B.#.#
  #.kKlc.D.
  #.rxs.#.#
  #########`,
  {
    A: agent('ada'),
    B: agent('ben'),
    k: thing('brass-key'),
    K: thing('iron-key'),
    l: thing('lantern', { name: 'torch' }),
    s: thing('sign', { name: 'Mr. Smith’s sign', text: 'GO EAST', portable: false }),
    c: chest('oak-chest'),
    r: npc('rat'),
    x: crate('crate'),
    D: door('oak', { state: 'closed' }),
  },
  { more: [thing('spare', { name: 'torch', place: { at: 'held', by: 'ada' } })] },
);

const environment = openGrid(definition);
const observation = environment.observe(environment.create('1'), 'ada');
const vocabulary = environment.actions.list();
const protocol = protocolOf('command');

function read(content: string): ReturnType<typeof interpret> {
  const reply = { content, reasoning: null, toolCalls: [], finishReason: 'stop' };
  return interpret(reply, protocol, vocabulary, environment.actions, observation);
}

/** Every sentence that an offer allows: each form with each of the offered fillings, and what it must mean. */
function sentences(offer: OfferedAction): readonly string[] {
  const grammar = environment.actions.get(offer.action)?.grammar ?? null;
  const layouts = grammar === null ? [[]] : layOut(grammar);
  return layouts.flatMap((leaves) =>
    leaves.reduce<readonly string[]>(
      (lines, leaf) => {
        const choices = leaf.slot === undefined ? [] : (offer.slots[leaf.slot] ?? []);
        const fill = {
          word: () => [leaf.kind === 'word' ? leaf.word : ''],
          text: () => ['"hi"'],
          integer: () => ['1'],
        };
        const said = leaf.kind === 'name' || leaf.kind === 'direction' ? choices : fill[leaf.kind]();
        return lines.flatMap((line) => said.map((word) => `${line} ${word}`));
      },
      [offer.action],
    ),
  );
}

describe('the grid’s actions', () => {
  test('whatever is offered can be said', () => {
    const all = observation.offered.flatMap((offer) => sentences(offer).map((line) => ({ offer, line })));
    expect(all.length).toBeGreaterThan(30);
    const wrong = all.filter(({ offer, line }) => read(`ACTION: ${line}`).intent?.action !== offer.action);
    expect(wrong.map(({ line }) => `${line}: ${read(`ACTION: ${line}`).problem?.message ?? ''}`)).toEqual([]);
  });

  test('the examples of every action have a form that is read', () => {
    for (const action of vocabulary) {
      for (const example of action.examples) {
        const reply = {
          content: `ACTION: ${action.name} ${example}`,
          reasoning: null,
          toolCalls: [],
          finishReason: 'stop',
        };
        expect(protocol.read(reply, vocabulary)).toMatchObject({
          ok: true,
          command: { action: action.name },
        });
      }
    }
  });

  test('amounts and names are told apart', () => {
    expect(read('ACTION: TAKE brass key').intent?.args).toEqual({ thing: 'brass-key' });
    expect(read('ACTION: TAKE 1 brass key').intent?.args).toEqual({ amount: 1, thing: 'brass-key' });
    expect(read('ACTION: TAKE key').problem?.code).toBe('ambiguous');
    expect(read('ACTION: LOOK AT torch').problem?.message).toContain('could be other torch, your torch. Say');
    expect(read('ACTION: LOOK AT your torch').intent?.args).toEqual({ target: 'spare' });
    expect(read('ACTION: LOOK AT torch [spare]').intent?.args).toEqual({ target: 'spare' });
  });

  test('what is offered is told in one line an action', () => {
    const lines = protocol.actionLines(vocabulary, observation.offered);
    expect(lines).toHaveLength(observation.offered.length);
    expect(lines).toContain('WAIT');
    expect(lines).toContain('SPEAK "<text>"');
    expect(lines.find((line) => line.startsWith('TAKE '))).toMatch(/^TAKE <.*brass key.*>$/);
  });
});

describe('a name without the fixed word before it', () => {
  const nouns = observation.nouns.filter(({ kinds }) =>
    kinds.some((kind) => kind === 'thing' || kind === 'person'),
  );
  const distinct = nouns.filter(({ name }) => nouns.filter((one) => one.name === name).length === 1);

  test.each([
    ['GO', 'GO TO'],
    ['LOOK', 'LOOK AT'],
    ['EXAMINE', 'LOOK AT'],
  ])('%s means what %s means', (short, whole) => {
    expect(distinct.length).toBeGreaterThan(2);
    for (const { name } of distinct)
      for (const label of ['ACTION: ', '**Action:** ']) {
        const { intent, problem } = read(`${label}${whole} ${name}`);
        expect(read(`${label}${short} ${name}`)).toMatchObject({ intent, problem });
      }
  });

  test('is refused with the whole form if it names nothing, and never read without a label', () => {
    expect(read('ACTION: GO away').problem?.message).toBe(
      'I read GO, but not what follows: "away". Write GO <direction> or GO TO <target>.',
    );
    expect(read('GO crate').intent).toBeNull();
    expect(read('ACTION: GO NORTH (crate)').intent?.args).toEqual({ direction: 'north' });
  });
});

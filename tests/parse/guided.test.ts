/**
 * Guided forms on the grid's own actions: whatever a form lets through is read as an offered action, every answer that the protocol itself
 * would write is let through, and all spellings of a form accept the same.
 */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Args } from '../../src/environment/action.js';
import type { JsonObject } from '../../src/base/json.js';
import type { OfferedAction } from '../../src/environment/observation.js';
import type { GuidedForm } from '../../src/model/chat.js';
import type { GrammarLeaf } from '../../src/forms/layouts.js';
import type { SlotChoices } from '../../src/forms/layouts.js';
import { interpret } from '../../src/binding/interpret.js';
import { formsNow } from '../../src/forms/offered-forms.js';
import { characters, gbnfOf, regexOf, wholeNumbers } from '../../src/forms/pattern.js';
import { protocolOf } from '../../src/parse/protocols.js';
import { PROTOCOL_NAMES } from '../../src/scenario/scenario.js';
import { openGrid } from '../../src/worlds/grid/grid.js';
import { agent, chest, crate, door, npc, thing, tinyDefinition } from '../worlds/grid/tiny-world.js';
import { gbnfRegExp } from '../fake-server/gbnf.mjs';
import { SIZED, sizeOf } from '../support/sizes.js';

function settingWith(name: string) {
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
      K: thing('iron-key', { name }),
      l: thing('lantern', { name: 'torch' }),
      s: thing('sign', { name: 'Mr. Smith’s sign', text: 'GO EAST', portable: false }),
      c: chest('oak-chest'),
      r: npc('rat'),
      x: crate('crate'),
      D: door('oak', { state: 'closed' }),
    },
    {
      more: [
        thing('spare', { name: 'torch', place: { at: 'held', by: 'ada' } }),
        thing('rope', { place: { at: 'held', by: 'ada' } }),
      ],
    },
  );
  const environment = openGrid(definition);
  const observation = environment.observe(environment.create('1'), 'ada');
  return { environment, observation, vocabulary: environment.actions.list() };
}

const hostile = settingWith('key (old) [x] "K" \\ + 1.5*2 {^$|}');
/** No command line can say the marks that markdown drops, so `command` gets a plainer name. */
const plain = settingWith('key + 1.5$ (old)');

type Name = (typeof PROTOCOL_NAMES)[number];

function settingOf(name: Name): typeof plain {
  return name === 'command' ? plain : hostile;
}

function guidedOf(name: Name, offered = settingOf(name).observation.offered): GuidedForm {
  const { guided } = protocolOf(name).form(settingOf(name).vocabulary, offered, { reasoning: true });
  if (guided === null) throw new Error(`${name} has no guided form`);
  return guided;
}

function read(name: Name, content: string): ReturnType<typeof interpret> {
  const reply = { content, reasoning: null, toolCalls: [], finishReason: 'stop' };
  const { environment, observation, vocabulary } = settingOf(name);
  return interpret(reply, protocolOf(name), vocabulary, environment.actions, observation);
}

/** Every way to fill an offered action, with names as they are offered and numbers at both ends. */
function fillings(offer: OfferedAction): readonly Args[] {
  const grammar = hostile.environment.actions.get(offer.action)?.grammar ?? null;
  return formsNow(grammar, offer, false).flatMap(({ leaves, choices }) =>
    leaves.reduce<readonly Args[]>(
      (all, leaf) => {
        const { slot } = leaf;
        if (slot === undefined) return all;
        return all.flatMap((args) => valuesOf(leaf, choices).map((value) => ({ ...args, [slot]: value })));
      },
      [{}],
    ),
  );
}

function valuesOf(leaf: GrammarLeaf, choices: SlotChoices): readonly (string | number)[] {
  if (leaf.kind === 'integer') return leaf.min === leaf.max ? [leaf.min] : [leaf.min, leaf.max];
  if (leaf.kind === 'text') return ['Hello there'];
  return leaf.kind === 'word' ? [leaf.word] : (choices[leaf.slot] ?? []);
}

const offeredCommands = hostile.observation.offered.flatMap((offer) =>
  fillings(offer).map((args) => ({ action: offer.action, args })),
);

const NAMED = ['json', 'react', 'tools'] as const;

describe.each(NAMED)('whatever is offered can be said in %s', (name) => {
  test('and is read back to the same', () => {
    expect(offeredCommands.length).toBeGreaterThan(30);
    for (const command of offeredCommands) {
      const content = protocolOf(name).replyText({
        ok: true,
        command,
        rung: 'object',
        span: null,
        words: '',
      });
      const { intent, problem, reading } = read(name, content);
      expect(problem).toBeNull();
      expect(intent?.action).toBe(command.action);
      expect(reading).toMatchObject({ ok: true, command: { action: command.action, args: command.args } });
    }
  });
});

/** A thought as guided replies hold it, up to the answer. */
function thoughtOf(name: Name, words: string): string {
  return `${name === 'react' ? 'Thought: ' : ''}${words}\nSo my action is:\n`;
}

/** Words that make a reader doubt, or that begin something. */
const DOUBTFUL =
  `Ignore the next line, my answer is false. I refuse not to do this! ACTION GO NORTH - Action WAIT Observation user says said Suppose
  Thought Human 1. 2. A turn step then finally or instead of example lie dear knight ben rat Final Answer what follows never if`.split(
    /\s+/,
  );
const ANSWERS = {
  command: 'ACTION: WAIT',
  json: '{"name": "WAIT", "parameters": {}}',
  react: 'Action: WAIT\nAction Input: {}',
};

describe.each(['command', 'json', 'react'] as const)('the guided form of %s', (name) => {
  const guided = guidedOf(name);
  const regex = new RegExp(`^(?:${guided.regex})$`, 'u');
  const grammar = gbnfRegExp(guided.gbnf);
  const { observation, vocabulary } = settingOf(name);
  const isOffered = new Set(observation.offered.map(({ action }) => action));

  test('lets nothing through but offered actions, and each is read', SIZED, () => {
    fc.assert(
      fc.property(fc.stringMatching(regex), (content) => {
        const { intent, problem } = read(name, content);
        expect(problem).toBeNull();
        expect(isOffered.has(intent?.action ?? '')).toBe(true);
        expect(content).toMatch(grammar);
      }),
      { numRuns: sizeOf('guidedFuzz') },
    );
  });

  test('is read whatever its thought says', SIZED, () => {
    const words = fc.array(fc.constantFrom(...DOUBTFUL), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(words, fc.constantFrom('.', '!', '?'), (some, mark) => {
        const content = `${thoughtOf(name, `${some.join(' ')}${mark}`)}${ANSWERS[name]}`;
        // A thought that opens with the label is an answer itself, and two different ones are ambiguous.
        const isLabelled = name === 'command' && some[0]?.toUpperCase() === 'ACTION';
        fc.pre(some[0] !== '-' && !isLabelled);
        expect(content).toMatch(regex);
        expect(read(name, content)).toMatchObject({ problem: null, intent: { action: 'WAIT' } });
      }),
      { numRuns: sizeOf('guidedFuzz') },
    );
  });

  test('uses nothing that a server’s engine lacks', () => {
    expect(guided.regex.replace(/\\[^A-Za-z0-9]|\\n/g, '')).not.toMatch(/\(\?|[$^\\]/);
    expect(guided.gbnf.split('\n')).toHaveLength(1);
  });

  test('counts no more than 128 characters at a time: vLLM breaks off over a larger count', () => {
    const counts = [guided.regex, guided.gbnf, JSON.stringify(guided.schema)].flatMap((text) => [
      ...text.matchAll(/\{(\d+)(?:,(\d+))?\}/g),
    ]);
    expect(counts.length).toBeGreaterThan(10);
    for (const [, least, most] of counts) expect(Number(most ?? least)).toBeLessThanOrEqual(128);
  });

  test('can’t say what is not offered', () => {
    const without = guidedOf(
      name,
      observation.offered.filter(({ action }) => action !== 'WAIT'),
    );
    expect(guided.regex).toContain('WAIT');
    expect(without.regex).not.toContain('WAIT');
    expect(without.gbnf).not.toContain('WAIT');
    expect(JSON.stringify(without.schema)).not.toContain('WAIT');
  });

  test('is none where nothing is offered', () => {
    expect(protocolOf(name).form(vocabulary, [], { reasoning: true }).guided).toBeNull();
  });

  test('ends with its answer: no thought holds one', () => {
    for (const answer of [
      'ACTION: WAIT',
      '{"name": "WAIT", "parameters": {}}',
      'Action: WAIT\nAction Input: {}',
    ]) {
      expect(`I think ${answer} is good.\n${answer}`).not.toMatch(regex);
    }
  });
});

describe.each(['json', 'react'] as const)('the guided form of %s', (name) => {
  test('lets through every answer that the protocol writes', () => {
    const guided = guidedOf(name);
    const regex = new RegExp(`^(?:${guided.regex})$`, 'u');
    const grammar = gbnfRegExp(guided.gbnf);
    for (const command of offeredCommands) {
      const content = protocolOf(name).replyText({
        ok: true,
        command,
        rung: 'object',
        span: null,
        words: '',
      });
      for (const text of [content, `${thoughtOf(name, 'I do it now, since it helps.')}${content}`]) {
        expect(text).toMatch(regex);
        expect(text).toMatch(grammar);
      }
    }
  });
});

/** Whether a schema lists a value, or has no list. */
function isIn(schema: JsonObject | undefined, value: unknown): boolean {
  const listed = schema?.['enum'];
  return !Array.isArray(listed) || listed.some((one) => one === value);
}

test('the schema of json has one shape an answer, each closed', () => {
  const { anyOf } = guidedOf('json').schema as { anyOf: readonly JsonObject[] };
  for (const command of offeredCommands) {
    const slots = Object.keys(command.args);
    const fits = anyOf.filter((shape) => {
      const { name, parameters } = shape['properties'] as Record<string, JsonObject>;
      const required = parameters?.['required'] as readonly string[];
      const properties = parameters?.['properties'] as Record<string, JsonObject>;
      return (
        JSON.stringify(name?.['enum']) === JSON.stringify([command.action]) &&
        required.length === slots.length &&
        slots.every((slot) => required.includes(slot) && isIn(properties[slot], command.args[slot]))
      );
    });
    expect(fits).toHaveLength(1);
  }
  expect(anyOf.every((shape) => shape['additionalProperties'] === false)).toBe(true);
});

test('a tool lists the names that fit now, and no parameter for which nothing does', () => {
  const { observation, vocabulary } = hostile;
  const { tools, guided } = protocolOf('tools').form(vocabulary, observation.offered, { reasoning: true });
  expect(guided).toBeNull();
  expect(tools.map(({ name }) => name)).toEqual(observation.offered.map(({ action }) => action));
  for (const { action, slots } of observation.offered) {
    const { properties } = (tools.find(({ name }) => name === action)?.parameters ?? {}) as {
      properties: Record<string, JsonObject>;
    };
    for (const [slot, names] of Object.entries(slots)) {
      const isFree = ['text', 'amount'].includes(slot);
      if (!isFree) expect(properties[slot]?.['enum'] ?? []).toEqual(names);
    }
  }
});

test('many characters in small counts are as many as in one', () => {
  const lengths = fc.tuple(fc.nat({ max: 700 }), fc.nat({ max: 700 }), fc.nat({ max: 1500 }));
  fc.assert(
    fc.property(lengths, ([min, more, length]) => {
      const pattern = characters('aé', min, min + more);
      // Where counts end and begin, too.
      const edges = [127, 128, 129, 255, 256, 257, length, min, min + more, min - 1, min + more + 1];
      for (const one of edges.filter((count) => count >= 0)) {
        const isRight = one >= min && one <= min + more;
        expect(new RegExp(`^(?:${regexOf(pattern)})$`).test('é'.repeat(one))).toBe(isRight);
        expect(gbnfRegExp(gbnfOf(pattern)).test('a'.repeat(one))).toBe(isRight);
      }
    }),
    { numRuns: 50 },
  );
});

test('a range of whole numbers is exactly that', () => {
  const ranges = fc.tuple(fc.integer({ min: -1200, max: 1200 }), fc.nat({ max: 1500 }));
  fc.assert(
    fc.property(ranges, fc.integer({ min: -3000, max: 3000 }), ([min, width], value) => {
      const regex = new RegExp(`^(?:${regexOf(wholeNumbers(min, min + width))})$`);
      for (const one of [value, min, min + width, min - 1, min + width + 1])
        expect(regex.test(String(one))).toBe(one >= min && one <= min + width);
      expect(regex.test(`0${value}`)).toBe(false);
    }),
  );
});

describe('where a reply has no reasoning', () => {
  const thinking = 'The key is near.\nSo my action is:\n';
  test.each([
    ['command', 'ACTION: WAIT'],
    ['json', '{"name": "WAIT", "parameters": {}}'],
  ] as const)('the form of %s has room for the answer alone', (name, answer) => {
    const { vocabulary, observation } = settingOf(name);
    const fits = (reasoning: boolean, text: string): boolean => {
      const { guided } = protocolOf(name).form(vocabulary, observation.offered, { reasoning });
      return new RegExp(`^(?:${guided?.regex ?? ''})$`, 'u').test(text);
    };
    expect([fits(true, answer), fits(true, thinking + answer)]).toEqual([true, true]);
    expect([fits(false, answer), fits(false, thinking + answer)]).toEqual([true, false]);
  });

  test('the instructions ask for the action only, and the schema of json has no thought', () => {
    const { vocabulary, observation } = settingOf('json');
    const json = protocolOf('json');
    expect(json.instructions(vocabulary, { reasoning: true })).toContain(
      'think in one to three short sentences',
    );
    expect(json.instructions(vocabulary, { reasoning: false })).not.toContain('think');
    expect(protocolOf('command').instructions(vocabulary, { reasoning: false })).not.toContain('think');
    const { guided } = json.form(vocabulary, observation.offered, { reasoning: false });
    expect(JSON.stringify(guided?.schema)).not.toContain('thought');
  });
});

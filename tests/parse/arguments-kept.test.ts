/**
 * Inside an argument nothing is removed: what a reply gives as an argument, in every protocol and in the forms in which models write it,
 * arrives character for character. Names of things are the hard case, because a name without its marks may be that of another thing.
 */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Action } from '../../src/environment/action.js';
import { actionRegistry } from '../../src/environment/action.js';
import type { Grammar } from '../../src/environment/grammar.js';
import { name, text } from '../../src/environment/grammar.js';
import type { Noun, Observation } from '../../src/environment/observation.js';
import { interpret } from '../../src/binding/interpret.js';
import { protocolOf } from '../../src/parse/protocols.js';

function action(verb: string, grammar: Grammar | null, terminal: boolean): Action<null> {
  return {
    name: verb,
    aliases: [],
    description: `${verb} does its work.`,
    grammar,
    examples: [],
    cost: 'turn',
    terminal,
    check: () => undefined,
    apply: (state) => ({ state, message: '', events: [] }),
  };
}

const REGISTRY = actionRegistry<null>([
  action('SPEAK', text('text', 'What to say.', 500), false),
  action('READ', name('file', ['file'], 'Which file.'), false),
  action('WAIT', null, false),
  action('ANSWER', text('text', 'The answer.', 500), true),
]);

function observation(names: readonly string[]): Observation {
  const actions = REGISTRY.list().map((one) => one.name);
  return {
    agent: 'ann',
    turn: 1,
    sections: [],
    scope: actions,
    offered: actions.map((one) => ({ action: one, slots: {} })),
    nouns: names.map((one, index): Noun => ({ id: `f${index}`, name: one, aliases: [], kinds: ['file'] })),
    facts: {},
    scene: null,
  };
}

type ProtocolName = Parameters<typeof protocolOf>[0];

/** The argument that was understood; null if the reply was refused. */
function understood(protocol: ProtocolName, content: string, names: readonly string[] = []): unknown {
  const reply = { content, reasoning: null, toolCalls: [], finishReason: 'stop' };
  const { intent } = interpret(reply, protocolOf(protocol), REGISTRY.list(), REGISTRY, observation(names));
  return intent === null ? null : Object.values(intent.args)[0];
}

/** Words with a form of their own, and marks that are markup elsewhere. */
const WORDS = [
  '__init__.py',
  '*.txt',
  'C#',
  'a_b',
  '#1',
  '~/x',
  'x~',
  '`ls`',
  '<b>',
  '**kw',
  '_',
  '*',
  'f(x)',
  'k[0]',
  '{a}',
  'x|y',
  '$5',
  'a<b',
  '2>1',
  '~~~',
  'key',
  'README.md',
  'x*',
  'x_',
  ':)',
  '=)',
];

/** One to four of them, or of a few letters and marks. */
const argument = fc
  .array(
    fc.oneof(
      fc.constantFrom(...WORDS),
      fc.string({
        unit: fc.constantFrom('a', 'b', '_', '*', '`', '#', '~', '<', '>', '-', '.'),
        minLength: 1,
        maxLength: 5,
      }),
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((words) => words.join(' '));

const RUNS = { numRuns: 400 };

/** How each protocol gives an argument whose ends are marked, by the protocol. */
const MARKED: Readonly<
  Record<ProtocolName, readonly ((verb: string, slot: string, value: string) => string)[]>
> = {
  command: [
    (verb, _, value) => `ACTION: ${verb} "${value}"`,
    (verb, _, value) => `**Action:** ${verb} "${value}"`,
    (verb, _, value) => `**ACTION: ${verb} “${value}”**`,
    (verb, _, value) => `ACTION: ${verb} "${value}" 🙂`,
  ],
  json: [
    (verb, slot, value) => JSON.stringify({ name: verb, parameters: { [slot]: value } }),
    (verb, slot, value) =>
      `\`\`\`json\n${JSON.stringify({ action: verb, args: { [slot]: value } }, null, 1)}\n\`\`\``,
    (verb, slot, value) => `{'name': '${verb}', 'parameters': {'${slot}': '${value}'}}`,
  ],
  react: [
    (verb, slot, value) => `Action: ${verb}\nAction Input: ${JSON.stringify({ [slot]: value })}`,
    (verb, slot, value) =>
      `Action: ${verb}\nAction Input: \`\`\`json\n${JSON.stringify({ [slot]: value })}\n\`\`\``,
    (verb, slot, value) => `**Action:** ${verb}\n**Action Input:** \`${JSON.stringify({ [slot]: value })}\``,
  ],
  tools: [
    (verb, slot, value) =>
      `<tool_call>${JSON.stringify({ name: verb, arguments: { [slot]: value } })}</tool_call>`,
    (verb, slot, value) => `<function=${verb}><parameter=${slot}>${value}</parameter></function>`,
    (verb, slot, value) => `${verb}(${JSON.stringify({ [slot]: value })})`,
    (verb, slot, value) => `${verb}(${slot}=${JSON.stringify(value)})`,
  ],
};

/** The same for one that has nothing around it. */
const BARE: Readonly<Record<'command' | 'react', readonly ((verb: string, value: string) => string)[]>> = {
  command: [
    (verb, value) => `ACTION: ${verb} ${value}`,
    (verb, value) => `**ACTION:** ${verb} ${value}\n\nDone.`,
  ],
  react: [
    (verb, value) => `Action: ${verb}\nAction Input: ${value}`,
    (verb, value) => `**Action:** ${verb}\n**Action Input:** ${value}`,
    (verb, value) => `Action: ${verb}\nAction Input:\n\`\`\`\n${value}\n\`\`\``,
    (verb, value) => `Action: ${verb}\nAction Input: \`\`\` ${value} \`\`\``,
    (verb, value) => `Action: ${verb}\nAction Input: \`\`\`text ${value} \`\`\`\nObservation: Done.`,
    (verb, value) => `Action: ${verb}\nAction Input: \`\`\` ${value}\n\`\`\``,
    (verb, value) => `Action: ${verb}\nAction Input: \`\`\`\n${value} \`\`\``,
  ],
};

/** A text that consists of a placeholder, a fence or the like can't be told from one that was left. */
function isWhole(value: string): boolean {
  return !/^<[^<>]*>$|^\.{3}$|^[~`]{3}/.test(value);
}

/** Nor can a name that is the form's own placeholder. */
function isName(value: string): boolean {
  return isWhole(value) && !/^\.*$|^[{[<].*\|.*[}\]>]$/.test(value);
}

/** Without marks around it, a full stop ends the sentence, and what stands in brackets before it may be a comment. */
function isSeenWhole(value: string): boolean {
  return isWhole(value) && !/[[(].*\.$/.test(value);
}

test.each(Object.keys(MARKED) as ProtocolName[])('in %s, dots alone are a placeholder', (protocol) => {
  for (const form of MARKED[protocol]) {
    expect(understood(protocol, form('SPEAK', 'text', '...'))).toBeNull();
    for (const value of ['.', '..', '....', '... a'])
      expect(understood(protocol, form('SPEAK', 'text', value))).toBe(value);
  }
});

describe.each(Object.keys(MARKED) as ProtocolName[])('in %s', (protocol) => {
  test('a marked text arrives as it was written', () => {
    for (const form of MARKED[protocol])
      fc.assert(
        fc.property(argument.filter(isWhole), (value) => {
          expect(understood(protocol, form('SPEAK', 'text', value))).toBe(value);
        }),
        RUNS,
      );
  });

  test('a marked name means the thing of exactly that name', () => {
    for (const form of MARKED[protocol])
      fc.assert(
        fc.property(argument.filter(isName), (value) => {
          expect(understood(protocol, form('READ', 'file', value), [plain(value), value])).toBe('f1');
        }),
        RUNS,
      );
  });
});

/** A name that would be left if marks were removed; never the name itself. */
function plain(value: string): string {
  const bare = value.replace(/[^a-z. ]/gi, '').trim();
  return bare === value || bare === '' ? 'another' : bare;
}

describe.each(Object.keys(BARE) as (keyof typeof BARE)[])('in %s, without marks around it', (protocol) => {
  test('a text arrives as it was written or not at all, and mostly as it was', () => {
    for (const form of BARE[protocol]) {
      let arrived = 0;
      fc.assert(
        fc.property(argument.filter(isWhole), (value) => {
          const got = understood(protocol, form('SPEAK', value));
          if (got === value) arrived += 1;
          else expect(got).toBeNull();
        }),
        RUNS,
      );
      expect(arrived).toBeGreaterThan(RUNS.numRuns * 0.9);
    }
  });

  test('a name never means the thing that is called as it without its marks', () => {
    for (const form of BARE[protocol]) {
      fc.assert(
        fc.property(argument.filter(isSeenWhole), (value) => {
          expect(understood(protocol, form('READ', value), [plain(value), value])).not.toBe('f0');
        }),
        RUNS,
      );
      for (const value of ['__init__.py', '*.txt', 'C#', 'a_b.c', '~/x', '**kw', '2>1'])
        expect(understood(protocol, form('READ', value), [plain(value), value])).toBe('f1');
    }
  });
});

describe('a final answer', () => {
  const LABELS = ['Final Answer:', '**Final Answer:**', '**Final Answer**:'];
  /** The one exception: bold or code around the whole answer, and no such mark within it. */
  const inner = (value: string): string => {
    const [, bold, code] = /^(?:\*\*([^*]+)\*\*|`([^`]+)`)$/.exec(value) ?? [];
    return bold ?? code ?? value;
  };

  test('arrives as it was written, but for a pair of marks around the whole of it', () => {
    for (const label of LABELS)
      for (const around of ['', '**', '`'])
        fc.assert(
          fc.property(argument.filter(isWhole), (value) => {
            const written = `${around}${value}${around}`;
            fc.pre(isWhole(written));
            const got = understood('react', `Thought: I know.\n${label} ${written}`);
            if (got !== null) expect(got).toBe(inner(written).trim());
          }),
          RUNS,
        );
  });

  test.each([
    '__init__.py',
    '*.txt',
    'C#',
    '# 1',
    'x *',
    '`ls` -a',
    'an _odd_ *one*',
    '**a** or **b**',
    '_a_',
  ])('is whole: %s', (value) => {
    for (const label of LABELS)
      expect(understood('react', `Thought: I know.\n${label} ${value}`)).toBe(value);
  });

  test.each([
    ['**a b**', 'a b'],
    ['`ls -a`', 'ls -a'],
  ])('is what a pair of marks holds: %s', (written, value) => {
    for (const label of LABELS)
      expect(understood('react', `Thought: I know.\n${label} ${written}`)).toBe(value);
  });
});

test.each([':) hello', '=) hello', ':-) hello', ':D hello', ":'( oh", ':smile: hello'])(
  'a smiley that begins a text is part of it: %s',
  (value) => {
    expect(understood('command', `ACTION: SPEAK ${value}`)).toBe(value);
    expect(understood('command', `ACTION: SPEAK: ${value}`)).toBe(value);
    expect(understood('react', `Action: SPEAK ${value}`)).toBe(value);
  },
);

test.each([
  'SPEAK: hello',
  'SPEAK : hello',
  'SPEAK = hello',
  'SPEAK:hello',
  'SPEAK :"hello"',
  "SPEAK :'hello'",
])('a mark between a verb and its text is not: %s', (command) => {
  expect(understood('command', `ACTION: ${command}`)).toBe('hello');
});

test.each([
  "('<|x|> a b')",
  "('a <|x|> b')",
  "('a :) <|x|> b')",
  "('f(x) <|x|> b')",
  '(a <|x|> b)',
  '(f(x) <|x|> b)',
  " ('<|x|> a b')",
  "['a <|x|> b']",
  '[a <|x|> b]',
  '{a <|x|> b}',
])('half of an argument is not spoken: SPEAK%s', (written) => {
  expect(understood('command', `ACTION: SPEAK${written}`)).toBeNull();
  expect(understood('react', `Action: SPEAK${written}`)).toBeNull();
});

test.each(["('a <|x|> b')", "['a <|x|> b']", "'a <|x|> b'"])(
  'nor is half of an input of react: %s',
  (written) => {
    expect(understood('react', `Action: SPEAK\nAction Input: ${written}`)).toBeNull();
  },
);

test.each(['(waves) hello', '(: hello', "(it's me", '(waves'])('brackets may begin a text: %s', (value) => {
  expect(understood('command', `ACTION: SPEAK ${value}`)).toBe(value);
});

/** With its ends on the lines of the words; a language may stand before them. */
test.each([
  '```I see the brass key.```',
  '```text I see the brass key.```',
  '``` I see the brass key. ```',
  '~~~I see the brass key.~~~',
  '```I see the brass key.\n```',
  '```\nI see the brass key.```',
  '```txt\nI see the brass key.```\n',
])('a code fence around an input is not spoken: %j', (written) => {
  for (const label of ['Action Input:', '**Action Input:**', 'Action Input:\n'])
    expect(understood('react', `Action: SPEAK\n${label} ${written}`)).toBe('I see the brass key.');
  expect(understood('react', `Final Answer: ${written}`)).toBe('I see the brass key.');
  expect(understood('react', `Action: SPEAK\nAction Input: ${written}\nObservation: Done.`)).toBe(
    'I see the brass key.',
  );
});

test('code among the words of an input is', () => {
  const value = '```ls``` or ```cd```, I think';
  expect(understood('react', `Action: SPEAK\nAction Input: ${value}`)).toBe(value);
});

/** `draw`: what the seed chooses, where it stands, which mistakes are told with which draw, and what else may have been drawn. */
import { describe, expect, it } from 'vitest';
import { LIMITS } from '../../src/base/limits.js';
import { possibleWorlds, worldsOfAgent } from '../../src/scenario/possible-worlds.js';
import type { PossibleWorld } from '../../src/scenario/possible-worlds.js';
import { drawnText } from '../../src/scenario/scenario.js';
import type { Drawn, Scenario } from '../../src/scenario/scenario.js';
import { known } from '../../src/base/assert.js';
import { READERS } from '../../src/worlds/registry.js';
import { BASE, diagnose, load, SPRITES } from './support.js';
import type { Setup } from './support.js';

const SEEDS = Array.from({ length: 24 }, (_, i) => String(i + 1));

function drawn(draw: string, seed: string): Drawn {
  return known(load(`${BASE}draw: ${draw}\n`, { seed }).scenario.draw, 'a draw').drawn;
}

/** The scenario of the tests with these lines, by this seed. */
function scenarioWith(lines: string, setup: Setup = {}): Scenario {
  return load(`${BASE}${lines}\n`, setup).scenario;
}

/** `line:column message → suggestion` of everything found. */
function found(content: string, setup: Setup = {}): readonly string[] {
  return diagnose(content, setup).map(
    ({ line, column, message, suggestion = '' }) => `${line}:${column} ${message} → ${suggestion}`,
  );
}

describe('what is drawn', () => {
  it('is one value of each list, any of them, the same for the same seed', () => {
    const values = SEEDS.map((seed) => drawn('{ n: [2, 3, 4] }', seed)['n']);
    expect(new Set(values)).toEqual(new Set([2, 3, 4]));
    expect(SEEDS.map((seed) => drawn('{ n: [2, 3, 4] }', seed)['n'])).toEqual(values);
  });

  it('does not depend on the other draws', () => {
    const alone = SEEDS.map((seed) => drawn('{ n: [2, 3, 4] }', seed)['n']);
    const withAnother = SEEDS.map((seed) => drawn('{ a: [x, y], n: [2, 3, 4] }', seed)['n']);
    expect(withAnother).toEqual(alone);
    const otherName = SEEDS.map((seed) => drawn('{ m: [2, 3, 4] }', seed)['m']);
    expect(otherName).not.toEqual(alone);
  });

  it('is with shuffle every value, in any order', () => {
    const orders = SEEDS.map((seed) => drawnText(drawn('{ name: { shuffle: [a, b, c] } }', seed)));
    expect(new Set(orders).size).toBe(6);
    for (const order of orders) expect(order.slice(6, -1).split(' · ').toSorted()).toEqual(['a', 'b', 'c']);
  });

  it('is set by --set, and follows a seed that is', () => {
    const lines = 'draw: { n: [2, 3, 4] }';
    const bySetting = scenarioWith(lines, { set: ['draw.n=[7]'] });
    expect(bySetting.draw?.drawn).toEqual({ n: 7 });
    for (const seed of SEEDS.slice(0, 8))
      expect(scenarioWith(lines, { set: [`seed=${seed}`] }).draw?.drawn).toEqual({
        n: drawn('{ n: [2, 3, 4] }', seed)['n'],
      });
  });

  it('is told in words', () => {
    const text = drawnText({ colour: 'red', n: 2, names: ['a', 'b'], key: { word: 'rouge', at: 3 } });
    expect(text).toBe('colour red, n 2, names (a · b), key (word rouge, at 3)');
  });
});

describe('where it stands', () => {
  it('keeps its type alone, and is text within text', () => {
    const { turns, prompt, title } = scenarioWith(
      'draw: { n: [7] }\nturns: { max: "{{n}}" }\nprompt: { rules: "Take {{ n }} of {{n}}.", offers: "{{n}}" }',
      { set: ['prompt.offers=true'] },
    );
    expect([turns.max, prompt.rules, title]).toEqual([7, 'Take 7 of 7.', 'Test']);
  });

  it('is an id, a key and part of one', () => {
    const content = BASE.replaceAll('small-key', '{{colour}}-key').replace(
      /^(.*)\{\{colour\}\}-key(.*)$/gm,
      (line) => (line.includes('  {{') ? line.replace(/\{\{colour\}\}-key/, '"{{colour}}-key"') : line),
    );
    const { definition } = load(
      `${content.replaceAll('{ thing: {{colour}}-key }', "{ thing: '{{colour}}-key' }").replaceAll('{ key: {{colour}}-key }', "{ key: '{{colour}}-key' }")}draw: { colour: [red] }\n`,
    ).scenario;
    expect(JSON.stringify(definition)).toContain('"red-key"');
    expect(JSON.stringify(definition)).not.toContain('{{');
  });

  it('has parts, by name, and places, by number', () => {
    const { prompt } = scenarioWith(
      'draw: { key: [{ colour: red, word: rouge }], pair: { shuffle: [{ a: 1 }] } }\nprompt: { rules: "{{key.colour}} {{key.word}} {{pair.1.a}}" }',
    );
    expect(prompt.rules).toBe('red rouge 1');
  });

  it('is nowhere in a scenario without draw', () => {
    const scenario = scenarioWith('prompt: { rules: "{{colour}} and {{name}}" }');
    expect(scenario.prompt.rules).toBe('{{colour}} and {{name}}');
    expect(scenario).not.toHaveProperty('draw');
    expect(scenarioWith('draw: {}')).not.toHaveProperty('draw');
  });

  it('is not in templates of prompts, whose placeholders are their own', () => {
    const template = '{{sections}} {{actions}} {{problem}}';
    const { prompt } = scenarioWith(
      'draw: { colour: [red] }\nprompt: { rules: "{{colour}}", templates: { turn: turn.txt } }',
      { files: { 'turn.txt': template } },
    );
    expect(prompt.templates['turn']).toBe(template);
  });
});

describe('mistakes', () => {
  it.each([
    [
      'draw: { colour: [red] }\nprompt: { rules: "a {{color}}" }',
      "23:18 nothing is drawn for {{color}} → did you mean 'colour'?",
    ],
    [
      'draw: { key: [{ word: x }] }\nprompt: { rules: "{{key}}" }',
      '23:18 nothing is drawn for {{key}} → known: key.word',
    ],
    [
      'draw: { n: { shuffle: [1, 2] } }\nprompt: { rules: "{{n.3}}" }',
      "23:18 nothing is drawn for {{n.3}} → did you mean 'n.1'?",
    ],
    [
      'draw: { colour: [red] }',
      "22:9 'colour' is drawn, but not used → write {{colour}} where its value belongs",
    ],
    [
      'draw: { n: [1] }\nseed: "{{n}}"',
      '23:7 the seed decides what is drawn, so nothing drawn can be part of it → ',
    ],
    ['draw: { n: [] }\nturns: { max: "{{n}}" }', '22:12 the list has 0 entries; the minimum is 1 entry → '],
    ['draw: { n: ["{{m}}"] }', "22:13 must not contain '{{' → "],
    [
      'draw: { n: [1.5] }\nturns: { max: "{{n}}" }',
      '22:13 expected text or a whole number or true or false, found the number 1.5',
    ],
    [
      'draw: { n: 3 }\nturns: { max: "{{n}}" }',
      '22:12 expected a list or keys with values, found the number 3',
    ],
    ['draw: { N: [3] }', "22:9 'N' is not a valid id"],
    [
      'draw: { n: [x] }\nturns: { max: "{{n}}" }',
      "23:15 expected a whole number, found 'x' → write it in digits",
    ],
    ['draw: { a: [proto] }\nmodels: { "__{{a}}__": {} }', "23:11 '__proto__' is not a valid key"],
    ['draw: { a: [x] }\nmodels: { "{{a}}": {}, x: {} }', "23:24 the draw makes the key 'x' twice"],
    ['draw: { a: [x] }\nmodels: { "{{a}}": { max_tokens: 0 } }', '23:34 0 is out of range'],
    ['draw: { n: [1] }\nturns: { max: {{n}} }', 'write a drawn value in quotes: "{{name}}"'],
  ])('%j', (lines, expected) => {
    const all = found(`${BASE}${lines}\n`);
    expect(
      all.some((one) => one.includes(expected)),
      JSON.stringify(all),
    ).toBe(true);
  });

  it('of draw itself hide where it is used', () => {
    expect(found(`${BASE}draw: { n: 3 }\nturns: { max: "{{n}}" }\n`)).toHaveLength(1);
  });

  const SPRITE = BASE.replace('{ kind: key }', "{ kind: key, sprite: 'item/{{what}}' }");

  it('with other draws are found if they are wanted, and say with which', () => {
    const content = `${SPRITE}draw: { what: [key-brass, scrol, bred], n: [1, 2] }\nturns: { max: "{{n}}" }\n`;
    const good = known(
      SEEDS.find((seed) => drawn('{ what: [a, b, c] }', seed)['what'] === 'a'),
      'a seed that draws the first',
    );
    expect(found(content, { seed: good })).toEqual([]);
    expect(found(content, { seed: good, everyDraw: true })).toEqual([
      "18:35 the tileset has no tile 'item/scrol' (with what scrol, n 2) → did you mean 'item/scroll'?",
    ]);
  });

  it('of the seed say so if they are not there with every draw', () => {
    const bad = known(
      SEEDS.find((seed) => drawn('{ what: [a, b] }', seed)['what'] === 'b'),
      'a seed that draws the second',
    );
    expect(found(`${SPRITE}draw: { what: [key-brass, scrol] }\nbudgt: {}\n`, { seed: bad })).toEqual([
      "18:35 the tileset has no tile 'item/scrol' (with what scrol) → did you mean 'item/scroll'?",
      "23:1 unknown key 'budgt' → did you mean 'budget'?",
    ]);
  });

  it('at one place of a shuffled list are found', () => {
    const content = BASE.replace('{ kind: key }', "{ kind: key, sprite: 'item/{{what.2}}' }");
    const lines = 'draw: { what: { shuffle: [key-brass, scroll, bred] } }\n';
    expect(found(`${content}${lines}`, { everyDraw: true }).join()).toContain("no tile 'item/bred'");
  });
});

describe('limits', () => {
  const at = (draw: string): readonly string[] =>
    found(`${BASE}draw:\n${draw}\n`).filter((one) => !one.includes('not used'));

  it('hold for names, values and their length', () => {
    const names = (count: number): string =>
      Array.from({ length: count }, (_, i) => `  n${i}: [1]`).join('\n');
    expect(at(names(LIMITS.draws))).toEqual([]);
    expect(at(names(LIMITS.draws + 1)).join()).toContain(`more than ${LIMITS.draws} draws`);
    const values = (count: number): string => `  n: [${Array.from({ length: count }, (_, i) => i).join()}]`;
    expect(at(values(LIMITS.drawValues))).toEqual([]);
    expect(at(values(LIMITS.drawValues + 1)).join()).toContain(`the maximum is ${LIMITS.drawValues} entries`);
    const text = (length: number): string => `  n: [${'x'.repeat(length)}]`;
    expect(at(text(LIMITS.drawnCharacters))).toEqual([]);
    expect(at(text(LIMITS.drawnCharacters + 1)).join()).toContain('the maximum is');
  });

  it('hold for the scenario that results', () => {
    const line = '{{n}}'.repeat(3000);
    const lines = Array.from({ length: 12 }, () => `  ${line}`).join('\n');
    const content = `${BASE}draw: { n: [${'x'.repeat(LIMITS.drawnCharacters)}] }\ndescription: |\n${lines}\n`;
    expect(found(content).join()).toContain('the drawn values make the scenario too large');
  });
});

describe('what may have been drawn', () => {
  const grid = known(
    READERS.find(({ kind }) => kind === 'grid'),
    'the grid',
  );
  const worldsOf = (scenario: Scenario): readonly PossibleWorld[] | null =>
    possibleWorlds(scenario, { reader: grid, sprites: SPRITES });

  const GENERATED = `title: Test
generate: { size: [21, 21], rooms: 4 }
models: { main: { temperature: 0.7 } }
things:
  '{{colour}}-key': { kind: key, name: '{{colour}} key' }
  other: { kind: key, name: '{{key.1}} {{key.2}}' }
agents:
  - { id: ann, sprite: knight, model: main, goals: ['Take the {{colour}} key.'] }
budget: { cost: 0.5 }
render: { tileset: null }
draw: { colour: [red, blue, red], key: { shuffle: [a, b, c] }, spare: [1, 2] }
`.replace('render: { tileset: null }\n', '');

  it('contains the scenario as it is, and every other combination once', () => {
    for (const seed of SEEDS.slice(0, 6)) {
      const { scenario } = load(GENERATED, { seed });
      const worlds = known(worldsOf(scenario), 'worlds');
      expect(worlds).toHaveLength(12);
      expect(new Set(worlds.map((one) => drawnText(one.drawn))).size).toBe(12);
      const { spare: _unused, ...used } = known(scenario.draw, 'a draw').drawn;
      const actual = worlds.find((one) => drawnText(one.drawn) === drawnText(used));
      expect(actual?.definition).toEqual(scenario.definition);
      expect(actual?.agents).toEqual(scenario.agents);
    }
  });

  it('has the map of the seed, and the settings of the run', () => {
    const { scenario } = load(GENERATED, {
      seed: '5',
      set: ['draw.colour=[red, green]', 'generate.rooms=6'],
    });
    const worlds = known(worldsOf(scenario), 'worlds');
    const maps = worlds.map(({ definition }) => JSON.stringify((definition as { terrain: object }).terrain));
    expect(new Set(maps).size).toBe(1);
    const goals = new Set(
      worlds.flatMap(({ agents }) => agents.flatMap((one) => one.goals.map((goal) => goal.name))),
    );
    expect(goals).toEqual(new Set(['Take the red key.', 'Take the green key.']));
  });

  it('is what another draw of the same seed gives', () => {
    const { scenario } = load(GENERATED, { seed: '5' });
    for (const { drawn: other, definition } of known(worldsOf(scenario), 'worlds'))
      expect(definition).toEqual(
        load(GENERATED, { seed: '5', drawn: { ...other, spare: 1 } }).scenario.definition,
      );
  });

  it('leaves out what would be a mistake, and is only itself without draw', () => {
    const { scenario } = load(
      GENERATED.replace('[red, blue, red]', '[red, other]').replace("'{{colour}}-key'", "'{{colour}}'"),
      { drawn: { colour: 'red', key: ['a', 'b', 'c'], spare: 1 } },
    );
    expect(worldsOf(scenario)).toHaveLength(6);
    const plain = load(BASE).scenario;
    expect(worldsOf(plain)).toEqual([{ drawn: {}, definition: plain.definition, agents: plain.agents }]);
  });

  it('is for an agent what agrees with its goals, of which the seed chooses some if there are many', () => {
    const seenBy = (goal: string, others: string) => {
      const goals = `    goals: ["${goal}"]\n    persona: "{{b}}"`;
      const { scenario } = load(
        `${BASE}${goals}\ndraw: { a: { shuffle: [1, 2, 3, 4, 5, 6] }, b: [x, y]${others} }\n`,
        {
          seed: '7',
        },
      );
      const { worlds, told } = worldsOfAgent(scenario, 'ann', { reader: grid, sprites: SPRITES });
      const actual = known(scenario.draw, 'a draw').drawn;
      const isActual = ({ drawn: one }: PossibleWorld): boolean =>
        JSON.stringify(one) === JSON.stringify(actual);
      return { count: worlds.length, told: [...told], isAmong: worlds.some(isActual) };
    };
    expect(seenBy('No. {{a.1}}, {{a.3}}', '')).toEqual({ count: 24, told: ['b', 'a'], isAmong: true });
    expect(seenBy('No. {{a.1}}, {{a.2}}, {{a.3}}, {{a.4}}', '')).toMatchObject({ count: 2, isAmong: true });
    const many = seenBy(
      'None.',
      `, c: { shuffle: [1, 2, 3, 4, 5, 6] } }\nprompt: { rules: "{{a.1}} {{c.1}}"`,
    );
    expect(many).toMatchObject({ count: LIMITS.drawCombinations, told: ['b'] });
    // Goals are compared with those of so many draws: with one more, it is as if they told nothing.
    const numbers = (count: number): string => `[${Array.from({ length: count }, (_, i) => i).join()}]`;
    const named = (count: number) => seenBy('No. {{g}} {{h}}', `, g: ${numbers(count)}, h: ${numbers(100)}`);
    const inGoals = LIMITS.drawsRead / 200;
    expect(named(inGoals).count).toBe(1);
    expect(named(inGoals + 1).count).toBe(LIMITS.drawCombinations);
  });

  it('is null beyond the limit', () => {
    const many = (count: number): Scenario =>
      scenarioWith(
        `draw: { a: [${Array.from({ length: count }, (_, i) => i).join()}], b: [1, 2, 3, 4], c: [1, 2] }\nprompt: { rules: "{{a}} {{b}} {{c}}" }`,
      );
    expect(worldsOf(many(LIMITS.drawCombinations / 8))).toHaveLength(LIMITS.drawCombinations);
    expect(worldsOf(many(LIMITS.drawCombinations / 8 + 1))).toBeNull();
    const shuffled = (values: string): Scenario =>
      scenarioWith(`draw: { a: { shuffle: [${values}] } }\nprompt: { rules: "No. {{a.1}}" }`);
    expect(worldsOf(shuffled('1, 2, 3, 4, 5'))).toHaveLength(120);
    expect(worldsOf(shuffled('1, 2, 3, 4, 5, 6'))).toBeNull();
  });
});

/**
 * Words and pictures agree: everything that ships with a name is drawn as what its name and description say. What a tile shows is the
 * tile's own line under `assets/tiles`, read here without the program. The vocabulary is this file's own.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseDocument } from 'yaml';
import { openScenarioFile } from '../../src/scenario/folder.js';
import { loadScenario } from '../../src/scenario/load.js';
import { DECOR } from '../../src/worlds/grid/generate/words.js';
import { READERS } from '../../src/worlds/registry.js';
import { BASE, diagnose, ownSprites } from './support.js';

/** Colours, materials, states and kinds of plants; the words of one line mean the same look. */
const LOOKS = [
  'red',
  'green',
  'blue',
  'violet purple',
  'yellow',
  'orange ginger',
  'brown',
  'black',
  'white',
  'grey',
  'pink',
  'pale',
  'gold golden',
  'silver',
  'steel iron',
  'brass',
  'bronze',
  'copper',
  'wood wooden oak elm pine ash beech larch maple walnut cedar yew planks',
  'stone marble rock',
  'straw',
  'leather',
  'torn half',
  'sealed seal',
  'broken snapped',
  'dented',
  'cracked crack',
  'full',
  'empty',
  'burning burns',
  'lit',
  'bare plain',
  'gems jewels',
  'hazel',
  'thorn thorns',
  'apple apples',
  'berry berries',
  'grain',
];

/** What a name may call the thing of a picture, where the picture's own line has another word. */
const ALSO_CALLED: Readonly<Record<string, readonly string[]>> = {
  almanac: ['books'],
  books: ['bookshelf'],
  shelf: ['bookshelf'],
  bottle: ['potion'],
  sample: ['potion'],
  casks: ['barrel'],
  chair: ['throne'],
  plan: ['board'],
  riddle: ['inscription'],
  offertory: ['chest'],
  sluice: ['lever'],
  door: ['doorway'],
  miller: ['farmer'],
  watchman: ['guard'],
  seeker: ['ranger'],
  physician: ['scholar'],
  apprentice: ['bard'],
};

interface Drawn {
  where: string;
  name: string;
  description: string;
  sprites: readonly string[];
}

/** People are called by names of their own, with a capital letter. */
const isPerson = (name: string): boolean => /^[A-Z]/.test(name);
const words = (text: string): readonly string[] => text.toLowerCase().match(/[a-z]+/g) ?? [];
const singular = (word: string): string => word.replace(/s$/, '');

function shows(sprite: string): readonly string[] {
  const [, desc = ''] = readFileSync(`assets/tiles/${sprite}.txt`, 'utf8').split('\n');
  return words(desc.replace(/^desc: /, ''));
}

/** The looks that the words say and the picture does not show. */
function unseen({ name, description, sprites }: Drawn): readonly string[] {
  return sprites.flatMap((sprite) => {
    const seen = shows(sprite);
    const said = isPerson(name) ? description : `${name} ${description}`;
    // A word such as `red-key` in a door's name is said of the key.
    return words(said.replaceAll(/[a-z]+-key /g, '')).filter((word) => {
      const look = LOOKS.map(words).find((group) => group.includes(word));
      return look !== undefined && !look.some((each) => seen.includes(each));
    });
  });
}

/** Whether the picture shows this kind of thing: the name's noun, or what the noun may stand for. */
function isOfKind({ name, sprites }: Drawn): boolean {
  const noun = words(name.split(' of ')[0] ?? '').at(-1) ?? '';
  const called = [noun, ...(ALSO_CALLED[noun] ?? [])].map(singular);
  return sprites.every((sprite) => shows(sprite).some((word) => called.includes(singular(word))));
}

function mistakes(drawn: readonly Drawn[]): readonly string[] {
  return drawn.flatMap((each) => {
    const shown = each.sprites.map((sprite) => `${sprite} (${shows(sprite).join(' ')})`).join(', ');
    const looks = unseen(each).map((word) => `${each.where}: '${word}' of ${each.name} is not in ${shown}`);
    return isPerson(each.name) || isOfKind(each)
      ? looks
      : [...looks, `${each.where}: ${each.name} is drawn as ${shown}`];
  });
}

interface Definition {
  doors: readonly (Named & { sprites: Lid })[];
  things: readonly (Named & {
    sprite: string;
    work: { effect: { name?: string; sprite?: string } } | null;
  })[];
  agents: readonly (Named & { sprite: string })[];
  npcs: readonly (Named & { sprite: string })[];
}
interface Named {
  id: string;
  name: string;
  description?: string;
}
type Lid = Readonly<Record<'open' | 'closed' | 'locked', string>>;

function drawnIn(path: string, file = openScenarioFile(path)): readonly Drawn[] {
  const { scenario } = loadScenario(file, () => undefined, {
    worlds: READERS,
    known: { sprites: ownSprites() },
  });
  return drawnOf(path, scenario.definition as unknown as Definition);
}

function drawnOf(path: string, { doors, things, agents, npcs }: Definition): readonly Drawn[] {
  const named = ({ id, name, description = '' }: Named) => ({ where: `${path}, ${id}`, name, description });
  return [
    // An open door is a doorway, of whatever its leaf is made.
    ...doors.map((door) => ({ ...named(door), sprites: [door.sprites.closed, door.sprites.locked] })),
    ...things.map((thing) => ({ ...named(thing), sprites: [thing.sprite] })),
    ...things.flatMap(({ id, work }) => {
      const { name, sprite } = work?.effect ?? {};
      return name === undefined || sprite === undefined
        ? []
        : [{ where: `${path}, ${id}`, name, description: '', sprites: [sprite] }];
    }),
    ...[...agents, ...npcs].map((body) => ({ ...named(body), sprites: [body.sprite] })),
  ];
}

const isGrid = (path: string): boolean =>
  parseDocument(readFileSync(path, 'utf8')).get('environment') === undefined;
const SHIPPED = ['scenarios', 'examples/train/families'].flatMap((folder) =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => `${folder}/${file}`)
    .filter(isGrid),
);

test('finds the scenarios and the families', () => {
  expect(SHIPPED).toContain('scenarios/lost-ring.yaml');
  expect(SHIPPED).toContain('examples/train/families/choose.yaml');
});

test.each(SHIPPED)('%s is drawn as its words say', (path) => {
  expect(mistakes(drawnIn(path))).toEqual([]);
});

test('a generated map is drawn as its words say', () => {
  const text = `title: Generated
seed: 4
generate: { size: [60, 60], rooms: 12, locked: 7, decor: 60 }
agents: [{ id: ann, sprite: knight }]
`;
  const file = openScenarioFile('scenarios/crypt.yaml');
  const drawn = drawnIn('generated', { ...file, content: new TextEncoder().encode(text) });
  const names = drawn.map(({ name }) => name);
  expect(names).toContain('violet-key door');
  expect(DECOR.filter(({ name }) => !names.includes(name))).toEqual([]);
  expect(mistakes(drawn)).toEqual([]);
});

test.each([
  ['silver key', { name: 'silver key', sprite: 'item/key-brass' }, 'silver'],
  ['red key', { name: 'Red key', sprite: 'item/key-brass' }, 'red'],
  ['iron lever', { name: 'iron lever', kind: 'lever' }, 'iron'],
])('warns of a %s that is drawn otherwise', (_, thing, said) => {
  const findings = diagnose(BASE.replace('{ kind: key }', JSON.stringify(thing)));
  expect(findings.map(({ message }) => message).join()).toContain(`the name says ${said}, the picture `);
});

test('warns of a door, a creature and what work makes of a thing', () => {
  const npc = 'npcs:\n  rat: { name: grey rat, at: [6, 1] }\n';
  const findings = diagnose(
    BASE.replace('gate: { key', 'gate: { name: iron door, key').replace(
      '{ kind: key }\n',
      '{ kind: key, work: { becomes: { name: violet key, sprite: item/key-brass } } }\n' + npc,
    ),
  );
  expect(findings.map(({ message }) => message.split(' is drawn')[0])).toEqual([
    "'iron door'",
    "'violet key'",
    "'grey rat'",
  ]);
});

test.each(['brass key', 'key of brass', 'small key', 'orange'])('has nothing against %s', (name) => {
  expect(diagnose(BASE.replace('{ kind: key }', `{ kind: key, name: ${name} }`))).toEqual([]);
});

test("has nothing against people's names and oak doors", () => {
  const text = BASE.replace('sprite: knight', 'name: Black Rose\n    sprite: rat');
  expect(diagnose(text.replace('gate: { key', 'gate: { name: oak door, key'))).toEqual([]);
});

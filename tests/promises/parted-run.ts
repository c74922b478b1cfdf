/**
 * A scenario of two halves with a thick wall between them, for runs that differ only beyond it, and in what can't be seen of the things on her
 * side. `seed` decides what `ann` does there, how she answers and how tiles are walked and named; `hidden` decides everything else: the world's
 * seed, the size, room, terrain, things and creatures of the other side, who else is there, bob's persona, goal and replies, what fits, works
 * or is written where.
 */
import type { Controller, ControllerInput } from '../../src/agent/controller.js';
import { embeddedReply } from '../../src/agent/controllers/embedded-reply.js';
import type { Below } from './chance.js';
import { chance, oneOf } from './chance.js';

export interface PartedGame {
  seed: number;
  hidden: number;
  /** Whether the wall swallows words: both are out of each other's hearing, and in rooms of their own. */
  isDeaf: boolean;
}

const TURNS = 25;
const DIRECTIONS = ['NORTH', 'EAST', 'SOUTH', 'WEST'];

const PROTOCOLS = ['command', 'json', 'react', 'tools'];
const ANNS = [
  'TAKE coin',
  'DROP coin',
  'LOOK',
  'READ sign',
  'OPEN chest',
  'CLOSE chest',
  'GO TO lever',
  'GO TO 3 2',
  'TAKE gem',
];
const OTHERS = ['TAKE gem', 'SPEAK "The coin is mine."', 'ANNOUNCE "Help!"', 'PUSH barrel EAST', 'hm'];

export function partedRun({ seed, hidden, isDeaf }: PartedGame): {
  yaml: string;
  controllers: Readonly<Record<string, Controller>>;
  /** What a request of ann's asks of a server besides its messages, and what a program is told, as JSON: filled as the run goes on. */
  asked: readonly string[];
} {
  const below = chance(`hidden ${hidden}`);
  const asked: string[] = [];
  const protocol = PROTOCOLS[seed % PROTOCOLS.length] ?? 'command';
  return {
    yaml: scenario(below, { seed, hidden, isDeaf }),
    controllers: {
      ann: saying(chance(`seen ${seed}`), ANNS, protocol, (input) => {
        const tools = input.form.tools.map((tool) => ({ ...tool, guided: tool.guidedParameters }));
        asked.push(JSON.stringify([input.form.guided, tools, input.observation]));
      }),
      bob: saying(below, OTHERS),
      cyd: saying(below, OTHERS),
    },
    asked,
  };
}

function saying(
  below: Below,
  commands: readonly string[],
  protocol = 'command',
  hear: (input: ControllerInput) => void = () => undefined,
): Controller {
  return {
    name: 'saying',
    isRemote: false,
    decide: async (input) => {
      hear(input);
      const command = below(2) === 0 ? `GO ${oneOf(below, DIRECTIONS)}` : oneOf(below, commands);
      return { reply: embeddedReply(inProtocol(command, protocol)), memory: null };
    },
  };
}

/** Others than `command` want an object. */
function inProtocol(command: string, protocol: string): string {
  const [verb = '', ...rest] = command.split(' ');
  const slot =
    verb === 'GO'
      ? rest[0] === 'TO'
        ? 'target'
        : 'direction'
      : verb === 'OPEN' || verb === 'CLOSE'
        ? 'target'
        : 'thing';
  const args = rest.length === 0 ? {} : { [slot]: rest.at(-1) };
  if (protocol === 'react')
    return `Thought: So be it.\nAction: ${verb}\nAction Input: ${JSON.stringify(args)}`;
  return protocol === 'command' ? `ACTION: ${command}` : JSON.stringify({ name: verb, parameters: args });
}

/** Rows of the other side; bob, perhaps cyd, the gem, the barrel and the rat stand where chance put them. */
function otherSide(below: Below, width: number, letters: string): readonly string[] {
  const tiles = Array.from({ length: 6 * width }, () => oneOf(below, ['.', '.', '.', '#', '~']));
  const free = tiles.map((_tile, index) => index);
  for (const letter of letters) {
    const [index] = free.splice(below(free.length), 1);
    if (index !== undefined) tiles[index] = letter;
  }
  return Array.from({ length: 6 }, (_row, y) => tiles.slice(y * width, y * width + width).join(''));
}

/** What can't be seen of the things on ann's side. */
function secrets(below: Below): Readonly<Record<'chest' | 'lever' | 'table', string>> {
  return {
    chest: oneOf(below, ['', ', key: gem', ', key: coin']),
    lever: oneOf(below, ['', ', work: { turns: 2, removes: true }', ', consumable: It crumbles.']),
    table: oneOf(below, ['', ', work: { tool: coin, removes: true }', ', description: An old table.']),
  };
}

function scenario(below: Below, { seed, hidden, isDeaf }: PartedGame): string {
  const width = 6 + below(6);
  const hasThird = below(2) === 0;
  const side = otherSide(below, width, hasThird ? 'BCgbr' : 'Bgbr');
  const own = ['A...k.', '....l.', '..#.s.', '..#.t.', '.x....', '......'];
  const rows = own.map((row, y) => `#${row}##${side[y] ?? ''}#`);
  const wall = '#'.repeat(width + 10);
  const secret = secrets(below);
  const rooms = isDeaf
    ? `  near: { area: [1, 1, 6, 6] }\n  ${oneOf(below, ['far', 'cellar'])}: { area: [9, 1, ${width}, 6] }`
    : `  all: { area: [1, 1, ${width + 8}, 6] }`;
  return `title: Two halves
seed: ${hidden}
map: |
  ${wall}
${rows.map((row) => `  ${row}`).join('\n')}
  ${wall}
legend:
  A: { agent: ann }
  B: { agent: bob }
${hasThird ? '  C: { agent: cyd }\n' : ''}  l: { thing: lever }
  t: { thing: table }
  k: { thing: coin }
  s: { thing: sign }
  x: { thing: chest }
  g: { thing: gem }
  b: { thing: barrel }
  r: { npc: rat }
rooms:
${rooms}
things:
  coin: { kind: item, name: coin, sprite: item/coin }
  gem: { kind: item, name: "gem ${below(100)}", sprite: item/amulet }
  sign: { kind: sign, name: sign, text: Mind the step. }
  chest: { kind: chest, name: chest, state: closed${secret.chest} }
  lever: { name: lever, sprite: furniture/lever-off, portable: false${secret.lever} }
  table: { name: table, sprite: furniture/table, portable: false${secret.table} }
  barrel: { kind: boulder, name: barrel }
npcs:
  rat: { sprite: figure/rat, behaviour: wander, every: ${1 + below(3)} }
agents:
  - { id: ann, sprite: figure/knight, persona: You count coins., protocol: ${PROTOCOLS[seed % PROTOCOLS.length] ?? ''} }
  - { id: bob, sprite: figure/wizard, persona: "You are number ${below(1000)}.", goals: ["Find number ${below(1000)}."] }
${hasThird ? '  - { id: cyd, sprite: figure/monk }\n' : ''}rules: { movement: ${seed % 3 === 0 ? 'room' : 'tile'}, coordinates: ${seed % 5 < 2}, speech: { radius: ${isDeaf ? 1 : 30} } }
turns: { max: ${TURNS} }
`;
}

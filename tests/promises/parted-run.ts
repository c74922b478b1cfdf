/**
 * A scenario of two halves with a thick wall between them, for runs that differ only beyond it. `seed` decides what `ann` does on her side;
 * `hidden` decides everything else: the world's seed, terrain, things, doors and the rat of the other side, and bob's persona, goal and replies.
 */
import type { Controller } from '../../src/agent/controller.js';
import { embeddedReply } from '../../src/agent/controllers/embedded-reply.js';
import type { Below } from './chance.js';
import { chance, oneOf } from './chance.js';

export interface PartedGame {
  readonly seed: number;
  readonly hidden: number;
  /** Whether the wall swallows words: both are out of each other's hearing, and in rooms of their own. */
  readonly isDeaf: boolean;
}

const TURNS = 25;
const DIRECTIONS = ['NORTH', 'EAST', 'SOUTH', 'WEST'];

export function partedRun({ seed, hidden, isDeaf }: PartedGame): {
  readonly yaml: string;
  readonly controllers: Readonly<Record<string, Controller>>;
} {
  const below = chance(`hidden ${hidden}`);
  return {
    yaml: scenario(below, { hidden, isDeaf }),
    controllers: {
      ann: saying(chance(`seen ${seed}`), ['TAKE coin', 'DROP coin', 'LOOK', 'READ sign', 'OPEN chest']),
      bob: saying(below, [
        'TAKE gem',
        'SPEAK "The coin is mine."',
        'ANNOUNCE "Help!"',
        'PUSH barrel EAST',
        'hm',
      ]),
    },
  };
}

function saying(below: Below, commands: readonly string[]): Controller {
  return {
    name: 'saying',
    isRemote: false,
    decide: async () => {
      const command = below(2) === 0 ? `GO ${oneOf(below, DIRECTIONS)}` : oneOf(below, commands);
      return { reply: embeddedReply(`ACTION: ${command}`), memory: null };
    },
  };
}

/** Six rows of the other side; bob, the gem, the barrel and the rat stand where chance put them. */
function otherSide(below: Below): readonly string[] {
  const tiles = Array.from({ length: 36 }, () => oneOf(below, ['.', '.', '.', '#', '~']));
  const free = tiles.map((_tile, index) => index);
  for (const letter of ['B', 'g', 'b', 'r']) {
    const [index] = free.splice(below(free.length), 1);
    if (index !== undefined) tiles[index] = letter;
  }
  return Array.from({ length: 6 }, (_row, y) => tiles.slice(y * 6, y * 6 + 6).join(''));
}

function scenario(below: Below, { hidden, isDeaf }: Pick<PartedGame, 'hidden' | 'isDeaf'>): string {
  const side = otherSide(below);
  const own = ['A...k.', '......', '..#.s.', '..#...', '.x....', '......'];
  const rows = own.map((row, y) => `#${row}##${side[y] ?? ''}#`);
  const rooms = isDeaf
    ? `  near: { area: [1, 1, 6, 6] }\n  far: { area: [9, 1, 6, 6] }`
    : `  all: { area: [1, 1, 14, 6] }`;
  return `title: Two halves
seed: ${hidden}
map: |
  ################
${rows.map((row) => `  ${row}`).join('\n')}
  ################
legend:
  A: { agent: ann }
  B: { agent: bob }
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
  chest: { kind: chest, name: chest, state: closed }
  barrel: { kind: boulder, name: barrel }
npcs:
  rat: { sprite: figure/rat, behaviour: wander, every: ${1 + below(3)} }
agents:
  - { id: ann, sprite: figure/knight, persona: You count coins. }
  - { id: bob, sprite: figure/wizard, persona: "You are number ${below(1000)}.", goals: ["Find number ${below(1000)}."] }
rules: { movement: tile, speech: { radius: ${isDeaf ? 1 : 30} } }
turns: { max: ${TURNS} }
`;
}

/**
 * Colours and materials in words: whether a thing's name says another colour or material than the description
 * of its tile. What stands before a comma, a colon or "with" is the thing itself, and the rest its parts, which count only where that says nothing. A tile that
 * names none of that kind contradicts nothing. The last word of a name is what the
 * thing is (`orange`, `key`), so it counts for no colour; a word with a hyphen (`red-key door`) is another thing's.
 */
import type { MistakePlace } from './report.js';
import type { SpriteReading } from './sprites.js';

/** Words of one line look alike. A metal is a colour as well: nothing is both silver and blue. */
const COLOURS = wordGroups([
  'red crimson scarlet ruby',
  'green emerald',
  'blue sapphire',
  'violet purple',
  'yellow',
  'orange ginger',
  'brown chestnut',
  'black',
  'white',
  'grey gray',
  'pink',
]);
const METALS = wordGroups(['gold golden', 'silver silvery', 'steel iron', 'brass', 'bronze', 'copper']);
const MATERIALS = wordGroups([
  'wood wooden oak elm pine ash beech larch maple walnut cedar yew plank planks log staves',
  'stone marble granite',
  'clay',
  'leather',
  'glass',
  'paper parchment',
  'bone',
]);

const KINDS = [new Map([...MATERIALS, ...METALS]), new Map([...COLOURS, ...METALS])];

function wordGroups(groups: readonly string[]): ReadonlyMap<string, string> {
  return new Map(groups.flatMap((group) => group.split(' ').map((word) => [word, group] as const)));
}

/** The first word of `name` that contradicts `description`, with what the tile shows instead. */
export function contradiction(
  name: string,
  description: string,
): { said: string; shown: readonly string[] } | null {
  const wordsIn = (text: string): readonly string[] => text.toLowerCase().match(/\p{L}+/gu) ?? [];
  const described = wordsIn(description);
  const [itself = ''] = description.split(/[,:]|\bwith\b/);
  for (const said of name.toLowerCase().split(/\s+/).slice(0, -1))
    for (const groups of KINDS) {
      const group = groups.get(said);
      const own = wordsIn(itself).filter((word) => groups.has(word));
      const shown = own.length > 0 ? own : described.filter((word) => groups.has(word));
      const agrees = shown.some((word) => groups.get(word) === group);
      if (group !== undefined && shown.length > 0 && !agrees) return { said, shown: [...new Set(shown)] };
    }
  return null;
}

/** Warns if the tile shows another colour or material than the name says. */
export function warnOfOtherLooks(
  { known, report }: SpriteReading,
  { name, sprite, at }: { name: string; sprite: string; at: MistakePlace },
): void {
  const description = known.sprites?.descriptions.get(sprite);
  const found = description === undefined ? null : contradiction(name, description);
  if (found === null) return;
  report.warning(
    at,
    `'${name}' is drawn as ${sprite}, '${description}': the name says ${found.said}, the picture ${found.shown.join(' and ')}`,
    'choose another tile with `sprite`, or a name that fits this one',
  );
}

/** What things and doors of a run are called, as far as some agent perceived them. In: observations' facts; out: names, and which of them a text mentions. */
import type { ItemFact, SpatialFacts } from '../environment/spatial-facts.js';

/** A thing or door as an agent sees it. */
export interface NamedSighting {
  readonly id: string;
  /** Null: in its own hands. */
  readonly place: { readonly x: number; readonly y: number } | null;
}

/** Facts of another world than those of tiles may lack any of it. */
type Facts = Partial<SpatialFacts>;

export class NamesSoFar {
  readonly #names = new Map<string, string>();
  /** Ids of what can be carried or read: what it is worth to know of. */
  readonly #mattering = new Set<string>();

  add({ things = [], doors = [], self }: Facts): void {
    for (const item of [...things, ...(self?.holds ?? [])].flatMap(withInside)) {
      this.#names.set(item.id, item.name);
      if (item.portable || item.readable) this.#mattering.add(item.id);
    }
    for (const { id, name } of doors) this.#names.set(id, name);
  }

  /** The id itself if no agent perceived it. */
  nameOf(id: string): string {
    return this.#names.get(id) ?? id;
  }

  canMatter(id: string): boolean {
    return this.#mattering.has(id);
  }

  /** Things and doors in sight, with what can be seen in open ones, then what is held. */
  sights({ things = [], doors = [], self }: Facts): readonly NamedSighting[] {
    return [
      ...things.flatMap((thing) => withInside(thing).map(({ id }) => ({ id, place: placeOf(thing) }))),
      ...doors.map((door) => ({ id: door.id, place: placeOf(door) })),
      ...(self?.holds ?? []).flatMap(withInside).map(({ id }) => ({ id, place: null })),
    ];
  }

  /** Ids of all things whose names occur in the words. */
  mentionedIn(words: string): readonly string[] {
    return [...this.#names].flatMap(([id, name]) => (mentions(words, name) ? [id] : []));
  }

  /** What in sight or in hand has something written on it and is named in the line; null if nothing is. */
  readableIn(line: string, { things = [], self }: Facts): string | null {
    const all = [...things, ...(self?.holds ?? [])].flatMap(withInside);
    return all.find(({ readable, name }) => readable && mentions(line, name))?.name ?? null;
  }
}

function withInside(item: ItemFact): readonly ItemFact[] {
  return [item, ...item.inside.flatMap(withInside)];
}

function placeOf({ x, y }: { readonly x: number; readonly y: number }): NamedSighting['place'] {
  return { x, y };
}

/** As whole words, ignoring case. */
function mentions(words: string, name: string): boolean {
  const [text, part] = [` ${plain(words)} `, ` ${plain(name)} `];
  return part.trim() !== '' && text.includes(part);
}

/** Letters and figures, everything between them a space. */
function plain(text: string): string {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .join(' ')
    .trim();
}

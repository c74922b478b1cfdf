/** Names of a run's things and doors, as far as any agent perceived them. */
import type { ItemFact, SpatialFacts } from '../environment/spatial-facts.js';

/** A thing or door as an agent sees it. */
export interface NamedSighting {
  id: string;
  /** Null: held by the agent. */
  place: { x: number; y: number } | null;
}

/** Facts of a world without tiles may lack any of it. */
type Facts = Partial<SpatialFacts>;

export class PerceivedNames {
  readonly #names = new Map<string, string>();
  /** Ids of things that can be carried or read, which are worth knowing about. */
  readonly #usefulIds = new Set<string>();

  add({ things = [], doors = [], self }: Facts): void {
    for (const item of [...things, ...(self?.holds ?? [])].flatMap(withInside)) {
      this.#names.set(item.id, item.name);
      if (item.portable || item.readable) this.#usefulIds.add(item.id);
    }
    for (const { id, name } of doors) this.#names.set(id, name);
  }

  /** The id itself if no agent perceived it. */
  nameOf(id: string): string {
    return this.#names.get(id) ?? id;
  }

  isUseful(id: string): boolean {
    return this.#usefulIds.has(id);
  }

  /** Things and doors in sight, including the visible contents of open ones, then held things. */
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

  /** The visible or held thing with writing on it that the line names; null if there is none. */
  readableIn(line: string, { things = [], self }: Facts): string | null {
    const all = [...things, ...(self?.holds ?? [])].flatMap(withInside);
    return all.find(({ readable, name }) => readable && mentions(line, name))?.name ?? null;
  }
}

function withInside(item: ItemFact): readonly ItemFact[] {
  return [item, ...item.inside.flatMap(withInside)];
}

function placeOf({ x, y }: { x: number; y: number }): NamedSighting['place'] {
  return { x, y };
}

/** As whole words, ignoring case. */
export function mentions(words: string, name: string): boolean {
  const [text, part] = [` ${plain(words)} `, ` ${plain(name)} `];
  return part.trim() !== '' && text.includes(part);
}

/** Letters and digits; everything between them becomes a space. */
function plain(text: string): string {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .join(' ')
    .trim();
}

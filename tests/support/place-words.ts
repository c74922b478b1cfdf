/** Reads the words for a place as a person would, apart from the code that writes them: tests hold what is told against the state by it. */
export interface PlaceOffset {
  /** To the east. */
  dx: number;
  /** To the south. */
  dy: number;
}

const WAYS: Readonly<Record<string, PlaceOffset>> = {
  north: { dx: 0, dy: -1 },
  east: { dx: 1, dy: 0 },
  south: { dx: 0, dy: 1 },
  west: { dx: -1, dy: 0 },
};

/** "here", "beside you to the north-west", "2 west, 1 north" and nothing else; throws at other words. */
export function placeIn(words: string): PlaceOffset {
  if (words === 'here') return { dx: 0, dy: 0 };
  const beside = /^beside you to the ([a-z-]+)$/.exec(words);
  const parts = beside === null ? words.split(', ') : (beside[1] ?? '').split('-').map((side) => `1 ${side}`);
  let [dx, dy] = [0, 0];
  for (const part of parts) {
    const [, count, side] = /^([1-9]\d*) (north|east|south|west)$/.exec(part) ?? [];
    const way = WAYS[side ?? ''];
    if (way === undefined) throw new Error(`no place: ${words}`);
    dx += way.dx * Number(count);
    dy += way.dy * Number(count);
  }
  return { dx, dy };
}

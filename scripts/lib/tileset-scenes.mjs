// The sample scenes of art-sheet.mjs.

/** @typedef {[string, number, number]} Thing */

const LEGEND = {
  '#': 'wall',
  '.': 'floor',
  '~': 'water',
  D: 'door/wood-closed',
  O: 'door/wood-open',
  L: 'door/iron-locked',
};

/** @type {Record<string, { legend: Record<string, string>, map: string[], seen?: string[], things: Thing[] }>} */
export const SCENES = {
  scene: {
    legend: LEGEND,
    map: [
      '                    ',
      ' ##########         ',
      ' #........##########',
      ' #........#........#',
      ' #........#........#',
      ' #...##...O........#',
      ' #...##...#...~~~..#',
      ' #........#...~~~..#',
      ' #........#........#',
      ' ####D#######L######',
      '    #.#    #.#      ',
      '    #.######.#      ',
      '    #........#      ',
      '    ##########      ',
      '                    ',
    ],
    seen: [
      '                    ',
      ' vvvvvvvvvv         ',
      ' vvvvvvvvvvrrrrrrr  ',
      ' vvvvvvvvvvrrrrrrr  ',
      ' vvvvvvvvvvvrrrrrrr ',
      ' vvvvvvvvvvvvrrrrrr ',
      ' vvvvvvvvvvvrrrrrrr ',
      ' vvvvvvvvvvrrrrrrr  ',
      ' vvvvvvvvvvrrrrrr   ',
      ' vvvvvvvvvvrrrrrr   ',
      '    rrr             ',
      '    rrr             ',
      '    rrrrr           ',
      '    rrrr            ',
      '                    ',
    ],
    things: [
      ['furniture/table', 2, 2],
      ['item/scroll', 4, 2],
      ['furniture/barrel', 9, 2],
      ['furniture/barrel', 8, 2],
      ['figure/wizard', 3, 4],
      ['figure/knight', 7, 4],
      ['figure/blacksmith', 3, 7],
      ['figure/ranger', 8, 7],
      ['figure/rat', 7, 6],
      ['item/key-brass', 5, 8],
      ['item/lantern', 6, 2],
      ['figure/slime', 5, 3],
      ['figure/skeleton', 8, 4],
      ['figure/bat', 7, 3],
    ],
  },
};

/** The smallest worlds in which the order of turns, attempts and free acts can be seen. */

/** Two agents in a corridor with one free tile between them, a coin, and a sign to read (READ is free). */
export function corridor(turns = 'max: 2'): string {
  return `title: Corridor
seed: 1
map: |
  #######
  #.A.B.#
  #..k.s#
  #######
legend:
  A: { agent: ann }
  B: { agent: bob }
  k: { thing: coin }
  s: { thing: sign }
rooms:
  hall: { area: [1, 1, 5, 2] }
things:
  coin: { kind: item, name: coin, sprite: item/coin }
  sign: { kind: sign, name: sign, text: Mind the step. }
agents:
  - { id: ann, sprite: figure/knight }
  - { id: bob, sprite: figure/wizard }
rules: { movement: tile }
turns: { ${turns} }
`;
}

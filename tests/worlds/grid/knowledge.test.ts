import { describe, expect, it } from 'vitest';
import { placeThing, removeThing, setBody, setDoor } from '../../../src/worlds/grid/change.js';
import { knowsTile, rememberedThings } from '../../../src/worlds/grid/knowledge.js';
import { learn, learnAlong } from '../../../src/worlds/grid/learning.js';
import { canSee } from '../../../src/worlds/grid/sight.js';
import type { GridState } from '../../../src/worlds/grid/state.js';
import { aDoor, aThing, aWorld, anAgent, played } from './random-world.js';

/** Two rooms beside each other; ada stands in the left one. */
const ROWS = ['#########', '#...#...#', '#...#...#', '#.......#', '#...#...#', '#...#...#', '#########'];
const ROOMS = [
  { id: 'west', name: 'West', areas: [{ x: 1, y: 1, width: 3, height: 5 }], description: '' },
  { id: 'east', name: 'East', areas: [{ x: 5, y: 1, width: 3, height: 5 }], description: '' },
];

function game(): ReturnType<typeof played> {
  return played(
    aWorld(ROWS, {
      rooms: ROOMS,
      agents: [anAgent('ada', { x: 2, y: 3 })],
      doors: [aDoor('oak', { x: 4, y: 3 })],
      things: [aThing('key', { at: 'tile', x: 2, y: 1 }), aThing('lamp', { at: 'tile', x: 6, y: 3 })],
    }),
  );
}

function records(state: GridState): readonly string[] {
  return rememberedThings(state, 'ada').map(({ id, x, y, lid, turn }) => `${id} ${x},${y} ${lid} ${turn}`);
}

function at(state: GridState, x: number, y: number): GridState {
  return setBody(state, 'ada', { x, y });
}

describe('knowledge', () => {
  it('starts with what is seen from the start, and grows with what is seen', () => {
    const { world, state } = game();
    expect(records(state)).toEqual(['key 2,1 null 1', 'oak 4,3 closed 1']);
    expect(knowsTile(state, 'ada', { x: 6, y: 3 })).toBe(false);
    expect(knowsTile(state, 'ada', { x: -1, y: 3 })).toBe(false);
    const opened = learn(world, setDoor(state, 'oak', { state: 'open' }), 'ada');
    expect(records(opened)).toEqual(['key 2,1 null 1', 'lamp 6,3 null 1', 'oak 4,3 open 1']);
    expect(knowsTile(opened, 'ada', { x: 6, y: 3 })).toBe(true);
  });

  it('stays as last seen for what changes out of sight, until the tile is seen again', () => {
    const { world, state } = game();
    const inEast = learn(world, at({ ...state, turn: 2 }, 6, 1), 'ada');
    const unseen = placeThing(inEast, 'key', { at: 'tile', x: 1, y: 3 });
    const later = learn(world, at({ ...unseen, turn: 3 }, 7, 1), 'ada');
    expect(canSee(world, later, 'ada', { x: 2, y: 1 })).toBe(false);
    expect(records(later)).toContain('key 2,1 null 1');
    const back = learn(world, at({ ...later, turn: 4 }, 2, 2), 'ada');
    expect(records(back)).toContain('key 1,3 null 4');
    expect(records(back)).not.toContain('key 2,1 null 1');
  });

  it('keeps a door as last seen too', () => {
    const { world, state } = game();
    const opened = setDoor({ ...state, turn: 3 }, 'oak', { state: 'open' });
    expect(records(opened)).toContain('oak 4,3 closed 1');
    expect(records(learn(world, opened, 'ada'))).toContain('oak 4,3 open 3');
  });

  it('forgets where a thing was once it is seen elsewhere', () => {
    const { world, state } = game();
    const carried = placeThing({ ...state, turn: 2 }, 'key', { at: 'tile', x: 7, y: 3 });
    const seen = learn(world, at(carried, 6, 2), 'ada');
    expect(records(seen).filter((line) => line.startsWith('key'))).toEqual(['key 7,3 null 2']);
  });

  it('forgets what is gone from a visible tile', () => {
    const { world, state } = game();
    expect(records(learn(world, removeThing(state, 'key'), 'ada'))).toEqual(['oak 4,3 closed 1']);
    const held = placeThing(state, 'key', { at: 'held', by: 'ada' });
    expect(records(learn(world, held, 'ada'))).toEqual(['oak 4,3 closed 1']);
  });

  it('holds what was seen on the way, and the rooms walked through', () => {
    const { world, state } = game();
    const open = setDoor(state, 'oak', { state: 'open' });
    const path = [2, 3, 4, 5, 6].map((x) => ({ x, y: 3 }));
    expect(state.minds['ada']?.visited).toEqual(['west']);
    const walked = learnAlong(world, at(open, 6, 3), 'ada', path);
    expect(walked.minds['ada']?.visited).toEqual(['east', 'west']);
    const jumped = learnAlong(world, at(open, 2, 3), 'ada', path);
    expect(knowsTile(jumped, 'ada', { x: 5, y: 1 })).toBe(true);
    expect(knowsTile(learn(world, open, 'ada'), 'ada', { x: 5, y: 1 })).toBe(false);
  });

  it('copies nothing that has not changed', () => {
    const row = '.'.repeat(40);
    const { world, state } = played(
      aWorld([row, row], {
        agents: [anAgent('ada', { x: 2, y: 0 }, { sightRadius: 3 })],
        things: [aThing('cup', { at: 'tile', x: 20, y: 0 })],
      }),
    );
    expect(learn(world, state, 'ada')).toBe(state);
    const far = learn(world, setBody(state, 'ada', { x: 20 }), 'ada');
    expect(far.minds['ada']?.known['0_0']?.['0_0']).toBe(state.minds['ada']?.known['0_0']?.['0_0']);
    expect(learn(world, far, 'ada')).toBe(far);
    const nextTurn = learn(world, { ...far, turn: 2 }, 'ada');
    expect(nextTurn.minds['ada']?.known['0_0']?.['0_0']).toBe(far.minds['ada']?.known['0_0']?.['0_0']);
    expect(nextTurn.minds['ada']?.known['0_0']?.['1_0']?.seen).toBe(
      far.minds['ada']?.known['0_0']?.['1_0']?.seen,
    );
    expect(JSON.parse(JSON.stringify(nextTurn))).toEqual(nextTurn);
  });
});

/** GO by room and to targets: exits, whole paths, what was not known, and refusals that tell nothing hidden. */
import { describe, expect, test } from 'vitest';
import { agent, chest, crate, door, expectMap, game, npc, thing, tinyDefinition } from '../tiny-world.js';
import type { Door } from '../../../../src/worlds/grid/definition.js';
import type { GridRules } from '../../../../src/worlds/grid/definition.js';

const ROOMS = { west: { x: 0, y: 0, width: 5, height: 5 }, east: { x: 6, y: 0, width: 5, height: 5 } };
const MAP = `
  ###########
  #a...#....#
  #....d....#
  #..b.#..k.#
  ###########`;

function house(change: Partial<Door> = {}, rules: Partial<GridRules> = {}) {
  const pieces = { a: agent('ada'), b: agent('ben'), d: door('oak', change), k: thing('brass-key') };
  return game(tinyDefinition(MAP, pieces, { rooms: ROOMS, rules: { movement: 'room', ...rules } }));
}

describe('GO by room', () => {
  test('walks the whole way through the exit to the tile behind its doorway', () => {
    const played = house();
    const result = played.try('ada', 'GO', { direction: 'east' });
    expect(result).toMatchObject({ ok: true, message: 'You went 6 tiles into the east.' });
    expect(result.ok && result.path?.length).toBe(7);
    expect(played.state.bodies['ada']).toMatchObject({ x: 6, y: 2 });
    expect(played.events[0]?.data['path']).toHaveLength(7);
  });

  test('goes on past who stands behind the doorway', () => {
    const played = house();
    played.act('ada', 'GO', { direction: 'east' });
    expect(played.try('ben', 'GO', { direction: 'east' }).ok).toBe(true);
    expect(played.state.bodies['ben']).not.toMatchObject({ x: 6, y: 2 });
  });

  test('an exit that is not there is refused with the exits that are known', () => {
    expect(house().act('ada', 'GO', { direction: 'north' })).toBe(
      'You know no exit to the north from here. The exits that you know lead east.',
    );
  });

  test('where no exit is known, what shows more of the room', () => {
    const map = `
      #########
      #########
      #a.......
      #########
      #########`;
    const rooms = { hall: { x: 0, y: 0, width: 9, height: 5 } };
    const pieces = { a: agent('ada', { sightRadius: 3 }) };
    const played = game(tinyDefinition(map, pieces, { rooms, rules: { movement: 'room' } }));
    expect(played.act('ada', 'GO', { direction: 'south' })).toBe(
      'You know no exit to the south from here. You know no exit yet: GO EAST to see more of the room.',
    );
    expect(played.act('ada', 'GO', { direction: 'east' })).toMatch(/^You went/);
  });

  test.each([
    { state: 'closed' as const, says: "You can't go east: the oak door is closed. OPEN it first." },
    { state: 'locked' as const, says: /^You can't go east: the oak door is locked\./ },
  ])('a $state door is refused', ({ state, says }) => {
    expect(house({ state, key: 'brass-key' }).act('ada', 'GO', { direction: 'east' })).toMatch(says);
  });

  test('a way that is blocked in sight is refused', () => {
    const map = MAP.replace('#....d', '#...cd');
    const pieces = { a: agent('ada'), d: door('oak'), c: crate('crate') };
    const played = game(
      tinyDefinition(map.replace(/[bk]/g, '.'), pieces, { rooms: ROOMS, rules: { movement: 'room' } }),
    );
    expect(played.act('ada', 'GO', { direction: 'east' })).toBe(
      "The way to the east exit is blocked, or you don't know it yet.",
    );
  });

  test('what was out of sight is met on the way, and check says nothing of it', () => {
    const map = MAP.replace('#....d....#', '#....d.n..#').replace(/[bk]/g, '.');
    const pieces = { a: agent('ada', { sightRadius: 4 }), d: door('oak'), n: npc('ogre') };
    const definition = tinyDefinition(map, pieces, { rooms: ROOMS, rules: { movement: 'room' } });
    const played = game({ ...definition, window: { columns: 11, rows: 11 } });
    const intent = { agent: 'ada', action: 'GO', args: { direction: 'east' } };
    expect(played.environment.check(played.state, intent)).toBeUndefined();
    const blocked = tinyDefinition(map.replace('d.n', 'dn.'), pieces, {
      rooms: ROOMS,
      rules: { movement: 'room' },
    });
    const other = game({ ...blocked, window: { columns: 11, rows: 11 } });
    expect(other.environment.check(other.state, intent)).toBeUndefined();
    expect(other.act('ada', 'GO', { direction: 'east' })).toBe(
      'You went 5 tiles and stopped: the ogre is in the way.',
    );
  });

  test('the knowledge grows along the way', () => {
    const played = house({}, {});
    const seen = (): string => JSON.stringify(played.state.minds['ada']?.known);
    const before = seen();
    played.act('ada', 'GO', { direction: 'east' });
    expect(seen()).not.toBe(before);
    expect(seen()).toContain('brass-key');
  });
});

describe('GO TO', () => {
  test('by room goes onto what lies there, and next to what blocks', () => {
    const played = house();
    expect(played.act('ada', 'GO', { target: 'ben' })).toBe('You went 2 tiles.');
    expect(played.act('ada', 'GO', { target: 'ben' })).toBe('You are already next to Ben.');
    played.act('ada', 'GO', { direction: 'east' });
    played.act('ada', 'GO', { target: 'brass-key' });
    expect(played.state.bodies['ada']).toMatchObject({ x: 8, y: 3 });
  });

  test('by tile takes one step along the shortest way', () => {
    const played = house({}, { movement: 'tile' });
    expect(played.act('ada', 'GO', { target: 'ben' })).toMatch(/^You went (east|south)\.$/);
  });

  test('a room that it has been in is a target, one that it has not been in is nothing', () => {
    const played = house();
    expect(played.act('ada', 'GO', { target: 'east' })).toBe(played.act('ada', 'GO', { target: 'nowhere' }));
    played.act('ada', 'GO', { direction: 'east' });
    expect(played.try('ada', 'GO', { target: 'west' }).ok).toBe(true);
    expect(played.act('ada', 'GO', { target: 'west' })).toBe('You are already in the west.');
  });

  test('ways are planned on what was last seen; what has changed since is met on the way', () => {
    const pieces = {
      s: thing('stone'),
      b: agent('ben'),
      d: door('oak'),
      a: agent('ada', { sightRadius: 3 }),
      k: thing('key'),
    };
    const rooms = { west: { x: 0, y: 0, width: 5, height: 3 }, east: { x: 6, y: 0, width: 4, height: 3 } };
    const rules = { movement: 'room', bodiesBlock: false } as const;
    const played = game(tinyDefinition('##########\n#s.b.da.k#\n##########', pieces, { rooms, rules }));
    played.act('ada', 'GO', { direction: 'west' });
    played.act('ada', 'GO', { target: 'stone' });
    played.act('ben', 'GO', { target: 'oak' });
    played.act('ben', 'CLOSE', { target: 'oak' });
    const back = { agent: 'ada', action: 'GO', args: { target: 'key' } };
    expect(played.environment.check(played.state, back)).toBeUndefined();
    expect(played.act('ada', 'GO', { target: 'key' })).toBe(
      'You went 3 tiles and stopped: the oak door is closed.',
    );
    expect(played.act('ada', 'GO', { target: 'key' })).toMatch(/^You know no open way to the key/);
  });

  test('a chest is gone up to, not onto', () => {
    const played = game(
      tinyDefinition(
        '######\n#a..c#\n######',
        { a: agent('ada'), c: chest('chest') },
        { rules: { movement: 'room' } },
      ),
    );
    played.act('ada', 'GO', { target: 'chest' });
    expectMap(played, '######\n#..ac#\n######');
  });
});

describe('where GO takes no target', () => {
  const map = '#####\n#a..#\n#..k#\n#####';
  const rules = { movement: 'tile', goTo: false } as const;
  const played = (): ReturnType<typeof game> =>
    game(tinyDefinition(map, { a: agent('ada'), k: thing('key') }, { rules }));

  test('it is offered with directions alone, and refused with a target', () => {
    const { environment, state } = played();
    const offer = environment.observe(state, 'ada').offered.find(({ action }) => action === 'GO');
    expect(offer).toEqual({ action: 'GO', slots: { direction: ['east', 'south'] } });
    expect(played().act('ada', 'GO', { target: 'key' })).toBe(
      'GO needs a direction (north, east, south, west).',
    );
    expect(played().try('ada', 'GO', { direction: 'east' }).ok).toBe(true);
  });

  test('the form shows the directions and nothing else', () => {
    const go = played().environment.actions.get('GO');
    expect(go?.grammar).toMatchObject({ kind: 'direction' });
    expect(go?.examples).toEqual(['NORTH']);
  });
});

/** What a robot is told and shown: one side at a time, others as last seen, and only the actions that are its own. */
import { describe, expect, it } from 'vitest';
import { REMEMBERED, VISIBLE } from '../../../src/environment/scene.js';
import { nounsFor } from '../../../src/binding/nouns.js';
import { CAR } from '../../../src/worlds/workcell/layout.js';
import { SECTION_IDS } from '../../../src/worlds/workcell/text.js';
import { Game, cell, robot } from './cell.js';

const observe = (game: Game, agent = 'ann') => game.environment.observe(game.state, agent);
const spritesAt = (game: Game, x: number, y: number): readonly string[] =>
  (observe(game).scene?.things ?? [])
    .filter((each) => each.x === x && each.y === y)
    .map(({ sprite }) => sprite);

describe('the text', () => {
  it('tells nothing of a side before it is scanned', () => {
    const game = new Game();
    const { sections, nouns, offered } = observe(game);
    expect(game.told('ann', 'see')).toEqual([
      'You have not scanned this side: you do not know what is on it.',
    ]);
    expect(nouns).toEqual([]);
    expect(JSON.stringify([sections, offered])).not.toMatch(/bumper|tyre|windscreen/);
  });

  it('tells all of it at once by the rule eyes', () => {
    const game = new Game(cell({ rules: { sight: 'eyes', isBurningSoundFatal: false } }));
    expect(game.told('ann', 'see')).toEqual(['On this side:', '- bumper', '- windscreen']);
  });

  it('remembers other sides as last seen, perhaps stale', () => {
    const game = new Game(cell({ robots: [robot('ann'), robot('bob')] }));
    game.all('ann', 'SCAN_AREA', 'INSPECT bumper', 'SET_ORIENTATION 270');
    game.all('bob', 'SCAN_AREA', 'REMOVE_PART windscreen');
    expect(game.told('ann', 'see')).toContain(
      '- front (0°), in turn 3: bumper (inspected: sound) and windscreen',
    );
    game.all('ann', 'SET_ORIENTATION 0');
    expect(game.told('ann', 'see')).toContain('- windscreen (missing: its place is empty)');
  });

  it('stands in the order of the sections, each known to templates', () => {
    const game = new Game();
    game.all('ann', 'SCAN_AREA', 'LIST_SPARES');
    const ids = observe(game).sections.map(({ id }) => id);
    expect(ids).toEqual(SECTION_IDS.filter((id) => ids.includes(id)));
    expect(ids).toEqual(['place', 'see', 'shelf', 'hold', 'last']);
  });
});

describe('actions', () => {
  it('are those of the scenario, seen in scope and offers alike', () => {
    const actions = ['SCAN_AREA', 'SPEAK'];
    const game = new Game(cell({ robots: [robot('ann', { actions }), robot('bob')] }));
    expect(observe(game).scope).toEqual(['SCAN_AREA', 'SPEAK', 'WAIT']);
    expect(observe(game).offered.map(({ action }) => action)).toEqual(['SCAN_AREA', 'SPEAK', 'WAIT']);
    expect(observe(game, 'bob').scope).toContain('HAND_OVER');
  });

  it('have nobody to hand anything over to where one works alone', () => {
    expect(observe(new Game()).scope).not.toContain('HAND_OVER');
  });

  it('are offered with what would be accepted now', () => {
    const game = new Game();
    const slots = (action: string) => observe(game).offered.find((offer) => offer.action === action)?.slots;
    expect(slots('SET_ORIENTATION')).toEqual({ angle: ['90', '180', '270'] });
    expect(slots('INSPECT')).toBeUndefined();
    game.all('ann', 'SCAN_AREA', 'LIST_SPARES');
    expect(slots('REMOVE_PART')).toEqual({ name: ['bumper', 'windscreen'] });
    expect(slots('GET_SPARE')).toEqual({ name: ['spare tyre', 'spare windscreen'] });
    game.all('ann', 'REMOVE_PART bumper');
    expect(slots('REMOVE_PART')).toBeUndefined();
    expect(slots('ATTACH_PART')).toEqual({});
  });

  it('take a spare by the name of its part', () => {
    const game = new Game();
    game.all('ann', 'SCAN_AREA', 'LIST_SPARES');
    const spares = observe(game).nouns.filter(({ kinds }) => kinds.includes('spare'));
    expect(nounsFor('windscreen', spares).map(({ id }) => id)).toEqual(['spare-windscreen']);
  });
});

describe('the picture', () => {
  const { x, y } = CAR;

  it('shows the side in view lit, others dim, and what was never seen as unknown', () => {
    const game = new Game();
    const visibility = (column: number, row: number) =>
      observe(game).scene?.visibility[(y + row) * 15 + x + column];
    expect(visibility(1, 0)).toBe(REMEMBERED);
    expect(spritesAt(game, x + 1, y)).toEqual(['fx/unscanned']);
    game.all('ann', 'SCAN_AREA');
    expect(visibility(1, 0)).toBe(VISIBLE);
    expect(spritesAt(game, x + 1, y)).toEqual(['car/panel']);
    expect(visibility(0, 2)).toBe(REMEMBERED);
    game.all('ann', 'SET_ORIENTATION 90');
    expect(visibility(1, 0)).toBe(REMEMBERED);
    expect(spritesAt(game, x + 1, y)).toEqual(['car/panel']);
  });

  it('shows empty places, what inspections found, and what the robot holds', () => {
    const game = new Game();
    game.all('ann', 'SET_ORIENTATION 90', 'SCAN_AREA', 'INSPECT door', 'INSPECT tyre');
    expect(spritesAt(game, x, y + 2)).toEqual(['car/panel', 'fx/tick']);
    expect(spritesAt(game, x, y + 1)).toEqual(['car/panel', 'fx/fault']);
    expect(spritesAt(game, 5, 7)).toEqual(['figure/robot']);
    game.all('ann', 'REMOVE_PART tyre');
    expect(spritesAt(game, x, y + 1)).toEqual(['car/gap']);
    expect(spritesAt(game, 4, 7)).toEqual(['item/part-panel']);
  });

  it('shows spares once the shelf was read', () => {
    const game = new Game();
    const spares = () => observe(game).scene?.things.filter(({ id }) => id.startsWith('spare')).length;
    expect(spares()).toBe(0);
    game.all('ann', 'LIST_SPARES');
    expect(spares()).toBe(2);
  });

  it('shows another robot at the same side alone', () => {
    const game = new Game(cell({ robots: [robot('ann'), robot('bob', { orientation: 90 })] }));
    const bodies = () =>
      observe(game)
        .scene?.things.filter(({ layer }) => layer === 1)
        .map(({ id }) => id);
    expect(bodies()).toEqual(['ann']);
    game.all('bob', 'SET_ORIENTATION 0');
    expect(bodies()).toEqual(['ann', 'bob']);
  });

  it('fills a larger window with wall', () => {
    const scene = new Game(cell({ window: { columns: 19, rows: 17 } })).environment.create('1');
    const { environment } = new Game(cell({ window: { columns: 19, rows: 17 } }));
    expect(environment.scene(scene, 'ann')).toMatchObject({
      width: 19,
      height: 17,
      origin: { x: -2, y: -1 },
    });
  });
});

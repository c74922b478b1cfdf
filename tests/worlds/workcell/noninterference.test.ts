/**
 * Promise 4: change whatever a robot can't perceive, and its observation and its picture stay the same to the byte: faults that it has not
 * found, parts on sides out of its sight, the shelf since it last saw it, what was burnt, and robots elsewhere with all that they know.
 */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { at } from '../../../src/base/assert.js';
import { canonicalJson } from '../../../src/base/canonical.js';
import type { DefinedState } from '../../../src/environment/environment-spec.js';
import { NO_NEWS } from '../../../src/environment/news.js';
import type { Angle } from '../../../src/worlds/workcell/definition.js';
import type { WorkcellState } from '../../../src/worlds/workcell/state.js';
import { cell, robot, throughJson } from './cell.js';
import { Game } from './cell.js';

const AGENT = 'ann';
const ROBOTS = [robot('ann'), robot('bob', { orientation: 90 }), robot('cid', { orientation: 180 })];

/** Some turns of random play by everybody: a pair of numbers picks an offered action and its argument. */
const anyPlay = fc.array(fc.tuple(fc.nat(1000), fc.nat(1000)), { minLength: 0, maxLength: 45 });
const anySight = fc.constantFrom('scan', 'eyes');

function played(moves: readonly (readonly [number, number])[], sight: 'scan' | 'eyes'): Game {
  const game = new Game(cell({ robots: ROBOTS, rules: { sight, isBurningSoundFatal: false } }));
  moves.forEach(([which, argument], i) => {
    const agent = at(ROBOTS, i % ROBOTS.length).id;
    const offers = game.environment.legalActions(game.state, agent).filter(({ action }) => action !== 'DONE');
    if (offers.length === 0) return;
    const { action, slots } = at(offers, which % offers.length);
    const [slot] = Object.entries(slots);
    const value = slot === undefined ? undefined : (slot[1][argument % slot[1].length] ?? 'hello');
    game.act(
      agent,
      action,
      slot === undefined || value === undefined ? {} : { [slot[0]]: value.replaceAll(' ', '-') },
    );
  });
  return game;
}

/** Everything that the robot can't perceive, turned upside down. */
function changed({ state: game, environment }: Game): DefinedState<WorkcellState> {
  const { world: state } = game;
  const mind = state.minds[AGENT];
  const self = state.robots[AGENT];
  if (mind === undefined || self === undefined) throw new Error('no such robot');
  const isLit = environment.observe(game, AGENT).facts['places'];
  const visible = new Set(
    (isLit as unknown as { id: string; visible: boolean }[])
      .filter((place) => place.visible)
      .map(({ id }) => id),
  );
  const elsewhere = (id: string) => state.robots[id]?.orientation !== self.orientation;
  const sides: readonly Angle[] = [0, 90, 180, 270];
  const away = at(
    sides.filter((side) => side !== self.orientation),
    1,
  );
  const known = (item: string) => Object.hasOwn(mind.findings, item);
  const world = {
    ...state,
    items: mapped(state.items, (item) =>
      known(item.id) ? item : { ...item, fault: item.fault === null ? 'loose' : null },
    ),
    places: Object.fromEntries(
      Object.entries(state.places).map(([id, item]) => [
        id,
        visible.has(id) ? item : item === null ? id : null,
      ]),
    ),
    shelf: state.shelf.slice(1),
    burnt: [...state.burnt, 'door'],
    robots: mapped(state.robots, (one) =>
      elsewhere(one.id)
        ? { ...one, orientation: away, holds: one.holds === null ? 'door' : null, status: 'done' as const }
        : one,
    ),
    minds: Object.fromEntries(
      Object.entries(state.minds).map(([id, one]) => [
        id,
        id === AGENT ? one : { ...one, scanned: [], shelf: null },
      ]),
    ),
  };
  const others = Object.keys(state.minds).filter((id) => id !== AGENT);
  const told = <T>(value: T) => Object.fromEntries(others.map((id) => [id, value]));
  return {
    ...game,
    world,
    last: { ...game.last, ...told('changed') },
    news: { ...game.news, ...told({ ...NO_NEWS, recalled: ['x'] }) },
  };
}

function mapped<T>(
  record: Readonly<Record<string, T>>,
  change: (value: T) => T,
): Readonly<Record<string, T>> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}

function seen(environment: Game['environment'], state: Game['state']): string {
  return canonicalJson({
    observation: environment.observe(state, AGENT),
    scene: environment.scene(state, AGENT),
    offered: environment.legalActions(state, AGENT),
  });
}

describe('what a robot can’t perceive', () => {
  it('changes nothing that it sees, reads, is offered or may name', () => {
    fc.assert(
      fc.property(anyPlay, anySight, (moves, sight) => {
        const game = played(moves, sight);
        const other = throughJson(changed(game));
        expect(canonicalJson(other)).not.toBe(canonicalJson(game.state));
        expect(seen(game.environment, other)).toBe(seen(game.environment, game.state));
      }),
      { numRuns: 150 },
    );
  });

  it('changes no refusal', () => {
    const guesses = ['bumper', 'windscreen', 'tyre', 'door', 'glass'].flatMap((name) => [
      { action: 'INSPECT', args: { name } },
      { action: 'REMOVE_PART', args: { name } },
      { action: 'GET_SPARE', args: { name: `spare-${name}` } },
    ]);
    const others = ['bob', 'cid'].map((to) => ({ action: 'HAND_OVER', args: { to } }));
    const bare = ['ATTACH_PART', 'INCINERATE', 'SCAN_AREA', 'LIST_SPARES'].map((action) => ({
      action,
      args: {},
    }));
    fc.assert(
      fc.property(anyPlay, anySight, (moves, sight) => {
        const game = played(moves, sight);
        const other = changed(game);
        for (const intent of [...guesses, ...others, ...bare]) {
          const asked = { agent: AGENT, ...intent };
          expect(game.environment.check(other, asked)).toEqual(game.environment.check(game.state, asked));
        }
      }),
      { numRuns: 60 },
    );
  });

  it('is plain to a viewer, who sees everything', () => {
    const game = played([], 'scan');
    const scene = game.environment.scene(game.state, null);
    expect(canonicalJson(game.environment.scene(changed(game), null))).not.toBe(canonicalJson(scene));
    expect(scene?.things.map(({ id }) => id)).toEqual(
      expect.arrayContaining(['tyre-faulty', 'spare-tyre', 'bob', 'cid']),
    );
    expect(scene?.visibility.every((each) => each === 2)).toBe(true);
  });
});

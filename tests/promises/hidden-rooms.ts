/**
 * Random pairs of workcells and of toolboxes for one agent. In: chance for what it can perceive and, for each world of the pair, for what it
 * can't: what is wrong with the car, what is on the sides that it has not seen and on the shelf, who else works there and may do what; what
 * can be looked up, what an answer must be.
 */
import { at, known } from '../../src/base/assert.js';
import type { Environment } from '../../src/environment/environment.js';
import type { AnswerCheck } from '../../src/worlds/toolbox/answer.js';
import type { Angle, PartDefinition, WorkcellDefinition } from '../../src/worlds/workcell/definition.js';
import { ANGLES } from '../../src/worlds/workcell/definition.js';
import { openWorkcell } from '../../src/worlds/workcell/workcell.js';
import { PLAIN, box } from '../worlds/toolbox/boxes.js';
import { cell, part, robot } from '../worlds/workcell/cell.js';
import type { Below } from './chance.js';
import { chance, oneOf } from './chance.js';
import type { HiddenPair, HiddenSide } from './hidden-pair.js';

const AGENT = 'ann';

interface Made {
  environment: Environment<unknown>;
  names: readonly string[];
}

function pairOf(kind: string, seed: number, make: (below: Below, seen: Below) => Made): HiddenPair {
  const made = [0, 1].map((which) =>
    make(chance(`${kind} behind ${seed} ${which}`), chance(`${kind} ${seed}`)),
  );
  const sides = made.map(({ environment }, which): HiddenSide => ({
    environment,
    seed: `${seed} ${which}`,
    others: chance(`${kind} others ${seed} ${which}`),
  }));
  return {
    sides: [known(sides[0], 'a world'), known(sides[1], 'a world')],
    agent: AGENT,
    names: made.flatMap(({ names }) => names),
  };
}

export function workcellPair(seed: number): HiddenPair {
  return pairOf('workcell', seed, (below, seen) => {
    const definition = workcellOf(below, seen);
    const { parts } = at(definition.cars, 0);
    const named = [...parts, ...definition.robots];
    return {
      environment: openWorkcell(definition),
      names: named.flatMap(({ id, name }) => [id, name, `spare-${id}`]),
    };
  });
}

const PARTS = ['bumper', 'tyre', 'door', 'glass', 'lamp', 'panel', 'mirror', 'hose'];

/** `seen` decides what the robot sees at its side at once, or with its first scan. */
function workcellOf(below: Below, seen: Below): WorkcellDefinition {
  const own = at(ANGLES, seen(4));
  const sight = oneOf(seen, ['scan', 'eyes'] as const);
  const actions = oneOf(seen, [
    null,
    ['SCAN_AREA', 'INSPECT', 'REMOVE_PART', 'SPEAK'],
    ['GET_SPARE', 'LIST_SPARES', 'HAND_OVER'],
  ]);
  const plain = partsOn(own, PARTS.slice(0, seen(3)), seen);
  const elsewhere = ANGLES.filter((angle) => angle !== own).flatMap((angle, index) =>
    partsOn(angle, PARTS.slice(2 + 2 * index, 2 + 2 * index + below(3)), below),
  );
  const parts = [...plain, ...elsewhere].sort((one, other) => one.side - other.side);
  const others = ['bob', 'cid', 'dan'].slice(0, 1 + below(3)).map((id) =>
    robot(id, {
      orientation: oneOf(
        below,
        ANGLES.filter((angle) => angle !== own),
      ),
      name: oneOf(below, [id, 'Rivet', 'Pallet']),
      actions: oneOf(below, [null, ['SET_ORIENTATION'], ['SCAN_AREA', 'LIST_SPARES']]),
    }),
  );
  const number = seen(2);
  const ann = robot(AGENT, { orientation: own, actions });
  return cell({
    cars: [{ name: 'car', parts }],
    faults: parts.slice(0, 1 + below(2)).map(({ id }) => ({ part: id, side: null, fault: null })),
    stock: {
      kind: 'listed',
      parts: parts.filter((_, index) => index < 2 || below(2) === 0).map(({ id }) => id),
    },
    // A robot's number decides its place along a side, which its picture shows.
    robots: [...others.slice(0, number), ann, ...others.slice(number)],
    rules: { sight, isBurningSoundFatal: below(2) === 0 },
  });
}

function partsOn(side: Angle, names: readonly string[], below: Below): readonly PartDefinition[] {
  return names.map((name, place) => ({
    ...part(`${name}-${side}`, side, place),
    description: oneOf(below, ['', 'It is new.']),
  }));
}

const ANSWERS: readonly AnswerCheck[] = [
  { kind: 'number', value: '42' },
  { kind: 'equals', text: 'seven' },
  { kind: 'admits' },
  { kind: 'used', tool: 'SEARCH' },
];

export function toolboxPair(seed: number): HiddenPair {
  return pairOf('toolbox', seed, (below, seen) => {
    const own = oneOf(seen, [null, ['CALCULATE', 'SEARCH'], ['READ_FILE']]);
    const others = ['bob', 'cid'].slice(0, below(3));
    const knowledge = ['pi', 'tower', 'bridge', 'harbour'].slice(0, 1 + below(4)).map((key) => ({
      key: `${key} ${below(10)}`,
      text: `It is ${below(100)}.`,
    }));
    return {
      environment: box({
        answer: below(5) === 0 ? null : oneOf(below, ANSWERS),
        knowledge,
        folder: oneOf(seen, [null, PLAIN.folder]),
        agents: below(2) === 0 ? [AGENT, ...others] : [...others, AGENT],
        scopes: { ...(own === null ? {} : { [AGENT]: own }), bob: oneOf(below, [[], ['SEARCH']]) },
      }),
      names: [...others, ...knowledge.map(({ key }) => key)],
    };
  });
}

/**
 * Questions whose words are the same whatever the picture shows, for agents that no text may tell what only
 * the picture shows (`rules.refusals: plain`). Each kind has one fixed list of questions, which name nothing in
 * sight: what is seen is asked for by sort (a thing, somebody, a door), and what is named is held or exists
 * nowhere. A question to which the moment has no answer is not asked, and no other one instead.
 */
import type { SceneThing } from '../../environment/scene.js';
import { UNKNOWN, VISIBLE } from '../../environment/scene.js';
import { BODY_LAYER, isDoor } from '../../environment/shared-tiles.js';
import type { ProbeKind } from '../../scenario/scenario.js';
import { SIDES, besideQuestion } from './beside.js';
import { uncountableNames } from './count.js';
import { seenDoors } from './door.js';
import { heldNames } from './holds.js';
import { ABSENT, absentNames } from './named.js';
import type { KnowledgeProbe, ProbeContext } from './probe.js';
import { UNKNOWN_WORD, plainName } from './probe.js';
import { SIDE_AXES, sideAt, sideQuestion } from './side.js';
import { FARTHEST, positionOf, tileQuestion, visibilityAt, visibleThings } from './tiles.js';
import type { ProbePosition } from './tiles.js';
import { whereIs } from './unknowable.js';

/** A question, and the answer that the moment has to it; null for none. */
export interface PlainQuestion extends Omit<KnowledgeProbe, 'expected'> {
  expected: string | null;
}

/** Every question of a kind, in the same order at every moment at which the agent holds the same. */
export function plainQuestions(context: ProbeContext, kind: ProbeKind): readonly PlainQuestion[] {
  return QUESTIONS[kind](context).map((one) => ({ ...one, kind }));
}

type PlainMaker = (context: ProbeContext) => readonly Omit<PlainQuestion, 'kind'>[];

const SOMEBODY = 'somebody';
const THING = 'a thing';
const DOOR = 'a door';
const NEITHER = 'none of these';

const SORTS = [THING, SOMEBODY, DOOR, NEITHER, UNKNOWN_WORD];

const QUESTIONS: Readonly<Record<ProbeKind, PlainMaker>> = {
  beside: (context) => {
    const position = positionOf(context);
    return SIDES.map(([side, dx, dy]) => ({
      question: besideQuestion(side),
      options: SORTS,
      expected: position === null ? null : sortAt(position, dx, dy),
    }));
  },

  tile: (context) => {
    const position = positionOf(context);
    return offsets(2).map(([dx, dy]) => {
      const sort = position === null ? null : sortAt(position, dx, dy);
      return {
        question: tileQuestion(dx, dy),
        options: SORTS,
        expected: sort === UNKNOWN_WORD ? null : sort,
      };
    });
  },

  count: (context) => {
    const seen = seenSorts(context);
    const count = (sort: keyof SeenSorts): string | null =>
      seen === null ? null : String(seen[sort].length);
    return [
      {
        question: 'How many people and creatures do you see now, on clear tiles and apart from yourself?',
        options: null,
        expected: count('bodies'),
      },
      {
        question: 'How many things do you see now, on clear tiles, without people, creatures and doors?',
        options: null,
        expected: count('things'),
      },
    ];
  },

  side: (context) => {
    const seen = seenSorts(context);
    const self = positionOf(context)?.self;
    const about = (what: string, of: readonly SceneThing[] | undefined) => {
      const [only, second] = of ?? [];
      const at = only !== undefined && second === undefined && self !== undefined ? { only, self } : null;
      const answer = (sides: readonly [string, string], axis: 'x' | 'y'): string | null =>
        at === null ? null : sideAt(sides, at.only[axis] - at.self[axis]);
      return SIDE_AXES.map(([sides, axis]) => ({
        ...sideQuestion(what, sides),
        expected: answer(sides, axis),
      }));
    };
    return [
      ...about('the only other person or creature that you see', seen?.bodies),
      ...about('the only thing that you see', seen?.things),
    ];
  },

  door: ({ observation }) => {
    const [only, second] = seenDoors(observation);
    const isOne = only !== undefined && second === undefined;
    const question = 'Is the only door that you see open now?';
    const state = isOne ? (only.state === 'open' ? 'yes' : 'no') : null;
    return [{ question, options: ['yes', 'no', UNKNOWN_WORD], expected: state }];
  },

  holds: (context) => {
    const held = heldNames(context.observation.facts['self'] ?? null);
    return namesAsked(held ?? [], context).map(({ name, isAbsent }) => ({
      question: `Do you hold "${plainName(name)}" now?`,
      options: ['yes', 'no'],
      expected: held === null || isAbsent === null ? null : isAbsent ? 'no' : 'yes',
    }));
  },

  named: (context) =>
    namesAsked(heldNames(context.observation.facts['self'] ?? null) ?? [], context).map(
      ({ name, isAbsent }) => ({
        question: `Is "${plainName(name)}" among what you are shown or told of now?`,
        options: ['yes', 'no'],
        expected: isAbsent === null ? null : isAbsent ? 'no' : 'yes',
      }),
    ),

  unknowable: (context) => {
    const position = positionOf(context);
    const absent = absentNames(context);
    const tiles = offsets(1).map(([dx, dy]) => ({
      question: tileQuestion(dx, dy),
      options: SORTS,
      expected: position !== null && sortAt(position, dx, dy) === UNKNOWN_WORD ? UNKNOWN_WORD : null,
    }));
    const names = ABSENT.map((name) => ({
      ...whereIs('unknowable', name, UNKNOWN_WORD),
      expected: absent.includes(name) ? UNKNOWN_WORD : null,
    }));
    return [...tiles, ...names];
  },
};

/** What the agent holds, of which it is told, and what exists nowhere; `isAbsent` is null if that is not sure. */
function namesAsked(
  held: readonly string[],
  context: ProbeContext,
): readonly { name: string; isAbsent: boolean | null }[] {
  const absent = absentNames(context);
  return [
    ...[...new Set(held)].map((name) => ({ name, isAbsent: false })),
    ...ABSENT.map((name) => ({ name, isAbsent: absent.includes(name) ? true : null })),
  ];
}

/** Every tile from so many tiles away on, row by row. */
function offsets(nearest: number): readonly (readonly [number, number])[] {
  const side = Array.from({ length: 2 * FARTHEST + 1 }, (_, i) => i - FARTHEST);
  return side
    .flatMap((dy) => side.map((dx) => [dx, dy] as const))
    .filter(([dx, dy]) => {
      const distance = Math.abs(dx) + Math.abs(dy);
      return distance >= nearest && distance <= FARTHEST;
    });
}

/** The sort of what is on a tile; null if it is only remembered, or several are there. */
function sortAt({ scene, self, nameableIds }: ProbePosition, dx: number, dy: number): string | null {
  const [x, y] = [self.x + dx, self.y + dy];
  const visibility = visibilityAt(scene, x, y);
  if (visibility === UNKNOWN) return UNKNOWN_WORD;
  if (visibility !== VISIBLE) return null;
  const there = scene.things.filter((thing) => thing.x === x && thing.y === y && thing.layer <= BODY_LAYER);
  if (there.length > 1 || there.some(({ id }) => !nameableIds.has(id))) return null;
  const isDoorway = isDoor(scene.legend[scene.ground[y * scene.width + x] ?? -1] ?? '');
  const [only] = there;
  if (only !== undefined && isDoorway) return null;
  if (only !== undefined) return only.layer === BODY_LAYER ? SOMEBODY : THING;
  return isDoorway ? DOOR : NEITHER;
}

interface SeenSorts {
  bodies: readonly SceneThing[];
  things: readonly SceneThing[];
}

/** Null without a picture, or if something in sight can't be counted by eye. */
function seenSorts(context: ProbeContext): SeenSorts | null {
  const position = positionOf(context);
  if (position === null) return null;
  const seen = visibleThings(position).filter(({ layer }) => layer <= BODY_LAYER);
  const uncountable = uncountableNames(position, context.observation.facts);
  if (seen.some(({ name }) => uncountable.has(name))) return null;
  return {
    bodies: seen.filter(({ layer }) => layer === BODY_LAYER),
    things: seen.filter(({ layer }) => layer < BODY_LAYER),
  };
}

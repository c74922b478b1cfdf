/**
 * The text of an observation, made from a perception. Every name in a view has passed `nameText` (one line,
 * no control tokens), because scenarios and agents are untrusted. `wording.ts` has the wording shared with
 * the rules.
 */
import { known } from '../../base/assert.js';
import { compareText } from '../../base/ids.js';
import type { Section } from '../../environment/observation.js';
import type { Direction } from '../../environment/space.js';
import type { GridRules } from './definition.js';
import type { ReachableThing, RememberedItem, PlacedItem, SeenBody, AgentView } from './view.js';
import type { KnownExit } from './exits.js';
import { groundLines } from './known-ground.js';
import type { Perception } from './perception.js';
import { SECTIONS } from './sections.js';
import type { GridMindState, GridState } from './state.js';
import type { NameLabel } from './wording.js';
import { capitalised, joinList, nameText, proseText, theName } from '../../environment/wording.js';
import { countedName, heardText, tileText, whereabouts } from './wording.js';
import type { GridWorld } from './world.js';
import { mindOf } from './world.js';

/** The sections of an observation that are not empty. */
export function sectionsOf(world: GridWorld, state: GridState, perception: Perception): readonly Section[] {
  const { view, label } = perception;
  const mind = mindOf(state, view.self.id);
  const { rules } = world.definition;
  const mustLook = rules.observe === 'ask';
  const lines: Readonly<Record<(typeof SECTIONS)[number]['id'], readonly string[]>> = {
    place: mustLook ? placeLines(view).slice(0, 1) : placeLines(view),
    see: mustLook
      ? doorStates(view)
      : seeLines(view, label, { rules, ground: groundLines(world, state, view) }),
    exits: mustLook
      ? []
      : exitLines(view, perception.exits, {
          label,
          roomName: (id) => nameText(known(world.rooms.get(id), `room ${id}`).name),
          steps: rules.movement === 'tile' ? perception.walkability.steps : null,
        }),
    hold: holdLines(view, label),
    heard: mind.inbox.flatMap((item) => (item.kind === 'heard' ? [heardText(rules, item)] : [])),
    noticed: noticedLines(mind),
    last: mind.last === '' ? [] : [proseText(mind.last)],
  };
  return SECTIONS.filter(({ id }) => lines[id].length > 0).map((section) =>
    'isPictured' in section
      ? { id: section.id, isPictured: section.isPictured, lines: lines[section.id] }
      : { id: section.id, lines: lines[section.id] },
  );
}

/** What happened, as it is told. */
export function noticedLines({ inbox }: GridMindState): readonly string[] {
  return inbox.flatMap((item) => (item.kind === 'noticed' && item.line !== '' ? [item.line] : []));
}

/** Where the agent is. An agent in a doorway is described as in the doorway, not in a room. */
function placeLines({ self, room, doors }: AgentView): readonly string[] {
  const doorway = doors.find(({ direction }) => direction === null);
  const place = doorway === undefined ? roomPlace(room) : `in the doorway of ${theName(doorway.name)}`;
  const here = `You are ${place}, at x ${self.x}, y ${self.y}.`;
  const isDescribed = doorway === undefined && room !== null && room.description !== '';
  return isDescribed ? [here, proseText(room.description)] : [here];
}

function roomPlace(room: AgentView['room']): string {
  return room === null ? 'outside any room' : `in ${theName(nameText(room.name))}`;
}

/** Whether each door in sight is open, for agents that must LOOK to see the rest. */
function doorStates({ doors }: AgentView): readonly string[] {
  return doors.map(({ name, state }) => `${capitalised(theName(name))} is ${state}.`);
}

/**
 * The bodies, things and ground that the agent sees, nearest first; then what it remembers out of sight.
 * `describe` gives the text after the position of a thing, a body or a door.
 */
export function seeLines(
  { self, bodies, things, doors, memories }: AgentView,
  label: NameLabel,
  {
    rules,
    ground,
    describe = () => '',
  }: { rules: GridRules; ground: ReturnType<typeof groundLines>; describe?: (id: string) => string },
): readonly string[] {
  const positionText = (placed: PlacedItem & { id: string }): string => {
    const tile = rules.coordinates === true ? `, at ${tileText(placed)}` : '';
    const description = describe(placed.id);
    return `${whereabouts(self, placed)}${tile}${description === '' ? '' : `: ${description}`}`;
  };
  const seen = [
    ...bodies.map((each) => ({ each, line: `${bodyLine(each, label)}, ${positionText(each)}` })),
    ...things.map((each) => ({ each, line: `- ${itemText(each, label)}, ${positionText(each)}` })),
    ...doors.map((each) => ({ each, line: `- ${label(each)} (${each.state}), ${positionText(each)}` })),
  ].toSorted((a, b) => a.each.distance - b.each.distance || compareText(a.each.id, b.each.id));
  const lines =
    seen.length === 0
      ? ['You see nobody and nothing of note.']
      : ['You see:', ...seen.map(({ line }) => line)];
  const remembered = memories.map((memory) => memoryLine(memory, label, positionText(memory)));
  return [
    ...lines,
    ...ground.visible,
    ...(remembered.length === 0 ? [] : ['Remembered, out of sight:', ...remembered]),
    ...ground.remembered,
  ];
}

function bodyLine(body: SeenBody, label: NameLabel): string {
  const notes = [
    ...(body.kind === 'person' ? ['person'] : []),
    ...(body.status === 'awake' ? [] : [body.status]),
  ];
  return `- ${label(body)}${inBrackets(notes)}`;
}

function memoryLine(memory: RememberedItem, label: NameLabel, where: string): string {
  const state = memory.lid === null ? '' : ` (${memory.lid} then)`;
  return `- ${label(memory)}${state}, ${where}, last seen in turn ${memory.turn}`;
}

function inBrackets(notes: readonly string[]): string {
  return notes.length === 0 ? '' : ` (${notes.join(', ')})`;
}

/** "brass key", "gold coin (3)", "iron chest (closed)", "iron chest (open, holding rope and gem)". */
function itemText(item: ReachableThing, label: NameLabel): string {
  const name = countedName(label(item), item.amount);
  if (item.lid !== 'open') return `${name}${inBrackets(item.lid === null ? [] : [item.lid])}`;
  const inside = item.inside.map((inner) => itemText(inner, label));
  return `${name}${inBrackets(['open', inside.length === 0 ? 'empty' : `holding ${joinList(inside)}`])}`;
}

/** What it holds, and whether it can use it: neither is seen in a picture. */
function holdLines({ self, held }: AgentView, label: NameLabel): readonly string[] {
  const items = held.map((item) => itemText(item, label));
  const line = items.length === 0 ? 'You hold nothing.' : `You hold ${joinList(items)}.`;
  return self.incapacitated === true ? ['You are incapacitated and can only wait.', line] : [line];
}

/** `steps`: the directions of the tiles that can be stepped on now; null if the rules don't move by tiles. */
function exitLines(
  { self, room }: AgentView,
  exits: readonly KnownExit[],
  {
    label,
    roomName,
    steps,
  }: { label: NameLabel; roomName: (id: string) => string; steps: readonly Direction[] | null },
): readonly string[] {
  const lines = exits.map((exit) => {
    const { direction, door, name, leadsTo, isVisible } = exit;
    const state = isVisible ? exit.state : `${exit.state} when last seen`;
    const destination = leadsTo === null ? '' : `, to ${theName(roomName(leadsTo))}`;
    return `- ${direction}: ${label({ id: door, name })} (${state}), ${whereabouts(self, exit)}${destination}`;
  });
  const noExitLines = room === null ? [] : ['You know no exit of this room yet.'];
  const shownLines = lines.length === 0 ? noExitLines : ['Exits that you know:', ...lines];
  if (steps === null) return shownLines;
  const stepLine = steps.length === 0 ? 'No tile beside you is free.' : `Free to step: ${joinList(steps)}.`;
  return [...shownLines, stepLine];
}

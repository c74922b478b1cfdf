/**
 * The text of an observation, made from a view. Names and prose of the scenario pass through `nameText` and
 * `proseText`, because scenarios are untrusted.
 */
import { ADDED_SECTIONS } from '../../environment/environment-spec.js';
import type { Section } from '../../environment/observation.js';
import { capitalised, joinList, nameText, proseText, theName } from '../../environment/wording.js';
import { ANGLES, theSide } from './definition.js';
import type { Angle } from './definition.js';
import type { ScanResult, KnownPlace, RobotView } from './view.js';

/** The paragraphs of an observation, in order. */
export const SECTIONS = [
  { id: 'place', isPictured: true },
  { id: 'see', isPictured: true },
  { id: 'shelf' },
  { id: 'hold' },
] as const satisfies readonly Omit<Section, 'lines'>[];

/** Their ids and those that every world adds: templates place them by these. */
export const SECTION_IDS = [...SECTIONS.map(({ id }) => id), ...ADDED_SECTIONS];

export function textOf(
  view: RobotView,
): Readonly<Record<(typeof SECTIONS)[number]['id'], readonly string[]>> {
  const { shelf, held } = view;
  return {
    place: [
      `You are in a workshop, at ${theSide(view.self.orientation)} of ${theName(nameText(view.carName))}.`,
      `The other sides: ${joinList(ANGLES.filter((angle) => angle !== view.self.orientation).map(theSide))}.`,
    ],
    see: seeLines(view),
    shelf: shelf === null ? [] : [`On the shelf, when you last saw it: ${shelfText(view)}.`],
    hold: [
      held === null
        ? 'Your hands are empty.'
        : `You hold the ${held.name}${stateText(held.id, held.finding)}.`,
    ],
  };
}

/** The current side, robots there, then what was seen on other sides. */
function seeLines(view: RobotView): readonly string[] {
  const others = ANGLES.filter((angle) => angle !== view.self.orientation).flatMap((angle) =>
    memoryLines(view, angle),
  );
  return [
    ...hereLines(view),
    ...view.others.map(({ name, state }) => {
      const hands = state.holds === null ? 'its hands are empty' : 'it holds a part';
      return `${capitalised(theName(name))} is at this side too; ${hands}.`;
    }),
    ...(others.length === 0 ? [] : ['Seen before, on other sides:', ...others]),
  ];
}

function hereLines(view: RobotView): readonly string[] {
  if (!view.seesOwnSide) return ['You have not scanned this side: you do not know what is on it.'];
  const places = placesOn(view, view.self.orientation);
  return places.length === 0
    ? ['Nothing on this side can be taken off.']
    : ['On this side:', ...places.map((place) => `- ${placeText(place)}`)];
}

function placeText({ part, item, finding }: KnownPlace): string {
  return `${nameText(part.name)}${stateText(item, finding)}`;
}

function stateText(item: string | null, finding: ScanResult | null): string {
  if (item === null) return ' (missing: its place is empty)';
  if (finding === null) return '';
  return finding.fault === null
    ? ' (inspected: sound)'
    : ` (inspected: faulty. ${proseText(finding.fault.finding)})`;
}

function memoryLines(view: RobotView, angle: Angle): readonly string[] {
  const places = placesOn(view, angle);
  const [first] = places;
  if (first === undefined) return [];
  const names = joinList(places.map(placeText));
  return [`- ${theSide(angle).replace(/^the /, '')}, in turn ${first.turn}: ${names}`];
}

function placesOn({ places }: RobotView, angle: Angle): readonly KnownPlace[] {
  return places.filter(({ part }) => part.side === angle);
}

/** "front bumper and windscreen (missing: its place is empty)". */
export function sideText(view: RobotView): string {
  const names = placesOn(view, view.self.orientation).map(placeText);
  return names.length === 0 ? 'nothing that can be taken off' : joinList(names);
}

export function shelfText({ shelf }: RobotView): string {
  const names = (shelf ?? []).map(({ name }) => name);
  return names.length === 0 ? 'nothing' : joinList(names);
}

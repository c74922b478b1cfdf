/** The command for a click or an arrow key, among the offered ones. */
import type { ActionForm, FormPart, Observation, Point } from '../serve/gen/orchestrate/world/v1/world_pb.js';
import { fillForm, type SeatCommand } from './command.js';

/** In a direction, given by a key or an exit. */
export function commandTowards({ forms }: Observation, direction: string): SeatCommand | null {
  const form = forms.find(
    ({ parts: [first, ...others] }) => first?.slot === 'direction' && others.length === 0,
  );
  const isOpen = form?.parts[0]?.values.includes(direction) === true;
  return form === undefined || !isOpen ? null : fillForm(form, [direction]);
}

/** To a thing on the tile, to the tile itself, or a step onto it. */
export function commandTo(observation: Observation, at: Pick<Point, 'x' | 'y'>): SeatCommand | null {
  const { forms, facts } = observation;
  const target = forms.find(({ parts }) => parts[0]?.word === 'TO' && parts.length === 2);
  const names = namesAt(observation, at).flatMap(({ id, name }) => [id, name]);
  const targetName = target?.parts[1]?.values.find((value) => names.includes(value));
  if (target !== undefined && targetName !== undefined) return fillForm(target, [targetName]);
  const tile = forms.find((form) => isTileForm(form) && covers(form, at));
  if (tile !== undefined) return fillForm(tile, [BigInt(at.x), BigInt(at.y)]);
  const selfPosition = facts?.self?.position;
  if (selfPosition === undefined) return null;
  const exit = facts?.exits.find(({ position }) => position?.x === at.x && position.y === at.y);
  const direction = exit?.side ?? DIRECTIONS[`${at.x - selfPosition.x} ${at.y - selfPosition.y}`];
  return direction === undefined ? null : commandTowards(observation, direction);
}

/** `TO x y`: a click is better than a button for each tile. */
export function isTileForm({ parts: [to, x, y, ...others] }: ActionForm): boolean {
  return to?.word === 'TO' && x?.slot === 'x' && y?.slot === 'y' && others.length === 0;
}

function covers({ parts: [, x, y] }: ActionForm, at: Pick<Point, 'x' | 'y'>): boolean {
  const isInRange = (part: FormPart | undefined, value: number) =>
    part?.range !== undefined && value >= part.range.least && value <= part.range.most;
  return isInRange(x, at.x) && isInRange(y, at.y);
}

const DIRECTIONS: Readonly<Record<string, string>> = {
  '0 -1': 'north',
  '1 -1': 'north-east',
  '1 0': 'east',
  '1 1': 'south-east',
  '0 1': 'south',
  '-1 1': 'south-west',
  '-1 0': 'west',
  '-1 -1': 'north-west',
};

/** Everything that the entity perceives on a tile. */
export function namesAt(
  { facts }: Observation,
  { x, y }: Pick<Point, 'x' | 'y'>,
): readonly { id: string; name: string }[] {
  const isOnTile = ({ position }: { position?: Point | undefined }) => position?.x === x && position.y === y;
  return [
    ...(facts?.bodies ?? []).filter(isOnTile).map(({ entity: id, name }) => ({ id, name })),
    ...(facts?.things ?? []).filter(isOnTile).map(({ object: id, name }) => ({ id, name })),
    ...(facts?.doors ?? []).filter(isOnTile).map(({ door: id, name }) => ({ id, name })),
  ];
}

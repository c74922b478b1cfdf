/** Locks and keys as a whole: what can never be opened and what opens nothing is probably a slip, so it is a warning. */
import { lookUp } from '../../../base/look-up.js';
import type { Door, ThingDefinition } from '../definition.js';
import type { GridReading } from './places.js';

export function tellLocks(
  reading: GridReading,
  doors: readonly Door[],
  things: readonly ThingDefinition[],
): void {
  // As written: a door that is wrong otherwise wants its key all the same.
  const { doors: writtenDoors, things: writtenThings } = reading.values;
  const wanted = new Set(
    [...Object.values(writtenDoors), ...Object.values(writtenThings)].map(({ key }) => key),
  );
  for (const id of Object.keys(reading.values.things)) {
    const isIdle = lookUp(reading.values.things, id)?.kind === 'key' && !wanted.has(id);
    if (isIdle)
      reading.report.warning(
        { key: ['things', id] },
        `the key ${id} opens nothing`,
        `write key: ${id} at a door or a chest`,
      );
  }
  const worked = new Set(
    things.map(({ work }) => (work?.effect.kind === 'open-door' ? work.effect.door : '')),
  );
  const triggered = new Set(
    Object.values(reading.values.triggers).flatMap(({ then }) =>
      then.flatMap(({ open, unlock }) => [open, unlock]),
    ),
  );
  for (const { id, state, key } of doors)
    if (state === 'locked' && key === null && !worked.has(id) && !triggered.has(id))
      tellStuck(reading, ['doors', id]);
  for (const { id, container } of things)
    if (container?.state === 'locked' && container.key === null && !triggered.has(id))
      tellStuck(reading, ['things', id]);
}

function tellStuck(reading: GridReading, path: readonly [string, string]): void {
  reading.report.warning({ key: path }, `${path[1]} is locked and nothing can open it`, 'name a key: key: …');
}

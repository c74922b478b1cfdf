/**
 * Triggers: which keys form an occasion or an effect, which ids they may name, and the definitions made from
 * them. Triggers that can never fire or have no effect are reported, as far as the scenario alone shows it.
 */
import { lookUp } from '../../../base/look-up.js';
import type { Audience, Effect, TriggerOccasion, Trigger } from '../definition.js';
import { ANY_AGENT } from '../definition.js';
import { entriesById } from '../../../scenario/records.js';
import type { YamlPath } from '../../../scenario/tree.js';
import { readCondition } from './conditions.js';
import { KINDS } from './kinds.js';
import { groundName, isInside, isWalkable } from './map.js';
import type { IdKind, GridReading } from './places.js';
import { checkReference } from './places.js';
import type { EffectInput, OccasionInput, TriggerInput } from './schema-trigger.js';
import { isContainer } from './things.js';

type OccasionKey = keyof OccasionInput;
type EffectKey = keyof EffectInput;

/** The possible occasions, each with the keys that may accompany it. */
const OCCASIONS = {
  used: ['on', 'agent'],
  entered_room: ['agent'],
  entered_tile: ['agent'],
  said: ['in_room', 'agent'],
  turn: [],
} as const satisfies Partial<Record<OccasionKey, readonly OccasionKey[]>>;

const EFFECTS = {
  open: [],
  close: [],
  lock: [],
  unlock: [],
  spawn: [],
  remove: [],
  move: ['at'],
  tell: ['to', 'in_room', 'at'],
  incapacitate: [],
  restore: [],
  count: ['by'],
} as const satisfies Partial<Record<EffectKey, readonly EffectKey[]>>;

/** The triggers, sorted by id, which is the order in which they fire. */
export function readTriggers(reading: GridReading): readonly Trigger[] {
  const triggers = entriesById(reading.values.triggers).flatMap(([id, input]) => {
    const trigger = readTrigger(reading, id, input);
    return trigger === undefined ? [] : [trigger];
  });
  reportAbsentThings(reading);
  reportUnusedCounters(reading);
  return triggers;
}

function readTrigger(reading: GridReading, id: string, input: TriggerInput): Trigger | undefined {
  const path = ['triggers', id];
  if (input.when === undefined && input.if === undefined) {
    reading.report.error(
      { key: path },
      `the trigger ${id} has no event or condition`,
      "write 'when' or 'if'",
    );
    return undefined;
  }
  const when = input.when && readOccasion(reading, input.when, [...path, 'when']);
  const condition = input.if && readCondition(reading, input.if, [...path, 'if']);
  const hasActor = input.when !== undefined && input.when.turn === undefined;
  const effects = input.then.flatMap((effect, i) => {
    const read = readEffect(reading, effect, { path: [...path, 'then', i], hasActor });
    return read === undefined ? [] : [read];
  });
  return { id, when: when ?? null, condition: condition ?? null, effects, repeats: input.repeat };
}

/**
 * The key of the table that `input` has, if it has exactly one and only the further keys that the table allows
 * with it; otherwise undefined, and the mistake is reported.
 */
function readMainKey<K extends string>(
  reading: GridReading,
  input: Readonly<Record<string, unknown>>,
  table: Readonly<Record<K, readonly string[]>>,
  { path, subject }: { path: YamlPath; subject: string },
): K | undefined {
  const keys = Object.keys(input).filter((key) => lookUp(input, key) !== undefined);
  const names = Object.keys(table) as K[];
  const mainKeys = names.filter((name) => keys.includes(name));
  const [mainKey] = mainKeys;
  if (mainKey === undefined || mainKeys.length > 1) {
    const foundKeys = mainKeys.length === 0 ? 'none' : mainKeys.join(' and ');
    reading.report.error(
      { key: path },
      `${subject} must be exactly one of ${names.join(', ')}; found: ${foundKeys}`,
    );
    return undefined;
  }
  const strayKey = keys.find((key) => key !== mainKey && !table[mainKey].includes(key));
  if (strayKey === undefined) return mainKey;
  const owners = names.filter((name) => table[name].includes(strayKey));
  reading.report.error(
    { key: [...path, strayKey] },
    `'${strayKey}' has no effect together with '${mainKey}'`,
    `use it only with ${owners.join(', ')}`,
  );
  return undefined;
}

function readOccasion(
  reading: GridReading,
  input: OccasionInput,
  path: YamlPath,
): TriggerOccasion | undefined {
  const mainKey = readMainKey(reading, input, OCCASIONS, { path, subject: "'when'" });
  const checkId = (id: string, kinds: readonly IdKind[], key: OccasionKey): boolean =>
    checkReference(reading, id, kinds, [...path, key]);
  const agent = input.agent ?? ANY_AGENT;
  if (agent !== ANY_AGENT && !checkId(agent, ['agent'], 'agent')) return undefined;
  if (mainKey === 'used') return readUse(reading, input, { agent, path });
  if (mainKey === 'turn') return { kind: 'turn-over', turn: input.turn ?? 1 };
  if (mainKey === 'said') {
    const { said = '', in_room: room = null } = input;
    if (room !== null && !checkId(room, ['room'], 'in_room')) return undefined;
    return { kind: 'said', phrase: said, room, agent };
  }
  if (mainKey === 'entered_room') {
    const { entered_room: room = '' } = input;
    return checkId(room, ['room'], 'entered_room') ? { kind: 'entered-room', room, agent } : undefined;
  }
  const [x, y] = input.entered_tile ?? [0, 0];
  if (mainKey === undefined || !checkWalkable(reading, [x, y], [...path, 'entered_tile'])) return undefined;
  return { kind: 'entered-tile', x, y, agent };
}

function checkWalkable(reading: GridReading, [x, y]: readonly [number, number], at: YamlPath): boolean {
  const { map, report } = reading;
  if (isInside(map, x, y) && isWalkable(map, x, y)) return true;
  const terrain = isInside(map, x, y) ? groundName(map, x, y) : 'nothing';
  report.error(at, `${terrain} is at (${x}, ${y}), where no agent or thing can be`);
  return false;
}

/**
 * A thing that is used on something must be held; a key in its own lock locks and unlocks it, which is not an
 * event.
 */
function readUse(
  reading: GridReading,
  { used = '', on }: OccasionInput,
  { agent, path }: { agent: string; path: YamlPath },
): TriggerOccasion | undefined {
  if (!checkReference(reading, used, ['thing'], [...path, 'used'])) return undefined;
  if (on === undefined) return { kind: 'used', thing: used, on: null, agent };
  if (!checkReference(reading, on, ['thing', 'door', 'agent', 'npc'], [...path, 'on'])) return undefined;
  const { things, doors } = reading.values;
  const tool = lookUp(things, used);
  const isPortable = tool?.portable ?? KINDS[tool?.kind ?? 'item'].portable;
  if (!isPortable)
    reading.report.error(
      [...path, 'used'],
      `${used} can't be carried, so it can't be used on ${on}`,
      `give ${used} 'portable: true', or leave out 'on'`,
    );
  if ((lookUp(doors, on) ?? lookUp(things, on))?.key === used)
    reading.report.error(
      [...path, 'on'],
      `using ${used} on ${on} turns its lock, so the trigger never fires`,
      `wait for the lock: if: { ${lookUp(doors, on) === undefined ? 'thing' : 'door'}: ${on}, is: unlocked }`,
    );
  return { kind: 'used', thing: used, on, agent };
}

interface EffectContext {
  path: YamlPath;
  /** Whether an agent sets the trigger off. */
  hasActor: boolean;
}

const LID_STATES = { open: 'open', close: 'closed', lock: 'locked', unlock: 'unlocked' } as const;

function readEffect(reading: GridReading, input: EffectInput, context: EffectContext): Effect | undefined {
  const { path } = context;
  const mainKey = readMainKey(reading, input, EFFECTS, { path, subject: 'an effect' });
  switch (mainKey) {
    case undefined:
      return undefined;
    case 'open':
    case 'close':
    case 'lock':
    case 'unlock':
      return lidEffect(reading, input[mainKey] ?? '', { at: [...path, mainKey], to: LID_STATES[mainKey] });
    case 'tell': {
      const to = readAudience(reading, input, context);
      return to === undefined ? undefined : { kind: 'tell', text: input.tell ?? '', to };
    }
    case 'incapacitate':
    case 'restore':
      return abilityEffect(reading, input[mainKey] ?? '', { kind: mainKey, context });
    case 'count':
      return { kind: 'count', counter: input.count ?? '', by: input.by ?? 1 };
    case 'move':
      return moveEffect(reading, input, path);
    default:
      return thingEffect(reading, input[mainKey] ?? '', { kind: mainKey, at: [...path, mainKey] });
  }
}

function lidEffect(
  reading: GridReading,
  target: string,
  { at, to }: { at: YamlPath; to: 'open' | 'closed' | 'locked' | 'unlocked' },
): Effect | undefined {
  if (!checkReference(reading, target, ['door', 'thing'], at)) return undefined;
  const hasLid = reading.ids.get(target) === 'door' || isContainer(reading, target);
  if (!hasLid) reading.report.error(at, `${target} is not a container`, `give ${target} a state`);
  return { kind: 'set-lid', target, to };
}

function thingEffect(
  reading: GridReading,
  thing: string,
  { kind, at }: { kind: 'spawn' | 'remove'; at: YamlPath },
): Effect | undefined {
  if (!checkReference(reading, thing, ['thing'], at)) return undefined;
  const isAbsent = lookUp(reading.values.things, thing)?.absent === true;
  const isRemoved = Object.values(reading.values.triggers).some((trigger) =>
    trigger.then.some(({ remove }) => remove === thing),
  );
  if (kind === 'spawn' && !isAbsent && !isRemoved)
    reading.report.error(
      at,
      `${thing} is present from the start, so it can't be spawned`,
      `give ${thing} 'absent: true'`,
    );
  return { kind, thing };
}

function moveEffect(
  reading: GridReading,
  { move = '', at }: EffectInput,
  path: YamlPath,
): Effect | undefined {
  if (!checkReference(reading, move, ['thing'], [...path, 'move'])) return undefined;
  if (at === undefined) {
    reading.report.error(
      { key: [...path, 'move'] },
      `the destination of ${move} is missing`,
      "write 'at: [x, y]'",
    );
    return undefined;
  }
  const [x, y] = at;
  return checkWalkable(reading, at, [...path, 'at']) ? { kind: 'move', thing: move, x, y } : undefined;
}

function abilityEffect(
  reading: GridReading,
  agent: string,
  { kind, context }: { kind: 'incapacitate' | 'restore'; context: EffectContext },
): Effect | undefined {
  const at = [...context.path, kind];
  if (agent !== 'actor') return checkReference(reading, agent, ['agent'], at) ? { kind, agent } : undefined;
  if (context.hasActor) return { kind, agent: null };
  reading.report.error(at, 'no agent sets this trigger off, so there is no actor', 'name the agent');
  return undefined;
}

function readAudience(
  reading: GridReading,
  input: EffectInput,
  { path, hasActor }: EffectContext,
): Audience | undefined {
  const { to, in_room: room, at } = input;
  const { report } = reading;
  if ([to, room, at].filter((each) => each !== undefined).length > 1) {
    report.error({ key: path }, "'to', 'in_room' and 'at' are mutually exclusive", 'keep only one of them');
    return undefined;
  }
  if (room !== undefined)
    return checkReference(reading, room, ['room'], [...path, 'in_room']) ? { kind: 'room', room } : undefined;
  if (at !== undefined) {
    const [x, y] = at;
    if (isInside(reading.map, x, y)) return { kind: 'tile', x, y };
    report.error([...path, 'at'], `(${x}, ${y}) is outside the map`);
    return undefined;
  }
  if (to === 'everyone') return { kind: 'everyone' };
  if (to !== undefined && to !== 'actor')
    return checkReference(reading, to, ['agent'], [...path, 'to']) ? { kind: 'agent', agent: to } : undefined;
  if (hasActor) return { kind: 'actor' };
  report.error(
    { key: [...path, to === undefined ? 'tell' : 'to'] },
    "no agent sets this trigger off, so 'tell' reaches nobody",
    "write 'to: everyone', 'in_room: ROOM' or 'at: [x, y]'",
  );
  return undefined;
}

/** Reports things that are absent at the start but never appear, or whose other keys contradict `absent`. */
function reportAbsentThings(reading: GridReading): void {
  const { values, report } = reading;
  const spawned = new Set(
    Object.values(values.triggers).flatMap((each) => each.then.map(({ spawn }) => spawn)),
  );
  for (const [id, thing] of Object.entries(values.things)) {
    const container = thing.in === undefined ? undefined : lookUp(values.things, thing.in);
    if (container?.absent === true && thing.absent !== true)
      report.error(
        ['things', id, 'in'],
        `${thing.in ?? ''} is absent at the start, so nothing can be in it`,
        `also give ${id} 'absent: true', and spawn both`,
      );
    if (thing.absent !== true) continue;
    if (thing.held_by !== undefined)
      report.error(
        ['things', id, 'held_by'],
        `${id} is absent at the start, so it can't be held`,
        "write where it will appear: 'at: [x, y]' or 'in: CONTAINER'",
      );
    if (!spawned.has(id))
      report.warning(
        { key: ['things', id] },
        `${id} is absent and no trigger spawns it`,
        `write 'then: [{ spawn: ${id} }]' in a trigger`,
      );
  }
}

/** Warns of counters that no condition reads. */
function reportUnusedCounters({ values, report }: GridReading): void {
  const text = JSON.stringify([
    values.success,
    values.failure,
    Object.values(values.triggers).map((trigger) => trigger.if),
  ]);
  for (const [id, trigger] of Object.entries(values.triggers)) {
    trigger.then.forEach(({ count }, i) => {
      if (count !== undefined && !text.includes(`"counter":"${count}"`))
        report.warning(
          ['triggers', id, 'then', i, 'count'],
          `the counter ${count} is never used`,
          `write 'if: { counter: ${count}, at_least: 1 }' in a trigger, or a similar condition in 'success'`,
        );
    });
  }
}

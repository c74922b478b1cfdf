/**
 * A player's name, the same everywhere: its name in the batch, otherwise its model's name on the server,
 * otherwise its controller. In: the players of a session; out: a name. Agents that are part of the world, such
 * as those with fixed replies, are named only if there are no other players. A lease's epoch identifies the grant
 * and not the holder, so it is not part of the name.
 */
import { compareText } from '../base/ids.js';
import type { Json } from '../base/json.js';
import { lookUp } from '../base/look-up.js';
import type { CallRequest, LeaseRecord, SessionRecord } from './records.js';

type SessionControllers = SessionRecord['controllers'];

type StartedSession = Pick<SessionRecord, 'firstStep' | 'controllers'>;

type HeldLeases = readonly Pick<LeaseRecord, 'entity' | 'controller'>[];

/** The controller of an entity that no one holds. */
const LEASE = 'lease';

/** The controller of an entity in the log: the holder of its lease, and which lease it is. */
export function leaseController(lease: Pick<LeaseRecord, 'controller' | 'epoch'> | null): string {
  return lease === null ? LEASE : `${leaseHolder(lease)}#${lease.epoch}`;
}

function leaseHolder({ controller }: Pick<LeaseRecord, 'controller'>): string {
  return `${LEASE}:${controller}`;
}

/** For one agent's entry in a session; '' for an entry without a name. */
export function playerName(entry: Json | undefined): string {
  const fields = Object(entry ?? null) as Readonly<Record<'player' | 'model' | 'name', unknown>>;
  const name = [fields.player, fields.model, fields.name].find(
    (one) => typeof one === 'string' && one !== '',
  );
  return typeof name !== 'string' ? '' : name === fields.name ? controllerPlayer(name) : name;
}

function controllerPlayer(controller: string): string {
  return controller === LEASE ? '' : controller.replace(/^(lease:.*)#\d+$/su, '$1');
}

/** The player of an agent, over all sessions; '' if none names it. */
export function agentPlayers(
  sessions: readonly Pick<SessionRecord, 'controllers'>[],
  agent: string,
  leases: HeldLeases = [],
): string {
  const sessionPlayers = sessions.map(({ controllers }) => playerName(lookUp(controllers, agent)));
  return joinNames([...sessionPlayers, ...leases.filter(({ entity }) => entity === agent).map(leaseHolder)]);
}

/** The players of a run, over all sessions, each once: "qwen", "gemma + qwen"; including replacements. */
export function runPlayers(
  sessions: readonly Pick<SessionRecord, 'controllers'>[],
  { answered = [], leases = [] }: { readonly answered?: Iterable<string>; readonly leases?: HeldLeases } = {},
): string {
  const entries = sessions.flatMap(({ controllers }) => Object.values(controllers));
  const playing = entries.filter((entry) => !isOfWorld(entry)).map(playerName);
  const names = joinNames([...playing, ...answered, ...leases.map(leaseHolder)]);
  return names === '' ? joinNames(entries.map(playerName)) : names;
}

/** The player that answered a call: different from the session's if a person took over the agent. */
export function callPlayer(
  sessions: readonly StartedSession[],
  { agent, controller, step }: Pick<CallRequest, 'agent' | 'controller' | 'step'>,
): string {
  const entry = lookUp(decidersAt(sessions, step), agent);
  return controllerIn(entry) === controller ? playerName(entry) : controllerPlayer(controller);
}

/** Whether the controller of an agent that is part of the world answered a call, and nobody in its place. */
export function isAnsweredByWorld(
  sessions: readonly StartedSession[],
  { agent, controller, step }: Pick<CallRequest, 'agent' | 'controller' | 'step'>,
): boolean {
  const entry = lookUp(decidersAt(sessions, step), agent) ?? null;
  return isOfWorld(entry) && controllerIn(entry) === controller;
}

/** By agent, the player in the session that played the step, or that would have played it. */
export function decidersAt(sessions: readonly StartedSession[], step: number): SessionControllers {
  const session = sessions.findLast(({ firstStep }) => firstStep <= step) ?? sessions[0];
  return session?.controllers ?? {};
}

/** Whether an agent's entry says that it is part of the world. */
function isOfWorld(entry: Json): boolean {
  return (Object(entry ?? null) as { readonly part?: unknown }).part === 'world';
}

function controllerIn(entry: Json | undefined): unknown {
  return (Object(entry ?? null) as { readonly name?: unknown }).name;
}

/** The name of a controller of fixed replies. */
const FIXED_REPLIES = 'replies';

function joinNames(names: readonly string[]): string {
  const all = [...new Set(names)].filter((name) => name !== '').toSorted(compareText);
  const deciding = all.filter((name) => name !== FIXED_REPLIES);
  return (deciding.length === 0 ? all : deciding).join(' + ');
}

/**
 * A player's name, the same everywhere: its name in the batch, otherwise the name by which a server was asked
 * for its model, otherwise its controller. A model is only what a server was asked for, whatever a batch calls
 * its player. If different players have the seats of a batch's run, a call and an agent are named after the
 * player of the seat, and the run after them together, the lineup. Agents that are part of the world, such as
 * those with fixed replies, are named only if there are no other players. A lease's epoch identifies the grant
 * and not the holder, so it is not part of the name.
 */
import { compareText } from '../base/ids.js';
import type { Json } from '../base/json.js';
import { lookUp } from '../base/look-up.js';
import type { CallRequest, LeaseRecord, SessionRecord } from './records.js';

type StartedSession = Pick<SessionRecord, 'firstStep' | 'controllers'>;

type Sessions = readonly Pick<SessionRecord, 'controllers'>[];

type HeldLeases = readonly Pick<LeaseRecord, 'entity' | 'controller'>[];

/** The controller of an entity that no one holds. */
const LEASE = 'lease';

/** The controller of an entity in the log: the holder of its lease, and which lease it is. */
export function leaseController(lease: Pick<LeaseRecord, 'controller' | 'epoch'> | null): string {
  return lease === null ? LEASE : `${leaseHolder(lease)}#${lease.epoch}`;
}

/** A client of the Model Context Protocol is named by the protocol. */
function leaseHolder({ controller }: Pick<LeaseRecord, 'controller'>): string {
  return controller.startsWith('mcp:') ? controller : `${LEASE}:${controller}`;
}

/** What a text of an agent's entry in a session says; null if it is none. */
function textIn(
  entry: Json | undefined,
  key: 'player' | 'lineup' | 'model' | 'name' | 'part',
): string | null {
  const value: unknown = (Object(entry ?? null) as Readonly<Record<string, unknown>>)[key];
  return typeof value === 'string' ? value : null;
}

/** For one agent's entry in a session; '' for an entry without a name. */
export function playerName(entry: Json | undefined): string {
  return textIn(entry, 'player') || askedModel(entry) || controllerPlayer(textIn(entry, 'name') ?? '');
}

/** The model that a server was asked for, from an agent's entry in a session; null if none was. */
export function askedModel(entry: Json | undefined): string | null {
  return textIn(entry, 'model');
}

function lineupOf(entry: Json | undefined): string | null {
  return textIn(entry, 'lineup');
}

function isOfWorld(entry: Json | undefined): boolean {
  return textIn(entry, 'part') === 'world';
}

function controllerPlayer(controller: string): string {
  return controller === LEASE ? '' : controller.replace(/^((?:lease|mcp):.*)#\d+$/su, '$1');
}

/** A program that has a model decide, as it introduced itself. */
export interface Harness {
  name: string;
  version: string;
}

/** The controller of a harness: `client` as it calls itself, NAME/VERSION, and the model that it declares. */
export function harnessController(client: string, model: string | null): string {
  return `mcp:${client}${model === null ? '' : ` with ${model}`}`;
}

/** Which harness a controller in the log is; null if it is none. */
export function harnessIn(controller: string): Harness | null {
  const [, name, version = 'unknown'] =
    /^mcp:(.+?)(?:\/([^/]+?))?(?: with .+)?$/su.exec(controllerPlayer(controller)) ?? [];
  return name === undefined ? null : { name, version };
}

/** The player of an agent, over all sessions; '' if none names it. */
export function agentPlayers(sessions: Sessions, agent: string, leases: HeldLeases = []): string {
  const sessionPlayers = sessions.map(({ controllers }) => playerName(lookUp(controllers, agent)));
  const holders = leases.filter(({ entity }) => entity === agent).map(leaseHolder);
  return distinctNames([...sessionPlayers, ...holders]).join(' + ');
}

/** The names of a run's players, and of the models that its servers were asked for. */
export interface RunNames {
  /** Over all sessions, each once, including replacements. */
  players: readonly string[];
  models: readonly string[];
  /** By agent, the player of its seat, if the run is played by a lineup. */
  seats: Readonly<Record<string, string>>;
}

/** Without agents that are part of the world. `answered`: who answered in place of a session's players, too. */
export function namesIn(
  sessions: Sessions,
  { answered = [], leases = [] }: { answered?: Iterable<string>; leases?: HeldLeases } = {},
): RunNames {
  const entries = sessions.flatMap(({ controllers }) => Object.values(controllers));
  const playing = entries.filter((entry) => !isOfWorld(entry));
  const seated = playing.filter((entry) => lineupOf(entry) !== null).map(playerName);
  const players = distinctNames([
    ...playing.map((entry) => lineupOf(entry) ?? playerName(entry)),
    ...[...answered].filter((name) => !seated.includes(name)),
    ...leases.map(leaseHolder),
  ]);
  return {
    players: players.length === 0 ? distinctNames(entries.map(playerName)) : players,
    models: [...new Set(playing.flatMap((entry) => askedModel(entry) ?? []))].toSorted(compareText),
    seats: seatsIn(sessions),
  };
}

/** By agent, who played it in a lineup, over all sessions. */
export function seatsIn(sessions: Sessions): Readonly<Record<string, string>> {
  const agents = sessions.flatMap(({ controllers }) =>
    Object.keys(controllers).filter((agent) => lineupOf(lookUp(controllers, agent)) !== null),
  );
  return Object.fromEntries(agents.map((agent) => [agent, agentPlayers(sessions, agent)]));
}

/** "player: qwen, partner: scripted"; '' for no seats. */
export function seatsText(seats: Readonly<Record<string, string>>): string {
  return Object.entries(seats)
    .map(([agent, player]) => `${agent}: ${player}`)
    .join(', ');
}

/** Players and models that are wanted; null for any. */
export interface PlayerFilter {
  players: readonly string[] | null;
  models: readonly string[] | null;
}

/** Whether one of the players, of a lineup or of its seats, and one of the models, is wanted. */
export function isPlayedBy({ players, models, seats }: RunNames, wanted: PlayerFilter): boolean {
  const names = [...players, ...Object.values(seats)];
  return (
    (wanted.players === null || names.some((name) => wanted.players?.includes(name))) &&
    (wanted.models === null || models.some((name) => wanted.models?.includes(name)))
  );
}

type LoggedAnswer = Pick<CallRequest, 'agent' | 'controller' | 'step'>;

/** The entry of an agent whose controller answered a call; undefined if somebody answered in its place. */
function answererOf(
  sessions: readonly StartedSession[],
  { agent, controller, step }: LoggedAnswer,
): Json | undefined {
  const entry = lookUp(decidersAt(sessions, step), agent);
  return textIn(entry, 'name') === controller ? entry : undefined;
}

/** The player that answered a call: different from the session's if a person took over the agent. */
export function callPlayer(sessions: readonly StartedSession[], call: LoggedAnswer): string {
  const entry = answererOf(sessions, call);
  return entry === undefined ? controllerPlayer(call.controller) : playerName(entry);
}

/** The lineup to which the player of an agent's step belonged; null if it had none. */
export function stepLineup(
  sessions: readonly StartedSession[],
  { agent, step }: Pick<CallRequest, 'agent' | 'step'>,
): string | null {
  return lineupOf(lookUp(decidersAt(sessions, step), agent));
}

/** The model that was asked for a call; null if none was, as of a player that took over the agent. */
export function callModel(sessions: readonly StartedSession[], call: LoggedAnswer): string | null {
  return askedModel(answererOf(sessions, call));
}

/** Whether the controller of an agent that is part of the world answered a call, and nobody in its place. */
export function isAnsweredByWorld(sessions: readonly StartedSession[], call: LoggedAnswer): boolean {
  return isOfWorld(answererOf(sessions, call));
}

/** By agent, the player in the session that played the step, or that would have played it. */
export function decidersAt(sessions: readonly StartedSession[], step: number): SessionRecord['controllers'] {
  const session = sessions.findLast(({ firstStep }) => firstStep <= step) ?? sessions[0];
  return session?.controllers ?? {};
}

/** The name of a controller of fixed replies. */
const FIXED_REPLIES = 'replies';

function distinctNames(names: readonly string[]): readonly string[] {
  const all = [...new Set(names)].filter((name) => name !== '').toSorted(compareText);
  const deciding = all.filter((name) => name !== FIXED_REPLIES);
  return deciding.length === 0 ? all : deciding;
}

/**
 * What a player is called, the same wherever one is named: its name in the batch that played it, else its model as the server names it, else its
 * controller. In: what a session says of who decides; out: a name. Agents with fixed replies belong to the scenario, so they name nobody where others decide.
 */
import { compareText } from '../base/ids.js';
import type { Json } from '../base/json.js';
import { lookUp } from '../base/look-up.js';
import type { CallRequest, SessionRecord } from './records.js';

type SessionControllers = SessionRecord['controllers'];

/** Of one agent's entry in a session; '' for an entry that names nobody. */
export function playerName(entry: Json | undefined): string {
  const named = Object(entry ?? null) as Readonly<Record<'player' | 'model' | 'name', unknown>>;
  const name = [named.player, named.model, named.name].find((one) => typeof one === 'string' && one !== '');
  return typeof name === 'string' ? name : '';
}

/** Who decides for an agent, over all sessions; '' where none says it. */
export function agentPlayers(sessions: readonly Pick<SessionRecord, 'controllers'>[], agent: string): string {
  return joined(sessions.map(({ controllers }) => playerName(lookUp(controllers, agent))));
}

/** Who decides in a run, over all sessions, each once: "qwen", "gemma + qwen"; beside them those who answered in somebody's place. */
export function runPlayers(
  sessions: readonly Pick<SessionRecord, 'controllers'>[],
  answered: Iterable<string> = [],
): string {
  const seated = sessions.flatMap(({ controllers }) => Object.values(controllers).map(playerName));
  return joined([...seated, ...answered]);
}

/** Who answered a call: somebody else than the session says where a person took the agent over. */
export function callPlayer(
  sessions: readonly SessionRecord[],
  { agent, controller, step }: Pick<CallRequest, 'agent' | 'controller' | 'step'>,
): string {
  const entry = lookUp(decidersAt(sessions, step), agent);
  return controllerIn(entry) === controller ? playerName(entry) : controller;
}

/** By agent, who decided in the session that played the step, or would have. */
export function decidersAt(sessions: readonly SessionRecord[], step: number): SessionControllers {
  const before = sessions.findLast(({ firstStep }) => firstStep <= step) ?? sessions[0];
  return before?.controllers ?? {};
}

function controllerIn(entry: Json | undefined): unknown {
  return (Object(entry ?? null) as { readonly name?: unknown }).name;
}

/** How a controller of fixed replies is called. */
const FIXED = 'replies';

function joined(names: readonly string[]): string {
  const all = [...new Set(names)].filter((name) => name !== '').toSorted(compareText);
  const deciding = all.filter((name) => name !== FIXED);
  return (deciding.length === 0 ? all : deciding).join(' + ');
}

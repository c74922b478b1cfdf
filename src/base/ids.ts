/** Ids of agents, things, rooms and the like: `^[a-z][a-z0-9_-]{0,31}$`, compared by code unit. */
export const ID_PATTERN = /^[a-z][a-z0-9_-]{0,31}$/;

/** The actor of the end of a turn, in the log; no agent in a scenario has this id. */
export const WORLD_ID = 'world';

export function isId(text: string): boolean {
  return ID_PATTERN.test(text);
}

/** Total order by UTF-16 code unit: the same on every machine, regardless of its locale. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** An agent's display name; its id if there is no such agent. */
export function agentName(agents: readonly { id: string; name: string }[], agent: string): string {
  return agents.find(({ id }) => id === agent)?.name ?? agent;
}

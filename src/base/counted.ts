/**
 * A number with its noun: "1 turn", "2 turns", "0 turns". Every text with an amount uses it, so that agents
 * and users never read "1 turns". Numbers are whole; pure text in, text out.
 */

/**
 * "1 turn", "2 turns"; an irregular plural is passed as the third argument: `counted(n, 'entry', 'entries')`.
 */
export function counted(n: number, noun: string, plural = `${noun}s`): string {
  return `${n} ${n === 1 ? noun : plural}`;
}

/** The same with thousands separators, for people's tables and totals: "12,345 tokens". */
export function amount(n: number, noun: string): string {
  return `${whole(n)} ${n === 1 ? noun : `${noun}s`}`;
}

/** "12,345" */
export function whole(n: number): string {
  return String(n).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** "13 steps in the log": agents' steps and the world's, as a log numbers them; elsewhere, only agents' steps count. */
export function loggedSteps(count: number): string {
  return `${counted(count, 'step')} in the log`;
}

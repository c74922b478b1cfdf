/**
 * How the program addresses an agent, defined once: the beginnings of its turns, results and list of actions.
 * Prompts use these words, and a reply that continues with them imitates the program.
 */

/** The beginning of each turn's text, followed by its number and a full stop. */
export const TURN_OPENING = 'Turn ';
/** The heading of the list of legal actions. */
export const OFFERS_HEADING = 'You may now:';
/** Sentences about what the agent sees, and the results of its actions, begin like this. */
export const ADDRESS = 'You ';
/** Stands between a call and its output, if a result repeats the call. */
export const RESULT_ARROW = ' → ';
/** Stands before the result of an action, in the protocol that writes it like this. */
export const OBSERVATION_LABEL = 'Observation';

/** A call begins with its verb. */
const CALL = /^[A-Z][A-Z_]+ /;
const TURN_LINE = new RegExp(`^${TURN_OPENING}\\d{1,6}[.:]?(?: |$)`);
const OBSERVATION_LINE = new RegExp(`^${OBSERVATION_LABEL} ?\\d{0,3}[*_]{0,3}:`);

/**
 * Whether an undecorated line is written only by the program. `told` contains lines of the agent's
 * observation.
 */
export function isProgramLine(line: string, observationLines: ReadonlySet<string>): boolean {
  return (
    line.startsWith(ADDRESS) ||
    line === OFFERS_HEADING ||
    OBSERVATION_LINE.test(line) ||
    TURN_LINE.test(line) ||
    (CALL.test(line) && line.includes(RESULT_ARROW)) ||
    observationLines.has(line)
  );
}

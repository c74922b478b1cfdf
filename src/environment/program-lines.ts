/**
 * The fixed wording with which prompts begin turns, results and the list of actions. A reply that contains
 * such a line imitates the program, so the parser recognises these lines.
 */

/** The beginning of each turn's text, followed by its number and a full stop. */
export const TURN_OPENING = 'Turn ';
/** The heading of the list of legal actions. */
export const OFFERS_HEADING = 'You may now:';
/** Sentences about what the agent sees, and the results of its actions, begin like this. */
export const ADDRESS = 'You ';
/** The arrow between a call and its output, if a result repeats the call. */
export const RESULT_ARROW = ' → ';
/** The label before the result of an action, in the protocol `react`. */
export const OBSERVATION_LABEL = 'Observation';

/** A call begins with its verb. */
const CALL = /^[A-Z][A-Z_]+ /;
const TURN_LINE = new RegExp(`^${TURN_OPENING}\\d{1,6}[.:]?(?: |$)`);
const OBSERVATION_LINE = new RegExp(`^${OBSERVATION_LABEL} ?\\d{0,3}[*_]{0,3}:`);

/**
 * Whether a line, without markup, is one that only the program writes. `observationLines` are the lines of
 * the agent's observation.
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

/**
 * How the program addresses an agent, defined once: the beginnings of its turns, results and list of actions.
 * Prompts use these words, and a reply that continues with them imitates the program.
 */

/** Each turn's text begins so, with its number and a full stop behind it. */
export const TURN_OPENING = 'Turn ';
/** The heading of what may be done now. */
export const OFFERS_HEADING = 'You may now:';
/** The agent is addressed: sentences about what it sees and the results of its actions begin like this. */
export const ADDRESS = 'You ';
/** Between a call and what it gave, where a result repeats the call. */
export const GAVE = ' → ';
/** Before what came of an action, in the protocol that writes it so. */
export const OBSERVATION_LABEL = 'Observation';

/** A call begins with its verb. */
const CALL = /^[A-Z][A-Z_]+ /;
const TURN_LINE = new RegExp(`^${TURN_OPENING}\\d{1,6}[.:]?(?: |$)`);
const OBSERVATION_LINE = new RegExp(`^${OBSERVATION_LABEL} ?\\d{0,3}[*_]{0,3}:`);

/**
 * Whether an undecorated line is written only by the program. `told` contains lines of the agent's
 * observation.
 */
export function isProgramLine(line: string, told: ReadonlySet<string>): boolean {
  return (
    line.startsWith(ADDRESS) ||
    line === OFFERS_HEADING ||
    OBSERVATION_LINE.test(line) ||
    TURN_LINE.test(line) ||
    (CALL.test(line) && line.includes(GAVE)) ||
    told.has(line)
  );
}

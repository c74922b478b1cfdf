/**
 * How the program speaks to an agent, defined once: what its turns, its results and its list of actions begin with. Prompts are written
 * with these words, and a reply that goes on with them plays the program's part.
 */

/** Each turn's text begins so, with its number and a full stop behind it. */
export const TURN_OPENING = 'Turn ';
/** The heading of what may be done now. */
export const OFFERS_HEADING = 'You may now:';
/** An agent is spoken to: what it sees and what came of its action are told in sentences that begin so. */
export const ADDRESS = 'You ';
/** Between a call and what it gave, where a result repeats the call. */
export const GAVE = ' → ';
/** Before what came of an action, in the protocol that writes it so. */
export const OBSERVATION_LABEL = 'Observation';

/** A call begins with its verb. */
const CALL = /^[A-Z][A-Z_]+ /;
const TURN_LINE = new RegExp(`^${TURN_OPENING}\\d{1,6}[.:]?(?: |$)`);
const OBSERVATION_LINE = new RegExp(`^${OBSERVATION_LABEL} ?\\d{0,3}[*_]{0,3}:`);

/** Whether a line without decoration is the program's own. `told` holds lines that the agent was told. */
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

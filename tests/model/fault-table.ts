/** Every fault of a model's server that is known, in one table, in the words of the list that it was taken from. */
import { BODY_FAULTS, IMPOSSIBLE } from './body-fault-rows.js';
import { WIRE_FAULTS } from './wire-fault-rows.js';

export const FAULTS = [...WIRE_FAULTS, ...BODY_FAULTS];
export { IMPOSSIBLE };

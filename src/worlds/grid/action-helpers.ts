/**
 * The functions of the grid world that custom actions may use: what the actor perceives, where things are,
 * and changes that keep the state consistent. The built-in actions use the same functions. States are never
 * changed in place.
 */
export { setBody, setDoor, setMark, setThing } from './change.js';
export { happenedAs as happened } from './events.js';
export { canSee } from './sight.js';
export { lessen, transfer } from './stacks.js';
export { notPerceived, outOfReach, perceivedTarget } from './targets.js';
export { capitalised, theName } from '../../environment/wording.js';
export {
  bodyAt,
  bodyOf,
  doorOf,
  isInside,
  isOpaque,
  isWalkable,
  isWithinReach,
  thingOf,
  thingsOn,
  whereIs,
} from './world.js';

/**
 * What an action of one's own needs of the grid world: what the actor perceives, what is where, and the setters that keep the state whole. The
 * world's own actions are made of the same; everything takes and gives states that are never changed in place.
 */
export { setBody, setDoor, setMark, setThing } from './change.js';
export { happened } from './events.js';
export { canSee } from './sight.js';
export { lessen, transfer } from './stacks.js';
export { notPerceived, outOfReach, perceivedTarget } from './targets.js';
export { capitalised, theName } from './wording.js';
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

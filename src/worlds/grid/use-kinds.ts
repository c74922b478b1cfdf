/**
 * What kinds of thing anything can be used on in a world, by its rules: where nothing has a lock, no key fits anywhere. In: a definition; out:
 * kinds, never ids, so that what follows from them (what is offered) says nothing of which thing fits which.
 */
import type { GridDefinition } from './definition.js';

export interface UseKinds {
  /** Something has a lock. */
  readonly locks: boolean;
  /** Something is worked on with a tool. */
  readonly works: boolean;
  /** A trigger waits for a use on a door or container, on another thing, on somebody. */
  readonly pairs: { readonly lids: boolean; readonly things: boolean; readonly bodies: boolean };
}

export function useKindsOf({ triggers = [], things, doors, agents, npcs }: GridDefinition): UseKinds {
  const targets = new Set(
    triggers.flatMap(({ when }) => (when?.kind === 'used' && when.on !== null ? [when.on] : [])),
  );
  const isTarget = ({ id }: { readonly id: string }): boolean => targets.has(id);
  const containers = things.filter(({ container }) => container !== null);
  return {
    locks: [...doors, ...containers.map(({ container }) => container)].some((each) => each?.key != null),
    works: things.some(({ work }) => work?.tool != null),
    pairs: {
      lids: [...doors, ...containers].some(isTarget),
      things: things.some((each) => each.container === null && isTarget(each)),
      bodies: [...agents, ...npcs].some(isTarget),
    },
  };
}

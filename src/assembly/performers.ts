/** What an environment's actions reach for outside: performers by name, and what they may go by where they depend on the scenario's place. */
import { UsageError } from '../base/errors.js';
import type { Json } from '../base/json.js';
import type { Performer } from '../orchestrator/parts.js';

export type Performers = Readonly<Record<string, Performer>>;

/** What performers may go by. */
export interface Origin {
  readonly definition: Json;
  /** The scenario's folder on the disk; null where it lies on none. */
  readonly folder: string | null;
  /** The folder of files that the user named instead of the scenario's; null for none. */
  readonly root: string | null;
  /** The scenario comes from a log, which doesn't say where its folder lies. */
  readonly isLogged?: boolean;
}

export function performersOf(
  { performers }: { readonly performers: Performers | ((origin: Origin) => Performers) },
  origin: Origin,
): Performers {
  if (typeof performers === 'function') return performers(origin);
  if (origin.root !== null) throw new UsageError('the scenario has no files to read', ['leave --root out']);
  return performers;
}

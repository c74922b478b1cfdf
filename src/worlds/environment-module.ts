/**
 * A whole world, as the rest of the program uses it: its rules, the reader of its part of a scenario, its
 * effect handlers. Plain values, so that a library user or a test adds a world without changing any command.
 */
import type { ReferencePlayer } from '../agent/controllers/reference-player.js';
import type { ScriptedPlayer } from '../agent/controllers/scripted-player.js';
import { UsageError } from '../base/errors.js';
import type { Json } from '../base/json.js';
import type { EnvironmentKind } from '../environment/environment.js';
import type { WorldReader } from '../scenario/world.js';
import type { EffectHandlers, EffectOrigin } from './effect-handlers.js';

/** An environment with everything that assembling a run needs. */
export interface EnvironmentModule {
  kind: EnvironmentKind;
  reader: WorldReader;
  /** The handlers by name, or a function that returns them if they depend on the scenario's location. */
  effectHandlers: EffectHandlers | ((origin: EffectOrigin) => EffectHandlers);
  /** The parts that custom modules may add to it; absent if there are none. */
  extension?: WorldExtension;
}

/** A world that comes with the program. */
export interface BuiltInWorld extends EnvironmentModule {
  /** The built-in player, used if no other controller is named. */
  player: ScriptedPlayer;
  /** The player that knows rules and goal; absent if the world has none. */
  reference?: {
    player: ReferencePlayer;
    /** Its memory after somebody else decided for its agent, so that it can go on from there. */
    withDone: (memory: Json, done: { command: string; isFree: boolean }) => Json;
  };
}

/** Describes the parts that custom modules add to a world: they export them under one name. */
export interface WorldExtension<Part = unknown> {
  /** For example `actions`. */
  exportName: string;
  /** Checks the parts that the module at `path` exports. Throws UsageError if they are not valid. */
  read(exported: unknown, path: string): readonly Part[];
  /**
   * The world with the parts of all modules, in their order. Throws UsageError, naming the module, if one
   * can't be used.
   */
  extended(modules: readonly ModuleParts<Part>[], effectHandlers: EffectHandlers): EnvironmentModule;
}

/** The parts that one module adds to a world. */
export interface ModuleParts<Part> {
  /** The module's path as the user named it. */
  path: string;
  parts: readonly Part[];
}

/** The module of this kind. Throws UsageError if there is none. */
export function moduleOf(modules: readonly EnvironmentModule[], kind: string): EnvironmentModule {
  const found = modules.find((module) => module.kind.kind === kind);
  if (found !== undefined) return found;
  throw new UsageError(`there is no environment "${kind}"`, [
    `known: ${modules.map((one) => one.kind.kind).join(', ')}`,
    'load a custom environment with --modules my-world.mjs',
  ]);
}

/**
 * The environments that a run may be of: each with the reader of its part of a scenario and what its actions reach for outside. Which
 * exist is a value, so that a library user or a test adds one without touching any command.
 */
import { UsageError } from '../base/errors.js';
import type { EnvironmentKind } from '../environment/environment.js';
import { grid, gridKind } from '../worlds/grid/grid.js';
import type { MakeAction } from '../worlds/grid/registry.js';
import { TOOL_NAMES, toolbox } from '../worlds/toolbox/toolbox.js';
import { workcell } from '../worlds/workcell/workcell.js';
import { gridWorld } from '../worlds/grid/scenario/grid-world.js';
import type { OwnTool, ToolDefinition } from '../worlds/toolbox/scenario/own-tools.js';
import { readTools, withTools } from '../worlds/toolbox/scenario/own-tools.js';
import { toolboxWorld } from '../worlds/toolbox/scenario/toolbox-world.js';
import { workcellWorld } from '../worlds/workcell/scenario/workcell-world.js';
import type { WorldReader } from '../scenario/world.js';
import { scenarioFileTools } from './file-tools.js';
import { toolEffectHandlers } from './own-tools.js';
import type { EffectOrigin, EffectHandlers } from './effect-handlers.js';

/** An environment with all that assembling a run needs of it. */
export interface EnvironmentModule {
  readonly kind: EnvironmentKind;
  readonly reader: WorldReader;
  /** By name; a function where they depend on where the scenario lies. */
  readonly effectHandlers: EffectHandlers | ((origin: EffectOrigin) => EffectHandlers);
}

/** The built-in environments: `grid`, `toolbox` and `workcell`, in this order. */
export const MODULES: readonly EnvironmentModule[] = [
  { kind: grid, reader: gridWorld, effectHandlers: {} },
  { kind: toolbox, reader: toolboxWorld, effectHandlers: scenarioFileTools },
  { kind: workcell, reader: workcellWorld, effectHandlers: {} },
];

export function moduleOf(modules: readonly EnvironmentModule[], kind: string): EnvironmentModule {
  const found = modules.find((one) => one.kind.kind === kind);
  if (found !== undefined) return found;
  throw new UsageError(`there is no environment "${kind}"`, [
    `known: ${modules.map((one) => one.kind.kind).join(', ')}`,
    'one of your own is brought by a module: --modules my-world.mjs',
  ]);
}

/**
 * The grid world with actions of one's own: each is made from the world that is being opened. Its `environment:` is `grid`, so it is handed
 * in instead of the built-in one.
 */
export function gridWith(...actions: readonly MakeAction[]): EnvironmentModule {
  return { kind: gridKind(actions), reader: gridWorld, effectHandlers: {} };
}

/** The toolbox with tools of one's own (docs/reference/toolbox.md); handed in like `gridWith`. Throws UsageError where one can't be used. */
export function toolboxWith(...tools: readonly ToolDefinition[]): EnvironmentModule {
  return toolboxOf(readTools(tools, 'toolboxWith'));
}

/** The same with tools that were read already. */
export function toolboxOf(tools: readonly OwnTool[]): EnvironmentModule {
  return {
    kind: { ...toolbox, actionNames: [...TOOL_NAMES, ...tools.map(({ name }) => name)] },
    reader: {
      ...toolboxWorld,
      read: (input, report) => withTools(toolboxWorld.read(input, report), tools),
    },
    effectHandlers: (origin) => ({ ...scenarioFileTools(origin), ...toolEffectHandlers(tools) }),
  };
}

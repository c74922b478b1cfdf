/** The toolbox world as a module, also with a user's own tools. */
import type { BuiltInWorld, EnvironmentModule, WorldExtension } from '../environment-module.js';
import { scenarioFileTools } from './effects/file-tools.js';
import { toolEffectHandlers } from './effects/own-tools.js';
import { inquiryPlayer } from './player/inquiry.js';
import type { OwnTool, ToolDefinition } from './scenario/own-tools.js';
import { readTools, checkNameClashes, withTools } from './scenario/own-tools.js';
import { toolboxWorld } from './scenario/toolbox-world.js';
import { TOOL_NAMES, toolbox } from './toolbox.js';

const OWN_TOOLS: WorldExtension<OwnTool> = {
  exportName: 'tools',
  read: (exported, path) => (exported === undefined ? [] : readTools(exported, path)),
  extended: (modules) => {
    const tools: OwnTool[] = [];
    for (const { path, parts } of modules) {
      tools.push(...parts);
      checkNameClashes(tools, path);
    }
    return toolboxModuleWith(tools);
  },
};

/**
 * The toolbox with custom tools (docs/reference/toolbox.md); pass it like `gridWith`. Throws UsageError if
 * one can't be used.
 */
export function toolboxWith(...tools: readonly ToolDefinition[]): EnvironmentModule {
  return toolboxModuleWith(readTools(tools, 'toolboxWith'));
}

/** The module with tools that were already checked. */
function toolboxModuleWith(tools: readonly OwnTool[]): EnvironmentModule {
  return {
    kind: { ...toolbox, actionNames: [...TOOL_NAMES, ...tools.map(({ name }) => name)] },
    reader: {
      ...toolboxWorld,
      read: (input, report) => withTools(toolboxWorld.read(input, report), tools),
    },
    effectHandlers: (origin) => ({ ...scenarioFileTools(origin), ...toolEffectHandlers(tools) }),
    extension: OWN_TOOLS,
  };
}

export const toolboxModule: BuiltInWorld = {
  kind: toolbox,
  reader: toolboxWorld,
  effectHandlers: scenarioFileTools,
  extension: OWN_TOOLS,
  player: inquiryPlayer,
};

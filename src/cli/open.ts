/** A scenario that the user named, opened for a command: variables and paths are the user's, warnings are printed. */
import { openScenario as open } from '../assembly/open.js';
import type { Opened } from '../assembly/open.js';
import type { EnvironmentModule } from '../assembly/environments.js';
import { openScenario as openFile } from '../scenario/folder.js';
import type { Scenario } from '../scenario/scenario.js';
import type { OwnTool } from '../scenario/toolbox/own-tools.js';
import { diagnosticsText } from './error-text.js';
import type { Io } from './io.js';
import { fromCwd } from './paths.js';
import { painter } from './style.js';
import { variablesOf } from './variables.js';

export interface OpenOptions {
  readonly io: Io;
  readonly modules: readonly EnvironmentModule[];
  /** `key=value` of each `--set`. */
  readonly set: readonly string[];
  readonly tools?: readonly OwnTool[];
  /** A folder of files, as the user named it. */
  readonly root?: string | undefined;
  /** Instead of the scenario's own seed. */
  readonly seed?: string | undefined;
  /** What the command line changes in the checked scenario. */
  readonly change?: (scenario: Scenario) => Scenario;
}

export async function openScenario(path: string, options: OpenOptions): Promise<Opened> {
  const { io, root, ...rest } = options;
  const opened = await open(
    { ...openFile(fromCwd(io, path)), path },
    { ...rest, ...(root === undefined ? {} : { root: fromCwd(io, root) }), variables: variablesOf(io) },
  );
  if (opened.warnings.length > 0) {
    io.err.write(diagnosticsText(opened.warnings, painter(io, io.err)));
  }
  return opened;
}

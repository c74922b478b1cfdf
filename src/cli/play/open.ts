/**
 * A scenario that the user named, opened for a command: variables and paths come from the user, and warnings
 * are printed. A file in the user's folder is preferred to a shipped scenario of the same name.
 */
import { dirname, join } from 'node:path';
import { openScenario } from '../../assembly/open.js';
import type { OpenedScenario } from '../../assembly/opened-scenario.js';
import type { OwnParts } from '../../assembly/own-modules.js';
import { openScenarioFile } from '../../scenario/folder.js';
import type { ScenarioFile } from '../../scenario/files.js';
import type { Scenario } from '../../scenario/scenario.js';
import { shippedScenario } from '../../scenario/shipped.js';
import { diagnosticsText } from '../text/error-text.js';
import type { Io } from '../terminal/io.js';
import { requireKnownAgents } from '../options/modules.js';
import { fromCwd } from '../options/paths.js';
import { painter } from '../terminal/style.js';
import { readableOf } from '../options/variables.js';

export interface CommandOpenOptions {
  io: Io;
  /** The available environments, and the controllers used instead of the scenario's. */
  parts: OwnParts;
  /** `key=value` of each `--set`. */
  set: readonly string[];
  /** Variables that the scenario may read, as the user named them. */
  env?: readonly string[] | undefined;
  /** A folder of files, as the user named it. */
  root?: string | undefined;
  /** Used instead of the scenario's own seed. */
  seed?: string | undefined;
  /** Whether mistakes are searched with every value of every draw. */
  everyDraw?: boolean;
  quiet?: boolean;
  /** The changes that the command line makes in the checked scenario. */
  change?: (scenario: Scenario) => Scenario;
  /** Called for every file that is read, with its path on disk; null if it could not be read. */
  onRead?: ((path: string, bytes: Uint8Array | null) => void) | undefined;
}

export async function openForCommand(path: string, options: CommandOpenOptions): Promise<OpenedScenario> {
  const { io, parts, root, env, onRead, quiet = false, ...settings } = options;
  const file = openScenarioFile(shippedScenario(path, io.cwd) ?? fromCwd(io, path));
  const opened = await openScenario(
    { ...(onRead === undefined ? file : reportReads(file, onRead)), path },
    {
      ...settings,
      modules: parts.modules,
      ...(root === undefined ? {} : { root: fromCwd(io, root) }),
      ...readableOf(io, env),
    },
  );
  requireKnownAgents(parts.seats, opened.scenario);
  if (opened.warnings.length > 0 && !quiet) {
    io.err.write(diagnosticsText(opened.warnings, painter(io, io.err)));
  }
  return opened;
}

/** The same file, but every read is reported. */
function reportReads(file: ScenarioFile, onRead: NonNullable<CommandOpenOptions['onRead']>): ScenarioFile {
  const { path, content } = file;
  onRead(path, typeof content === 'string' ? Buffer.from(content) : content);
  return {
    ...file,
    readFile: (relative) => {
      const diskPath = join(dirname(path), relative);
      onRead(diskPath, null);
      const bytes = file.readFile(relative);
      onRead(diskPath, bytes);
      return bytes;
    },
  };
}

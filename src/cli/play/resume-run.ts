/**
 * The common part of `resume`, `fork` and `branch`: choose a run of a log, claim the log for writing, open the
 * run from the log alone, and continue it.
 */
import { existsSync } from 'node:fs';
import type { ExitCode } from '../../base/errors.js';
import type { EnvironmentModule } from '../../worlds/environment-module.js';
import type { OpenedScenario } from '../../assembly/opened-scenario.js';
import { openLogged } from '../../assembly/open-logged.js';
import { withClaimedRun } from '../../assembly/claimed-run.js';
import type { ClaimedRun } from '../../assembly/claimed-run.js';
import type { OwnParts } from '../../assembly/own-modules.js';
import type { LogReader } from '../../log/reader.js';
import type { RunSummary } from '../../trajectory/run-summary.js';
import type { Scenario } from '../../scenario/scenario.js';
import { picturesFor, runOne } from './game.js';
import type { GameOptions, LogContinuation } from './game.js';
import type { Io } from '../terminal/io.js';
import { LineInput } from '../terminal/line-input.js';
import { requireKnownAgents, loadOwnParts } from '../options/modules.js';
import type { MODULES } from '../options/modules.js';
import type { Chosen } from '../options/option.js';
import type { LOG, ROOT } from '../options/shared-options.js';
import { seatsFromModules } from '../options/own-seats.js';
import { withOverrides } from '../options/overrides.js';
import type { Overrides } from '../options/overrides.js';
import { fromCwd } from '../options/paths.js';
import { splitAddress } from '../logs/run-address.js';
import { jsonText } from '../terminal/style.js';

export type ContinueOptions = Omit<GameOptions, 'isOneOfMany'> &
  Omit<Overrides, 'process'> &
  Chosen<typeof LOG & typeof MODULES & typeof ROOT>;

/** A run of a log that this process has opened for writing. */
export interface OpenedLog extends ClaimedRun {
  summary: RunSummary;
  /** The available environments, and the controllers from the user's own modules. */
  parts: OwnParts;
}

/** How a command continues a run. */
export interface ResumeCommand {
  /** Throws UsageError if the run can't continue like this. */
  scenario(openedLog: OpenedLog): Scenario;
  continuation(
    openedLog: OpenedLog,
    opened: OpenedScenario,
  ): Omit<LogContinuation, 'writer' | 'address' | 'close'>;
}

export interface ResumeCommandContext {
  options: ContinueOptions;
  io: Io;
  modules: readonly EnvironmentModule[];
}

export function addressOf({ options, io }: ResumeCommandContext) {
  return splitAddress(options.log, (name) => existsSync(fromCwd(io, name)));
}

/** Continues the run that `choose` finds. Throws StorageError if another process is writing the log. */
export async function continueRun(
  context: ResumeCommandContext,
  choose: (reader: LogReader) => RunSummary,
  plan: ResumeCommand,
): Promise<ExitCode> {
  const { options, io, modules } = context;
  const { path } = addressOf(context);
  const parts = await loadOwnParts(options.modules, io, modules);
  const choice = { choose: (reader: LogReader) => choose(reader).runId, modules: parts.modules };
  return withClaimedRun(fromCwd(io, path), choice, async (log) => {
    const { reader, writer } = log;
    const openedLog = { ...log, summary: choose(reader), parts };
    requireKnownAgents(parts.seats, openedLog.run.scenario);
    const scenario = plan.scenario(openedLog);
    const { root } = options;
    const process = options.programs.map(({ agent }) => agent);
    const opened = await openLogged(openedLog.run, {
      modules: openedLog.parts.modules,
      root: root === undefined ? undefined : fromCwd(io, root),
      change: () => withOverrides(scenario, { ...options, process }),
    });
    const continuation: LogContinuation = {
      ...plan.continuation(openedLog, opened),
      writer,
      address: (id) => (reader.runs().length > 1 || id !== openedLog.run.runId ? `${path}#${id}` : path),
      close: () => reader.close(),
    };
    const { code, document } = await runOne({
      opened,
      seats: seatsFromModules(parts.seats, options),
      options: { ...options, isOneOfMany: false },
      io,
      lines: new LineInput(io.stdin),
      pictures: picturesFor(io, options),
      continuation,
    });
    if (options.json && document !== null) io.out.write(`${jsonText(document)}\n`);
    return code;
  });
}

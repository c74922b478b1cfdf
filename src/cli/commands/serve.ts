/**
 * `serve <scenario>`: serves the scenario as a world that programs on any machine play over gRPC, gRPC-Web or
 * JSON; its runs are logged like any other.
 */
import { existsSync } from 'node:fs';
import { withClaimedRun } from '../../assembly/claimed-run.js';
import { isDatabase } from '../../log/file.js';
import type { LogReader } from '../../log/reader.js';
import { UsageError } from '../../base/errors.js';
import { ServedLogs } from '../../serve/served-logs.js';
import type { EnvironmentModule } from '../../worlds/environment-module.js';
import { isOver } from '../../replay/restored-history.js';
import { chooseRun, splitAddress } from '../logs/run-address.js';
import { command } from '../options/command-line.js';
import { loadOwnParts } from '../options/modules.js';
import { fromCwd } from '../options/paths.js';
import { withPreviousServing, SERVE_OPTIONS, SERVED } from '../options/serve-options.js';
import { serveUntilEnd } from '../play/serve-until-end.js';
import { openServed, reopenServed, requireOnlyServing, requireUnended } from '../play/served-runs.js';

export function serveCommand(modules: readonly EnvironmentModule[]) {
  return command({
    examples: [
      ['$0 serve scenarios/crypt.yaml', 'one tick a second, on 127.0.0.1:50051'],
      ['$0 serve crypt.yaml --pace lockstep --wait all', 'a tick ends as soon as all have decided'],
      ['$0 serve crypt.yaml --keep wizard', 'the server plays the wizard itself, as the scenario says'],
      [
        '$0 serve crypt.yaml --keep wizard --base-url http://localhost:8000/v1',
        'the server plays the wizard with a model',
      ],
      [
        '$0 serve crypt.yaml --listen 0.0.0.0:50051 --tokens tokens.txt --tls-cert c.pem --tls-key k.pem',
        'for other machines',
      ],
    ],
    arguments: SERVED,
    options: SERVE_OPTIONS,
    run: async (options, io) => {
      const parts = await loadOwnParts(options.modules, io, modules);
      const host = { options, io, parts, logs: new ServedLogs() };
      const { scenario, resume } = options;
      const { path: typedPath, runId } = splitAddress(scenario, (name) => existsSync(fromCwd(io, name)));
      const path = fromCwd(io, typedPath);
      const isLog = isDatabase(path);
      if (isLog && !resume) throw new UsageError(`${scenario} is a log: add --resume`);
      if (resume && !isLog && /\.ya?ml$/i.test(path) && existsSync(path))
        throw new UsageError(`${scenario} is a scenario: leave out --resume`);
      if (!resume) return serveUntilEnd(host, (signal) => (request) => openServed(host, request, signal));
      requireOnlyServing(options);
      const choose = (reader: LogReader): string => chooseServedRun(reader, { runId, address: scenario });
      const check = (reader: LogReader): void => requireUnended(reader, choose(reader), host);
      return withClaimedRun(path, { choose, check, modules: parts.modules }, (claimedRun) => {
        const before = claimedRun.reader.serving(claimedRun.run.runId);
        const resumedHost = { ...host, options: withPreviousServing(options, before) };
        const waits = options.wait !== undefined;
        return serveUntilEnd(
          resumedHost,
          (signal) => () => reopenServed(resumedHost, claimedRun, { waits, signal }),
        );
      });
    },
  });
}

/** The named run; otherwise the log's only served run that has not ended, or its only run. */
function chooseServedRun(
  reader: LogReader,
  { runId, address }: { runId: string | null; address: string },
): string {
  const runs = reader.runs();
  const open = runs.filter((run) => !isOver(run.status) && reader.serving(run.runId) !== null);
  const [only] = open;
  if (runId === null && only !== undefined && open.length === 1) return only.runId;
  return chooseRun(runs, runId, address).runId;
}

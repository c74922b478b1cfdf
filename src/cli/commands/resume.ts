/**
 * `resume <log>`: continues a run that was stopped by a crash, a kill, Ctrl-C or a full disk, in the same log.
 * The scenario comes from the log, and the stored parts of the unfinished step are used.
 */
import { loggedSteps } from '../../base/counted.js';
import { shellWord } from '../../base/shell-words.js';
import { withLogReader } from '../../assembly/claimed-run.js';
import type { EnvironmentModule } from '../../worlds/environment-module.js';
import { resumeContinuation } from '../../assembly/resume.js';
import type { LogReader } from '../../log/reader.js';
import type { RunSummary } from '../../trajectory/run-summary.js';
import { isOver, requireVersions, missingReflections } from '../../replay/restored-history.js';
import { command } from '../options/command-line.js';
import { addressOf, continueRun } from '../play/resume-run.js';
import { MODULES } from '../options/modules.js';
import { fromCwd } from '../options/paths.js';
import { playerOptions, PLAYERS } from '../options/player-options.js';
import { FILES, OUTSIDE } from '../options/run-options.js';
import { LOG } from '../options/shared-options.js';
import { playersAt, requireSamePlayers } from '../options/same-players.js';
import { chooseRun } from '../logs/run-address.js';
import { jsonText } from '../terminal/style.js';

export function resumeCommand(modules: readonly EnvironmentModule[]) {
  return command({
    examples: [
      ['$0 resume run.sqlite', 'after Ctrl-C, a crash or a full disk; stored replies are reused'],
      ['$0 resume run.sqlite --base-url http://localhost:8000/v1', 'the server has moved'],
      ['$0 resume file.sqlite#run-id', 'one run of a file that contains several'],
    ],
    arguments: LOG,
    options: { ...PLAYERS, ...OUTSIDE, ...FILES, ...MODULES },
    run: async (typedOptions, io) => {
      const options = { ...typedOptions, ...playerOptions(typedOptions) };
      const context = { options, io, modules };
      const { path, runId } = addressOf(context);
      const choose = (reader: LogReader): RunSummary => chooseResumable(reader, runId, options.log);
      const finished = withLogReader(fromCwd(io, path), (reader) => {
        const chosen = choose(reader).runId;
        const end = reader.end(chosen);
        const isLeft = end === null || !isOver(end.status) || missingReflections(reader, chosen).length > 0;
        return isLeft ? null : { run: chosen, log: reader.path, end };
      });
      // That nothing is left to play is not an error.
      if (finished !== null) {
        const { run, log, end } = finished;
        const { status, reason, turns, steps, stateHash, chain } = end;
        const output = options.json ? io.err : io.out;
        output.write(`the run ${run} ended after ${loggedSteps(steps)}: ${status}, ${reason}\n`);
        const ending = {
          status,
          reason,
          turns,
          steps,
          state_hash: stateHash,
          chain_hash: chain,
          usage: null,
        };
        if (options.json) io.out.write(`${jsonText({ run_id: run, log, ...ending })}\n`);
        return 0;
      }
      return continueRun(context, choose, {
        scenario: ({ run }) => {
          requireVersions(run);
          return run.scenario;
        },
        continuation: (openedLog) => {
          const { reader, run, summary } = openedLog;
          const continuation = resumeContinuation(openedLog);
          return {
            ...continuation,
            adopt: (newRecord) => {
              const previousPlayers = playersAt(reader, run, Number.MAX_SAFE_INTEGER);
              const isServed = reader.serving(run.runId) !== null;
              const alternative = isServed
                ? `this is a served run; continue it with: orchestrate serve ${shellWord(options.log)} --resume`
                : undefined;
              requireSamePlayers({ run, newRecord, previousPlayers, alternative }, options);
              return continuation.adopt(newRecord);
            },
            note: isOver(summary.status)
              ? 'continues after its end'
              : `continues with step ${summary.steps + 1}`,
          };
        },
      });
    },
  });
}

/** The named run, or the only run of the file that is not finished. */
function chooseResumable(reader: LogReader, runId: string | null, address: string): RunSummary {
  const runs = reader.runs();
  const open = runs.filter(({ status }) => !isOver(status));
  const [only] = open;
  return runId === null && only !== undefined && open.length === 1 ? only : chooseRun(runs, runId, address);
}

/**
 * `diff <a> <b>`: where two logged runs diverge, how their worlds differ from there, which actions differ,
 * and how both ended.
 */
import { existsSync } from 'node:fs';
import { UsageError } from '../../base/errors.js';
import { LIMITS } from '../../base/limits.js';
import { stageOpener } from '../../assembly/stage.js';
import type { EnvironmentModule } from '../../worlds/environment-module.js';
import { LogReader } from '../../log/reader.js';
import type { RunSummary } from '../../trajectory/run-summary.js';
import type { RunSides } from '../../replay/diff/aligned-steps.js';
import { diffRuns } from '../../replay/diff/run-diff.js';
import { command } from '../options/command-line.js';
import { argument, once, anyText, wholeOr } from '../options/option.js';
import { AS_JSON } from '../options/shared-options.js';
import { diffDocument } from '../text/diff-document.js';
import type { NamedSide } from '../text/diff-document.js';
import { diffText } from '../text/diff-text.js';
import { loadOwnParts, MODULES } from '../options/modules.js';
import { fromCwd } from '../options/paths.js';
import { chooseRun, splitAddress } from '../logs/run-address.js';
import { jsonText } from '../terminal/style.js';

const ARGUMENTS = {
  a: argument('A log, with #run-id for one run'),
  b: anyText(
    'The log to compare it with (default: the parent run of a fork, or the other run if the file has two)',
  ),
};
const OPTIONS = {
  ...MODULES,
  steps: wholeOr(12, 'Number of steps to show side by side after the divergence', 0, LIMITS.diffMoments),
  ...AS_JSON,
};

export function diffCommand(modules: readonly EnvironmentModule[]) {
  return command({
    examples: [
      ['$0 diff first.sqlite second.sqlite', 'exit code 0: identical, 1: different'],
      ['$0 diff runs.sqlite#one runs.sqlite#two --steps 40', 'shows more steps after the divergence'],
      ['$0 diff runs.sqlite#fork', 'a fork and its parent'],
    ],
    arguments: ARGUMENTS,
    options: OPTIONS,
    run: async (options, io) => {
      const [a, b] = [once('a')(options.a) ?? '', once('b')(options.b)];
      const openStage = stageOpener(await loadOwnParts(options.modules, io, modules));
      const opened: LogReader[] = [];
      const open = (path: string): LogReader => {
        const reader = new LogReader(fromCwd(io, path));
        opened.push(reader);
        return reader;
      };
      const split = (address: string) => splitAddress(address, (name) => existsSync(fromCwd(io, name)));
      const named = (address: string): NamedSide => {
        const { path, runId } = split(address);
        const reader = open(path);
        return sideOf(reader, path, chooseRun(reader.runs(), runId, address));
      };
      try {
        const sides = b === undefined ? sidesOfFile(a, split(a), open) : { a: named(a), b: named(b) };
        const runDiff = diffRuns(sides, { open: openStage, moments: options.steps });
        const comparison = { diff: runDiff, sides };
        if (options.json) io.out.write(`${jsonText(diffDocument(comparison))}\n`);
        else io.out.write(diffText(comparison, io));
        return runDiff.isSame ? 0 : 1;
      } finally {
        for (const reader of opened) reader.close();
      }
    },
  });
}

/** A parent before its fork; otherwise a file's two runs in their order. */
function sidesOfFile(
  address: string,
  { path, runId }: ReturnType<typeof splitAddress>,
  open: (path: string) => LogReader,
): RunSides<NamedSide> {
  const reader = open(path);
  const runs = reader.runs();
  const [first, second] = runs;
  if (runId === null && runs.length === 2 && first !== undefined && second !== undefined)
    return { a: sideOf(reader, path, first), b: sideOf(reader, path, second) };
  const run = chooseRun(runs, runId, address);
  const parent = runs.find((one) => one.runId === run.parent?.runId);
  if (parent === undefined)
    throw new UsageError(`${address} is not a fork, so specify the run to compare it with`, [
      `orchestrate diff ${address} other.sqlite`,
    ]);
  return { a: sideOf(reader, path, parent), b: sideOf(reader, path, run) };
}

function sideOf(reader: LogReader, path: string, { runId }: RunSummary): NamedSide {
  return { reader, run: reader.run(runId), address: `${path}#${runId}` };
}

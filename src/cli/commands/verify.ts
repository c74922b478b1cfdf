/**
 * `verify <log…>`: replays logged runs from their logs alone and reports the first difference. No server, no
 * scenario file, no clock.
 */
import { counted } from '../../base/counted.js';
import type { ExitCode } from '../../base/errors.js';
import { oneLine } from '../../base/text.js';
import type { EnvironmentModule } from '../../worlds/environment-module.js';
import { MODULES } from '../options/modules.js';
import { flag } from '../options/option.js';
import { LOGS, WORKERS } from '../options/shared-options.js';
import type { ReplayDifference } from '../../replay/difference.js';
import type { VerifiedRun } from '../../replay/verify.js';
import { command } from '../options/command-line.js';
import type { Io } from '../terminal/io.js';
import { eachReadRun } from '../logs/logged-runs.js';
import type { TextOutput } from '../terminal/text-output.js';
import { jsonText, painter } from '../terminal/style.js';

const OPTIONS = {
  ...MODULES,
  ...WORKERS,
  json: flag('Print one JSON document: {ok, steps, frames, first_difference}'),
};

export function verifyCommand(modules: readonly EnvironmentModule[]) {
  return command({
    examples: [
      ['$0 verify run.sqlite', 'compares states, texts, pictures, parsed replies, results and the chain'],
      ['$0 verify runs/*.sqlite --json', 'many logs, one document: {ok, steps, frames, first_difference}'],
      ['$0 verify file.sqlite#run-id', 'one run of a file that contains several'],
    ],
    arguments: LOGS,
    options: OPTIONS,
    // The worst exit code of all. A log that can't be read does not prevent the others from being verified.
    run: async ({ log, json, workers, modules: named }, io) => {
      const output = json ? io.err : io.out;
      const all: VerifiedRun[] = [];
      const spec = { kind: 'verify', modules: named } as const;
      const worst = await eachReadRun(log, io, { spec, workers, modules }, ({ address, value: verified }) => {
        all.push(verified);
        if (!json || verified.difference !== null) printVerified(verified, address, { output, io });
        // Damage is a storage error; a log that records what was never played is not.
        if (verified.damage !== null) return 3;
        return verified.difference === null ? 0 : 1;
      });
      if (json) io.out.write(`${jsonText(document(all, worst))}\n`);
      return worst;
    },
  });
}

function printVerified(
  { run, status, steps, frames, difference, damage }: VerifiedRun,
  address: string,
  { output, io }: { output: TextOutput; io: Io },
): void {
  const paint = painter(io, output);
  const name = `${oneLine(address)} ${paint('dim', oneLine(run))}`;
  const counts = `${counted(steps, 'step')}, ${counted(frames, 'frame')}`;
  if (difference === null) {
    const incompleteNote =
      status === 'running' ? ' (incomplete: still running, or killed; verified up to its last step)' : '';
    output.write(`${paint('green', 'ok')}       ${name}: ${counts}${incompleteNote}\n`);
  } else output.write(`${paint('red', 'differs')}  ${name}: ${counts} match\n${differenceText(difference)}`);
  if (damage !== null) output.write(`  damage  ${damage}\n`);
}

function differenceText({ step, agent, part, path, logged, made, note }: ReplayDifference): string {
  const where = [step === null ? 'the run' : `step ${step}`, ...(agent === null ? [] : [agent]), part];
  return [
    `  ${oneLine(where.join(' · '))}: ${note}`,
    ...(path === '' ? [] : [`  path    ${path}`]),
    `  logged  ${logged ?? 'nothing'}`,
    `  replay  ${made ?? 'nothing'}`,
    '',
  ].join('\n');
}

function document(all: readonly VerifiedRun[], worst: ExitCode): object {
  const sum = (of: (one: VerifiedRun) => number): number => all.reduce((total, one) => total + of(one), 0);
  const first = all.find(({ difference }) => difference !== null);
  const damage = first?.damage == null ? {} : { damage: first.damage };
  return {
    ok: worst === 0,
    steps: sum(({ steps }) => steps),
    frames: sum(({ frames }) => frames),
    first_difference: first?.difference == null ? null : { ...first.difference, ...damage },
  };
}

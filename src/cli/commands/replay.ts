/**
 * `replay <log>`: a logged run frame by frame in the terminal, one frame as a PNG, or the whole run as a
 * film. It reads only the log and calls no model. A film restores the world at each step from the log.
 */
import { existsSync } from 'node:fs';
import { extname } from 'node:path';
import type { EnvironmentModule } from '../../worlds/environment-module.js';
import { UsageError } from '../../base/errors.js';
import { LogReader } from '../../log/reader.js';
import { command } from '../options/command-line.js';
import { REPLAY_OPTIONS } from '../options/replay-options.js';
import type { ReplayOptions } from '../options/replay-options.js';
import { LOG } from '../options/shared-options.js';
import { fileFor, fromCwd, logName } from '../options/paths.js';
import { loadOwnParts } from '../options/modules.js';
import { makeFilm } from '../files/replay-film.js';
import { openReplay } from '../logs/replay-source.js';
import { makeStill } from '../files/replay-still.js';
import { replayInTerminal } from '../live/replay-terminal.js';
import { chooseRun, splitAddress } from '../logs/run-address.js';

export function replayCommand(modules: readonly EnvironmentModule[]) {
  return command({
    examples: [
      ['$0 replay run.sqlite', 'step by step in the terminal; ? lists the keys'],
      ['$0 replay run.sqlite --step 12 --out step.png', 'the frame that was sent in step 12'],
      ['$0 replay run.sqlite --out run.gif', 'a film of the whole map; also .webp, and .mp4 with ffmpeg'],
      ['$0 replay run.sqlite --view agent:knight --out knight.webp', 'a film of the view of one agent'],
      ['$0 replay run.sqlite --view all --from 20 --to 60 --out part.gif', 'map and agents side by side'],
    ],
    arguments: LOG,
    options: REPLAY_OPTIONS,
    run: async (typedOptions, io) => {
      const { log, step } = typedOptions;
      // If `--out` is a folder, a picture or a film is named after its log.
      const fileName = step === undefined ? `${logName(log)}.gif` : `${logName(log)}-${step}.png`;
      const out = typedOptions.out === undefined ? undefined : fileFor(typedOptions.out, fileName, io);
      const options = { ...typedOptions, out };
      checkOptions(options);
      const parts = await loadOwnParts(options.modules, io, modules);
      const { path, runId } = splitAddress(log, (name) => existsSync(fromCwd(io, name)));
      const reader = new LogReader(fromCwd(io, path));
      try {
        const summary = chooseRun(reader.runs(), runId, log);
        const source = await openReplay(reader, summary, { options, modules: parts.modules });
        if (out === undefined) return await replayInTerminal(source, options, io);
        const make = extname(out).toLowerCase() === '.png' ? makeStill : makeFilm;
        return await make(source, { ...options, out }, io);
      } finally {
        reader.close();
      }
    },
  });
}

/** Rejects options that don't go together, before any file is opened. */
function checkOptions({ out, step, from, to, force }: ReplayOptions): void {
  const isStill = out !== undefined && extname(out).toLowerCase() === '.png';
  if (isStill && step === undefined)
    throw new UsageError('a .png shows one step', [
      'choose the step with --step N, or a .gif file for a film',
    ]);
  if (out !== undefined && !isStill && step !== undefined)
    throw new UsageError('--step with --out writes a single picture, so its name must end in .png', [
      'for part of the run, use --from and --to',
    ]);
  if (out === undefined && (from !== undefined || to !== undefined || force))
    throw new UsageError('--from, --to and --force need --out', ['use --step N to begin at a step']);
  if (isStill && (from !== undefined || to !== undefined))
    throw new UsageError('--from and --to are for films; a .png shows one step');
  if (from !== undefined && to !== undefined && from > to)
    throw new UsageError(`--from ${from} is after --to ${to}`);
}

/**
 * `replay --out run.gif`: the film of a run as a file; the extension sets the format. Pictures are passed one
 * by one from the log to the disk.
 */
import { extname } from 'node:path';
import { counted } from '../../base/counted.js';
import { UsageError } from '../../base/errors.js';
import type { ExitCode } from '../../base/errors.js';
import { checkLength, filmFrames, planFilm } from '../../replay/film.js';
import type { FilmWriter } from '../../render/film-frame.js';
import type { Palette } from '../../render/palette.js';
import type { SheetPlan } from '../../render/film-sheet.js';
import { gifWriter } from '../../render/gif.js';
import { webpWriter } from '../../render/webp.js';
import { findFfmpeg, mp4Writer } from './ffmpeg.js';
import { printWarning } from '../text/error-text.js';
import type { Io } from '../terminal/io.js';
import { storageError, UnfinishedFile, withStorageErrors } from '../../log/write-atomically.js';
import { requireFree } from './out-file.js';
import { fromCwd } from '../options/paths.js';
import { requirePicture, mismatchWarning, viewersOf } from '../logs/replay-source.js';
import type { ReplaySource } from '../logs/replay-source.js';
import type { ReplayOptions } from '../options/replay-options.js';

export async function makeFilm(
  source: ReplaySource,
  typedOptions: ReplayOptions & { out: string },
  io: Io,
): Promise<ExitCode> {
  const open = writerFor(typedOptions.out, io);
  const path = fromCwd(io, typedOptions.out);
  requireFree(path, typedOptions);
  requirePicture(source, typedOptions.log);
  const { steps } = source.summary;
  if (steps === 0) throw new UsageError('the run has no steps yet');
  const from = typedOptions.from ?? 1;
  const to = Math.max(from, typedOptions.to ?? steps);
  const options = { viewers: viewersOf(source, typedOptions), from, to };
  checkLength(source, options);
  const plan = planFilm(source, options);
  if (plan === null) return 0;
  // An interrupted film leaves nothing behind.
  const stop = new AbortController();
  const close = io.onInterrupt(() => stop.abort(new UsageError('stopped: no film was written')));
  const file = withStorageErrors(path, () => new UnfinishedFile(path));
  const { palette } = source.tileset.colours;
  let frames = 0;
  try {
    const writer =
      typeof open === 'function'
        ? open(file, plan, palette)
        : mp4Writer(open.ffmpeg, { ...plan, palette, path: file.partPath, env: io.env });
    for (const frame of filmFrames(source, plan, options)) {
      stop.signal.throwIfAborted();
      await writer.add(frame);
      frames += 1;
      // Ctrl-C is handled between two pictures.
      await new Promise((resolve) => setImmediate(resolve));
    }
    await writer.end();
    file.keep();
  } catch (error) {
    file.discard();
    throw storageError(path, error);
  } finally {
    close();
  }
  const { firstMismatch } = source.states;
  if (firstMismatch !== null) printWarning(mismatchWarning(firstMismatch), io);
  io.out.write(`${typedOptions.out}: ${plan.width} × ${plan.height} pixels, ${counted(frames, 'picture')}\n`);
  return 0;
}

/** By the name's ending; throws UsageError for others. */
function writerFor(
  out: string,
  io: Io,
): ((file: UnfinishedFile, plan: SheetPlan, palette: Palette) => FilmWriter) | { ffmpeg: string } {
  const extension = extname(out).toLowerCase();
  if (extension === '.gif')
    return (file, plan, palette) => gifWriter(plan, palette, (bytes) => file.write(bytes));
  if (extension === '.webp')
    return (file, plan, palette) =>
      webpWriter(plan, palette, {
        write: (bytes) => file.write(bytes),
        patch: (offset, bytes) => file.write(bytes, offset),
      });
  if (extension !== '.mp4')
    throw new UsageError(`a film's name ends in .gif, .webp or .mp4, not "${out}"`, [
      'for a single picture, use a .png file and --step N',
    ]);
  const ffmpeg = findFfmpeg(io.env);
  if (ffmpeg !== null) return { ffmpeg };
  throw new UsageError('an .mp4 needs ffmpeg, which is not on the PATH', [
    'install ffmpeg, or write a .gif or .webp file, which needs no other program',
  ]);
}

/**
 * `replay --step N --out f.png`: one picture. For the step's own agent, it is the exact file that was sent;
 * for other agents and the map, it is drawn from the world after the step.
 */
import type { ExitCode } from '../../base/errors.js';
import { UsageError } from '../../base/errors.js';
import { WORLD_ID } from '../../base/ids.js';
import { encodePng } from '../../render/png.js';
import type { Raster } from '../../render/text.js';
import { drawStill } from '../../replay/still.js';
import { sentFrame } from '../../replay/sent-frame.js';
import { printWarning } from '../text/error-text.js';
import type { Io } from '../terminal/io.js';
import { requireFree, writeOut } from './out-file.js';
import { fromCwd } from '../options/paths.js';
import { requirePicture, mismatchWarning, viewersOf } from '../logs/replay-source.js';
import type { ReplaySource } from '../logs/replay-source.js';
import type { ReplayOptions } from '../options/replay-options.js';

export async function makeStill(
  source: ReplaySource,
  options: ReplayOptions & { out: string },
  io: Io,
): Promise<ExitCode> {
  const path = fromCwd(io, options.out);
  requireFree(path, options);
  requirePicture(source, options.log);
  const { reader, run, states } = source;
  const step = options.step ?? 1;
  const record = reader.step(run.runId, step);
  if (record === null) throw new UsageError(`the run has no step ${step}`);
  const agent = options.agent ?? record.agent;
  let png = options.view === undefined && agent === record.agent ? sentFrame(reader, record)?.png : undefined;
  if (png === undefined) {
    if (!states.at(step).isAsLogged) printWarning(mismatchWarning(step), io);
    const view = options.view ?? (agent === WORLD_ID ? 'map' : `agent:${agent}`);
    png = pngOf(drawStill(source, viewersOf(source, { view, agent }), step), source);
  }
  writeOut(path, png);
  io.out.write(`${options.out}\n`);
  return 0;
}

/** Pixel by pixel. */
export function pngOf({ indices, width, height }: Raster, { tileset }: ReplaySource): Uint8Array {
  const { palette } = tileset.colours;
  return encodePng({ indices, width, height, palette, art: 1, cell: 1 });
}

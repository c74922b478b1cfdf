/**
 * An MP4 made by the user's own ffmpeg, which is started without a shell and gets raw pictures; the package
 * does not include one. Its error output is reported.
 */
import { spawn } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { StorageError } from '../../base/errors.js';
import type { FilmWriter } from '../../render/film-frame.js';
import type { Palette } from '../../render/palette.js';
import { boxRgb } from '../../render/webp.js';
import type { Io } from '../terminal/io.js';

/** Delays of a film are rounded to multiples of this. */
const FRAME_MS = 40;
const ERROR_CHARACTERS = 2000;

/**
 * The first ffmpeg on the PATH; null if there is none. Relative folders are skipped, because they depend on
 * the current folder.
 */
export function findFfmpeg(env: Io['env']): string | null {
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => isAbsolute(folder));
  return folders.map((folder) => join(folder, 'ffmpeg')).find(isProgram) ?? null;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

export interface Mp4Options {
  width: number;
  height: number;
  palette: Palette;
  /** The path to write to. */
  path: string;
  env: Io['env'];
}

export function mp4Writer(program: string, options: Mp4Options): FilmWriter {
  const { width, height, palette, path } = options;
  const input = ['-f', 'rawvideo', '-pix_fmt', 'rgb24', '-s', `${width}x${height}`];
  const rate = ['-r', String(1000 / FRAME_MS), '-i', '-'];
  const encoding = ['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-movflags', '+faststart'];
  const output = ['-f', 'mp4', path];
  const args = ['-hide_banner', '-loglevel', 'error', '-y', ...input, ...rate, ...encoding, ...output];
  const child = spawn(program, args, {
    stdio: ['pipe', 'ignore', 'pipe'],
    env: { ...options.env },
  });
  let errorOutput = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errorOutput = `${errorOutput}${text}`.slice(-ERROR_CHARACTERS);
  });
  // The error is reported after the process has ended.
  child.stdin.on('error', () => undefined);
  const ended = new Promise<number | null>((resolve) => {
    child.on('error', (error) => {
      errorOutput = error.message;
      resolve(null);
    });
    child.on('close', (code) => resolve(code));
  });
  let hasEnded = false;
  void ended.then(() => (hasEnded = true));
  const ffmpegError = () =>
    new StorageError(`ffmpeg could not create the film: ${errorOutput.trim() || 'it printed no message'}`, [
      'write a .gif or .webp file, which needs no other program',
    ]);
  return {
    add: async ({ raster, delayMs }) => {
      const rgb = boxRgb(raster, { x: 0, y: 0, width, height }, palette);
      for (let remaining = Math.max(1, Math.round(delayMs / FRAME_MS)); remaining > 0; remaining--) {
        if (hasEnded) throw ffmpegError();
        if (!child.stdin.write(rgb))
          await Promise.race([new Promise((resolve) => child.stdin.once('drain', resolve)), ended]);
      }
    },
    end: async () => {
      child.stdin.end();
      if ((await ended) !== 0) throw ffmpegError();
    },
  };
}

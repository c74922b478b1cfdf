/**
 * What the file tools read while another process swaps files, folders and the root itself against links out of the folder, as fast as it can: nothing
 * of what lies outside or begins with a dot. A reader that looks first and opens then lets some of it through.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { fileTools } from '../../src/worlds/toolbox/effects/file-tools.js';
import { known } from '../../src/base/assert.js';
import { FILE_EFFECTS } from '../../src/worlds/toolbox/definition.js';
import { temporaryFolder } from '../support/folder.js';
import { SIZED, grouped, reached, sizeOf } from '../support/sizes.js';

const SWAPPER = fileURLToPath(new URL('swapper.mjs', import.meta.url));
const SECRET = 'walrus';
const KINDS = ['folder', 'deep', 'root', 'file', 'hard', 'dotted', 'dot folder'] as const;
const NEVER = new AbortController().signal;

const folder = realpathSync(temporaryFolder());

/** A folder of its own, with the same names within and without. */
function place(kind: string): string {
  const base = join(folder, kind.replace(' ', '-'));
  const files: Readonly<Record<string, string>> = {
    'root/f.txt': 'inside',
    'root/d/f.txt': 'inside',
    'root/a/b/f.txt': 'inside',
    'root/.env': SECRET,
    'root/.git/f.txt': SECRET,
    'root/.git/walrus.txt': SECRET,
    'outside/f.txt': SECRET,
    'outside/walrus.txt': SECRET,
    'outside/d/f.txt': SECRET,
    'outside/d/walrus.txt': SECRET,
    'outside/a/b/f.txt': SECRET,
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(base, path, '..'), { recursive: true });
    writeFileSync(join(base, path), text);
  }
  return base;
}

interface Seen {
  reads: number;
  given: number;
  refused: number;
  escapes: string[];
}

const ASKED = [
  [FILE_EFFECTS.read, { path: 'f.txt' }],
  [FILE_EFFECTS.read, { path: 'd/f.txt' }],
  [FILE_EFFECTS.read, { path: 'a/b/f.txt' }],
  [FILE_EFFECTS.list, { folder: 'd' }],
  [FILE_EFFECTS.list, { folder: 'a/b' }],
  [FILE_EFFECTS.list, {}],
  [FILE_EFFECTS.search, { words: SECRET }],
] as const;

async function reading(base: string, times: number, seen: Seen): Promise<void> {
  const tools = fileTools(join(base, 'root'));
  for (let i = 0; i < times; i += 1) {
    const [name, args] = known(ASKED[i % ASKED.length], 'a question');
    const answer = JSON.stringify(await known(tools[name], name)(args, 'ann', NEVER));
    seen.reads += 1;
    if (answer.includes('"error"')) seen.refused += 1;
    else if (answer.includes(SECRET) || answer.includes('"."')) seen.escapes.push(`${name} ${answer}`);
    else seen.given += 1;
  }
}

async function swappedMeanwhile(kind: string, times: number, seen: Seen): Promise<void> {
  const base = place(kind);
  const child = spawn(process.execPath, [SWAPPER, base, kind], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  await new Promise((resolve) => child.stdout.once('data', resolve));
  try {
    await reading(base, times, seen);
    expect(child.exitCode, `the swapper of a ${kind} runs`).toBeNull();
  } finally {
    child.kill('SIGKILL');
    await ended;
  }
}

describe('the file tools', () => {
  it.skipIf(process.platform === 'win32')(
    'give nothing from outside, whatever is swapped meanwhile',
    SIZED,
    async () => {
      const seen: Seen = { reads: 0, given: 0, refused: 0, escapes: [] };
      const each = Math.ceil(sizeOf('fileRaces') / KINDS.length);
      for (const kind of KINDS) await swappedMeanwhile(kind, each, seen);
      expect(seen.escapes.slice(0, 5)).toEqual([]);
      // Otherwise nothing was swapped while it was read, or nothing was ever read.
      expect(seen.given).toBeGreaterThan(seen.reads / 20);
      expect(seen.refused).toBeGreaterThan(seen.reads / 100);
      reached(
        'secrets',
        `${grouped(seen.reads)} reads while another process swapped, ${grouped(seen.refused)} of them refused, 0 escaped`,
      );
    },
  );
});

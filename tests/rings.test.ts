/** `npm test` is the first ring: it must hold a test of every folder of `src` and of every promise, or nobody would see them break until a merge. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { SABOTAGES } from './promises/sabotages.js';
import { isLongFile } from './support/tags.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

const FIRST = readdirSync(join(ROOT, 'tests'), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.test.ts') && !path.startsWith('vllm'))
  .map((path) => ({ path, text: readFileSync(join(ROOT, 'tests', path), 'utf8') }))
  .filter(({ text }) => holdsFirst(text));

/** Whether a test stands in a file that neither it, nor a suite around it, nor the file says is long. */
function holdsFirst(text: string): boolean {
  if (isLongFile(text)) return false;
  let longIndent: number | null = null;
  for (const [line, next] of text
    .split('\n')
    .map((one, i, all) => [one, all.slice(i, i + 4).join(' ')] as const)) {
    const call = /^( *)(describe|it|test)\b/.exec(line);
    if (call === null) continue;
    const indent = call[1]?.length ?? 0;
    if (longIndent !== null && indent > longIndent) continue;
    longIndent = null;
    const head = /^.*?(?:describe|it|test)\b.*?(?:=> |function)/.exec(next)?.[0] ?? '';
    const isLong = head.includes("tags: ['long']") || head.includes('LONG_SIZED');
    if (isLong) longIndent = indent;
    else if (call[2] !== 'describe') return true;
  }
  return false;
}

/** The folders that stand for one subject: the worlds by themselves. */
const FOLDERS = ['', 'worlds/'].flatMap((parent) =>
  readdirSync(join(ROOT, 'src', parent), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'worlds')
    .map(({ name }) => parent + name),
);

describe('the first ring', () => {
  it.each(FOLDERS)('holds a test of src/%s', (folder) => {
    const own = FIRST.filter(({ path }) => path.startsWith(`${folder}/`));
    const users = FIRST.filter(({ text }) => text.includes(`/src/${folder}/`));
    expect([...own, ...users]).not.toEqual([]);
  });

  it('holds a check of every promise that bugs are planted for', () => {
    const promises = [...new Set(SABOTAGES.map(({ promise }) => promise))];
    const isHeld = (promise: string): boolean =>
      SABOTAGES.some((one) => one.promise === promise && FIRST.some(({ path }) => path === one.check));
    expect(promises.filter((promise) => !isHeld(promise))).toEqual([]);
  });
});

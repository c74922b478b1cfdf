/**
 * The pages about building on the library as their readers use them: files are written as they stand, programs and command lines run against
 * the built package, section by section, and print what is written under them.
 * @module-tag long
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/folder.js';

const folder = temporaryFolder();
// A scope of its own, so that what lies above the folder does not matter.
writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}');
mkdirSync(join(folder, 'node_modules', '.bin'), { recursive: true });
symlinkSync(process.cwd(), join(folder, 'node_modules', 'orchestrate-vlm'));
const bin = join(folder, 'node_modules', '.bin', 'orchestrate');
writeFileSync(bin, `#!/bin/sh\nexec "${process.execPath}" "${process.cwd()}/dist/cli/main.js" "$@"\n`);
chmodSync(bin, 0o755);
const env = { ...process.env, PATH: `${join(bin, '..')}${delimiter}${process.env['PATH'] ?? ''}` };

interface Block {
  language: string;
  text: string;
}

function sectionsOf(page: string): readonly (readonly [title: string, blocks: readonly Block[]])[] {
  return readFileSync(page, 'utf8')
    .split(/^#{1,2} (?=.*\n\n)/m)
    .slice(1)
    .map((section) => {
      const blocks = section.matchAll(/^```(js|yaml|sh|text)\n([\s\S]*?)```$/gm);
      const title = section.slice(0, section.indexOf('\n'));
      return [title, [...blocks].map(([, language = '', text = '']) => ({ language, text }))] as const;
    })
    .filter(([, blocks]) => blocks.length > 0);
}

/** A file that the reader is to write: its first line names it. */
function fileName({ text }: Block): string | undefined {
  return /^(?:\/\/|#) ([\w-]+\.(?:mjs|yaml))\n/.exec(text)?.[1];
}

/** The command lines of a block, as a reader types them; one that fails fails the test, but for a reply that can't be read. */
function played({ text }: Block): string {
  const told = text
    .trim()
    .split('\n')
    .map((line) => `${line}${line.includes(' parse ') ? ' || true' : ''}`);
  return execFileSync('sh', ['-ec', told.join('\n')], { cwd: folder, env, encoding: 'utf8' });
}

function runBlock(block: Block, shown: Block | undefined): void {
  const name = fileName(block);
  if (name !== undefined) {
    writeFileSync(join(folder, name), block.text);
    return;
  }
  const printed = shown?.language === 'text' ? shown.text : '';
  if (block.language === 'js') {
    writeFileSync(join(folder, 'program.mjs'), block.text);
    const out = execFileSync(process.execPath, ['program.mjs'], { cwd: folder, encoding: 'utf8' });
    expect(out).toBe(printed);
  } else if (block.language === 'sh') {
    const out = played(block);
    for (const line of printed.trimEnd().split('\n')) expect(out).toContain(line);
  }
}

describe.each(['docs/how-to/use-the-library.md', 'docs/how-to/write-an-environment.md'])('%s', (page) => {
  it.each(sectionsOf(page))('%s', (_title, blocks) => {
    blocks.forEach((block, i) => runBlock(block, blocks[i + 1]));
  });
});

/** Folders of pictures: named once all in them is whole; after a kill every whole picture counts, and half of one is nothing. */
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { FolderTarget } from '../../src/export/target.js';
import { temporaryFolder } from '../support/folder.js';

const cwd = temporaryFolder();
let folders = 0;

function newFolder(): string {
  const path = join(cwd, String(folders++));
  mkdirSync(path);
  return path;
}

const bytes = (text: string) => Buffer.from(text);
const text = (path: string) => readFileSync(path, 'utf8');

describe('a folder of pictures', () => {
  it('gets its name once it is settled', () => {
    const out = newFolder();
    const target = new FolderTarget(out, { isFresh: true });
    target.stage('images/1');
    expect(target.put('images/1/a.png', bytes('whole'))).toBe(5);
    expect(readdirSync(out, { recursive: true, encoding: 'utf8' }).sort()).toEqual([
      'images',
      'images/1.part',
      'images/1.part/a.png',
    ]);
    target.settle('images/1');
    expect(readdirSync(out, { recursive: true, encoding: 'utf8' }).sort()).toEqual([
      'images',
      'images/1',
      'images/1/a.png',
    ]);
    expect(text(join(out, 'images/1/a.png'))).toBe('whole');
  });

  it('is none where nothing was put there', () => {
    const out = newFolder();
    const target = new FolderTarget(out, { isFresh: true });
    target.stage('images/1');
    target.settle('images/1');
    expect(readdirSync(out)).toEqual([]);
  });

  it('holds other files beside its pictures', () => {
    const out = newFolder();
    const target = new FolderTarget(out, { isFresh: true });
    target.stage('train');
    const lines = target.open('train/metadata.jsonl');
    target.put('train/a.png', bytes('a'));
    lines.write('{}');
    expect(lines.keep().name).toBe('train/metadata.jsonl');
    target.settle('train');
    expect(readdirSync(join(out, 'train')).sort()).toEqual(['a.png', 'metadata.jsonl']);
  });

  it('that has its name already takes single files, each whole', () => {
    const out = newFolder();
    mkdirSync(join(out, 'images/1'), { recursive: true });
    writeFileSync(join(out, 'images/1/a.png'), 'before');
    const target = new FolderTarget(out, { isFresh: false });
    target.stage('images/1');
    expect(target.finishedBytes('images/1/a.png')).toBe(6);
    target.put('images/1/b.png', bytes('b'));
    target.settle('images/1');
    expect(readdirSync(join(out, 'images/1')).sort()).toEqual(['a.png', 'b.png']);
  });

  it('never follows a link that lies in the place of a picture', () => {
    const out = newFolder();
    const outside = join(cwd, 'outside');
    mkdirSync(join(out, 'images/1.part'), { recursive: true });
    symlinkSync(outside, join(out, 'images/1.part/a.png'));
    const target = new FolderTarget(out, { isFresh: false });
    target.stage('images/1');
    target.put('images/1/a.png', bytes('a'));
    expect(existsSync(outside)).toBe(false);
    expect(lstatSync(join(out, 'images/1.part/a.png')).isFile()).toBe(true);
  });
});

describe('after a kill', () => {
  /** As it is left by a process that is killed while it writes one. */
  function left(out: string, files: Readonly<Record<string, Uint8Array>>): FolderTarget {
    mkdirSync(join(out, 'images/1.part'), { recursive: true });
    for (const [name, content] of Object.entries(files))
      writeFileSync(join(out, 'images/1.part', name), content);
    const target = new FolderTarget(out, { isFresh: false });
    target.stage('images/1');
    return target;
  }
  const flat = sharp({ create: { width: 40, height: 30, channels: 3, background: '#345' } });

  it.each([
    ['PNG', () => flat.clone().png().toBuffer()],
    ['PNG of few colours', () => flat.clone().png({ palette: true }).toBuffer()],
    ['lossless WebP', () => flat.clone().webp({ lossless: true }).toBuffer()],
  ])('a %s counts where it is whole, and cut anywhere it is nothing', async (_, make) => {
    const whole = await make();
    for (let cut = 0; cut < whole.length; cut++) {
      const target = left(newFolder(), { 'a.x': whole, 'b.x': whole.subarray(0, cut) });
      expect([cut, target.finishedBytes('images/1/a.x'), target.finishedBytes('images/1/b.x')]).toEqual([
        cut,
        whole.length,
        null,
      ]);
    }
  });

  it('half of one is written anew, and the folder gets its name', async () => {
    const png = await flat.clone().png().toBuffer();
    const out = newFolder();
    const target = left(out, { 'a.png': png, 'b.png': png.subarray(0, 50) });
    expect(target.finishedBytes('images/1/c.png')).toBeNull();
    target.put('images/1/b.png', png);
    expect(target.finishedBytes('images/1/b.png')).toBe(png.length);
    target.settle('images/1');
    expect(readdirSync(out)).toEqual(['images']);
    expect(readFileSync(join(out, 'images/1/b.png'))).toEqual(png);
  });

  it.runIf(process.platform === 'linux')(
    'neither a pipe nor a folder in its place is waited for or read',
    () => {
      const target = left(newFolder(), {});
      execFileSync('mkfifo', [join(target.path, 'images/1.part/a.png')]);
      mkdirSync(join(target.path, 'images/1.part/b.png'));
      expect(target.finishedBytes('images/1/a.png')).toBeNull();
      expect(target.finishedBytes('images/1/b.png')).toBeNull();
    },
  );

  it('a link in the place of a picture is no picture', async () => {
    const outside = join(cwd, 'outside.png');
    writeFileSync(outside, await flat.clone().png().toBuffer());
    const target = left(newFolder(), {});
    symlinkSync(outside, join(target.path, 'images/1.part/a.png'));
    expect(target.finishedBytes('images/1/a.png')).toBeNull();
  });
});

/** Folders of pictures: named once all in them is whole; after a kill every picture counts but those that a note says were being written. */
import { existsSync, mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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
  it('gets its name once it is settled, and leaves no note', () => {
    const out = newFolder();
    const target = new FolderTarget(out, { isFresh: true });
    target.stage('images/1');
    expect(target.put('images/1/a.png', bytes('whole'))).toBe(5);
    expect(readdirSync(out, { recursive: true, encoding: 'utf8' }).sort()).toEqual([
      'images',
      'images/1.part',
      'images/1.part/a.png',
      'picture.part',
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
    expect(() => target.put('images/1/a.png', bytes('a'))).toThrow("can't be written");
    expect(existsSync(outside)).toBe(false);
  });
});

describe('after a kill', () => {
  /** As it is left by a process that is killed while it writes `half`. */
  function left(out: string, half: string, note: string): void {
    mkdirSync(join(out, 'images/1.part'), { recursive: true });
    writeFileSync(join(out, 'images/1.part/a.png'), 'whole');
    writeFileSync(join(out, 'images/1.part', half), 'ha');
    writeFileSync(join(out, 'picture.part'), note);
  }

  it('the picture that was being written counts nothing, the others do', () => {
    const out = newFolder();
    left(out, 'b.png', 'images/1/b.png\n\nimages/1/longer-than-it.png\n\n');
    const target = new FolderTarget(out, { isFresh: false });
    target.stage('images/1');
    expect(target.finishedBytes('images/1/a.png')).toBe(5);
    expect(target.finishedBytes('images/1/b.png')).toBeNull();
    target.put('images/1/b.png', bytes('bb whole'));
    expect(target.finishedBytes('images/1/b.png')).toBe(8);
    target.settle('images/1');
    expect(readdirSync(out)).toEqual(['images']);
    expect(text(join(out, 'images/1/b.png'))).toBe('bb whole');
  });

  it('a second kill, before it was written again, loses nothing of the note', () => {
    const out = newFolder();
    left(out, 'b.png', 'images/1/b.png\n\n');
    const second = new FolderTarget(out, { isFresh: false });
    second.stage('images/2');
    second.put('images/2/c.png', bytes('c'));
    second.settle('images/2');
    const third = new FolderTarget(out, { isFresh: false });
    third.stage('images/1');
    expect(third.finishedBytes('images/1/b.png')).toBeNull();
  });

  it('between two pictures nothing is missing, and no note stays', () => {
    const out = newFolder();
    mkdirSync(join(out, 'images/1.part'), { recursive: true });
    writeFileSync(join(out, 'images/1.part/a.png'), 'whole');
    const target = new FolderTarget(out, { isFresh: false });
    target.stage('images/1');
    expect(target.finishedBytes('images/1/a.png')).toBe(5);
    target.put('images/1/b.png', bytes('b'));
    target.settle('images/1');
    expect(readdirSync(out)).toEqual(['images']);
  });

  it('what a note says names no file of its own accord', () => {
    const out = newFolder();
    const precious = join(cwd, 'precious');
    writeFileSync(precious, 'mine');
    left(out, 'b.png', `../precious\n${precious}\n\n`);
    const target = new FolderTarget(out, { isFresh: false });
    target.stage('images/1');
    target.put('images/1/c.png', bytes('c'));
    target.settle('images/1');
    target.discard();
    expect(text(precious)).toBe('mine');
  });
});

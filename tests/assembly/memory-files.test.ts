/** Memories between runs as files: what is written is read, nothing else is, and no name leads out of the folder. */
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { memoryFiles } from '../../src/assembly/memory-files.js';
import { StorageError, UsageError } from '../../src/base/errors.js';
import { LIMITS } from '../../src/base/limits.js';
import { temporaryFolder } from '../support/folder.js';

const folder = temporaryFolder();
let folders = 0;

function freshFolder(): string {
  folders += 1;
  return join(folder, String(folders));
}

describe('a memory file', () => {
  it('is made with the first memory, in a folder that need not exist, and read by the same name only', () => {
    const place = join(freshFolder(), 'deep');
    const crypt = memoryFiles(place, 'crypt');
    expect(crypt.read('ann')).toBeNull();
    expect(existsSync(place)).toBe(false);
    crypt.write('ann', ['one', 'two']);
    expect(crypt.read('ann')).toEqual(['one', 'two']);
    expect(readdirSync(place)).toEqual(['crypt.ann.json']);
    expect(memoryFiles(place, 'crypt').read('bob')).toBeNull();
    expect(memoryFiles(place, 'watchman').read('ann')).toBeNull();
  });

  it('replaces the one before whole', () => {
    const place = freshFolder();
    const store = memoryFiles(place, 'crypt');
    store.write('ann', ['a long first note', 'another']);
    store.write('ann', ['x']);
    expect(readFileSync(join(place, 'crypt.ann.json'), 'utf8')).toBe('[\n  "x"\n]\n');
  });

  it('lies in the folder whatever the scenario is called, and is no other scenario’s', () => {
    const place = freshFolder();
    const name = fc.oneof(
      fc.string(),
      fc.constantFrom('..', '../../up', '/etc/passwd', 'a.b', 'a/b', '\ud800'),
      // More bytes than the name of a file may have.
      fc.string({ unit: 'grapheme', minLength: 60, maxLength: 250 }),
    );
    fc.assert(
      fc.property(
        fc.uniqueArray(name, { maxLength: 4, selector: (text) => text.toWellFormed() }),
        (names) => {
          names.forEach((one) => memoryFiles(place, one).write('ann', [one.toWellFormed()]));
          for (const one of names) expect(memoryFiles(place, one).read('ann')).toEqual([one.toWellFormed()]);
        },
      ),
    );
    for (const file of readdirSync(place)) expect(file).toMatch(/^[^./]*\.ann\.json$/);
    expect(readdirSync(join(place, '..')).filter((one) => one.endsWith('.json'))).toEqual([]);
  });

  it('is named after the whole name up to LIMITS.fileNameBytes, after its hash beyond', () => {
    const place = freshFolder();
    const agent = 'a'.repeat(32);
    const [whole, cut, other] = ['墓'.repeat(22), '墓'.repeat(83), `${'墓'.repeat(82)}穴`];
    for (const name of [whole, cut, other]) memoryFiles(place, name).write(agent, [name]);
    for (const name of [whole, cut, other]) expect(memoryFiles(place, name).read(agent)).toEqual([name]);
    expect(LIMITS.fileNameBytes).toBe(200);
    expect(encodeURIComponent(whole)).toHaveLength(198);
    expect(readdirSync(place)).toContain(`${encodeURIComponent(whole)}.${agent}.json`);
    expect(readdirSync(place).map((file) => Buffer.byteLength(`${file}.part`) < 256)).toEqual([
      true,
      true,
      true,
    ]);
  });

  it.each([
    ['is no JSON', '["one"'],
    ['is not a list of notes', '{"note": "one"}'],
    ['holds something else than notes', '["one", 2]'],
    ['is not text', Buffer.from('["\xff"]', 'latin1')],
    ['holds half a character', '["\\ud800"]'],
  ])('that %s is refused with what to do', (_, content) => {
    const place = freshFolder();
    mkdirSync(place);
    writeFileSync(join(place, 'crypt.ann.json'), content);
    expect(() => memoryFiles(place, 'crypt').read('ann')).toThrow(UsageError);
    expect(() => memoryFiles(place, 'crypt').read('ann')).toThrow(/crypt\.ann\.json can't be used/);
  });

  it('may be as large as LIMITS.keptBytes says and no larger', () => {
    const place = freshFolder();
    mkdirSync(place);
    const file = (size: number): void =>
      writeFileSync(join(place, 'crypt.ann.json'), '["x"]'.padEnd(size, ' '));
    file(LIMITS.keptBytes);
    expect(memoryFiles(place, 'crypt').read('ann')).toEqual(['x']);
    file(LIMITS.keptBytes + 1);
    expect(() => memoryFiles(place, 'crypt').read('ann')).toThrow(`; the maximum is ${LIMITS.keptBytes}`);
  });

  it('that can not be written is an error of storage', () => {
    const place = freshFolder();
    writeFileSync(place, 'a file where the folder should be');
    expect(() => memoryFiles(place, 'crypt').write('ann', ['x'])).toThrow(StorageError);
  });
});

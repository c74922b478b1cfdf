/** Files of one folder, and nothing else: every way out is tried on a real disk. */
import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { fileTools, scenarioFileTools } from '../../../src/worlds/toolbox/effects/file-tools.js';
import { UsageError } from '../../../src/base/errors.js';
import type { Json } from '../../../src/base/json.js';
import { known } from '../../../src/base/assert.js';
import { LIMITS } from '../../../src/base/limits.js';
import { FILE_EFFECTS } from '../../../src/worlds/toolbox/definition.js';
import { temporaryFolder } from '../../support/folder.js';

const folder = realpathSync(temporaryFolder());
const root = join(folder, 'root');
const SECRET = 'the secret word is walrus';

beforeAll(() => {
  mkdirSync(join(root, 'letters', 'old'), { recursive: true });
  writeFileSync(join(folder, 'secret.txt'), SECRET);
  writeFileSync(join(folder, 'root-2.txt'), SECRET);
  writeFileSync(join(root, 'log.txt'), 'first\r\nsecond harbour fee\n\nlast');
  writeFileSync(join(root, 'empty.txt'), '');
  writeFileSync(join(root, 'letters', 'a.txt'), 'The harbour\nThe Harbour fee is 3\n');
  writeFileSync(join(root, 'letters', 'old', 'b.txt'), 'nothing here\n');
  writeFileSync(join(root, 'picture.bin'), Uint8Array.from([65, 0, 66]));
  writeFileSync(join(root, 'latin.txt'), Uint8Array.from([0xe4, 0xf6]));
  writeFileSync(join(root, 'log.txt:2'), 'a file that is called so');
  symlinkSync(join(folder, 'secret.txt'), join(root, 'link.txt'));
  symlinkSync(folder, join(root, 'up'));
  symlinkSync(join(root, 'letters'), join(root, 'inner'));
  execFileSync('mkfifo', [join(root, 'pipe')]);
});

const tools = fileTools(root);
const signal = new AbortController().signal;
const ask = (name: keyof typeof FILE_EFFECTS, args: Readonly<Record<string, string>>): Promise<Json> =>
  known(tools[FILE_EFFECTS[name]], name)(args, 'ann', signal);
const read = (path: string) => ask('read', { path });
const list = (path?: string) => ask('list', path === undefined ? {} : { folder: path });
const search = (words: string) => ask('search', { words });

describe('a file is read', () => {
  it('as lines, whatever ends them', async () => {
    expect(await read('log.txt')).toEqual({
      lines: ['first', 'second harbour fee', '', 'last'],
      from: 1,
      total: 4,
    });
    expect(await read('./letters//a.txt')).toMatchObject({ total: 2 });
    expect(await read('empty.txt')).toEqual({ lines: [], from: 1, total: 0 });
  });

  it('from a line on, unless a file has such a name', async () => {
    expect(await read('log.txt:3')).toEqual({ lines: ['', 'last'], from: 3, total: 4 });
    expect(await read('log.txt:2')).toMatchObject({ lines: ['a file that is called so'] });
    expect(await read('log.txt:9')).toEqual({ error: 'it has only 4 lines' });
  });

  it('up to so many lines of so many characters', async () => {
    const long = 'x'.repeat(LIMITS.fileLineCharacters);
    writeFileSync(join(root, 'long.txt'), `${long}\n${long}x\n`.repeat(LIMITS.fileLines));
    const result = (await read('long.txt')) as { lines: readonly string[]; total: number };
    expect(result.lines).toHaveLength(LIMITS.fileLines);
    expect(result.lines.slice(0, 2)).toEqual([long, `${long.slice(1)}…`]);
    expect(result.total).toBe(2 * LIMITS.fileLines);
  });

  it('up to so many bytes', async () => {
    writeFileSync(join(root, 'large.txt'), 'x'.repeat(LIMITS.fileBytes));
    expect(await read('large.txt')).toMatchObject({ total: 1 });
    writeFileSync(join(root, 'large.txt'), 'x'.repeat(LIMITS.fileBytes + 1));
    expect(await read('large.txt')).toEqual({ error: expect.stringContaining('the maximum is') });
    writeFileSync(join(root, 'large.txt'), '');
  });
});

describe('nothing but a text of the folder is read', () => {
  it.each([
    ['../secret.txt', 'nothing outside the folder is read'],
    ['letters/../../secret.txt', 'nothing outside the folder is read'],
    ['..', 'nothing outside the folder is read'],
    ['/etc/passwd', 'only paths below the folder are read, with / between their parts'],
    ['~/x', 'only paths below the folder are read, with / between their parts'],
    ['C:/x', 'only paths below the folder are read, with / between their parts'],
    ['letters\\a.txt', 'only paths below the folder are read, with / between their parts'],
    ['log.txt\0.png', 'only paths below the folder are read, with / between their parts'],
    ['link.txt', 'links are not followed'],
    ['up/secret.txt', 'links are not followed'],
    ['up/root/log.txt', 'links are not followed'],
    ['inner/a.txt', 'links are not followed'],
    ['letters', 'it is a folder'],
    ['', 'it is a folder'],
    ['pipe', 'it is not a file'],
    ['picture.bin', 'it is not a text'],
    ['latin.txt', 'it is not a text'],
    ['nowhere.txt', 'there is no such file or folder'],
    ['log.txt/x', 'there is no such file or folder'],
    ['x'.repeat(5000), 'it could not be read'],
  ])('%s', async (path, error) => {
    expect(await read(path)).toEqual({ error });
    if (error !== 'it is a folder') expect(await list(path)).toHaveProperty('error');
  });

  it('a device neither', async () => {
    const device = fileTools('/dev');
    const answer = await known(device[FILE_EFFECTS.read], 'read')({ path: 'zero' }, 'ann', signal);
    expect(answer).toEqual({ error: 'it is not a file' });
  });

  it('a link to a folder is no folder', async () => {
    expect(await list('up')).toEqual({ error: 'links are not followed' });
  });

  it('a file that has a second name is not, whether it lies outside or in the folder', async () => {
    writeFileSync(join(folder, 'elsewhere.txt'), SECRET);
    linkSync(join(folder, 'elsewhere.txt'), join(root, 'hard.txt'));
    const refused = { error: expect.stringContaining('hard link') as string };
    expect(await read('hard.txt')).toEqual(refused);
    writeFileSync(join(root, 'twin.txt'), 'twin');
    linkSync(join(root, 'twin.txt'), join(root, 'again.txt'));
    expect([await read('twin.txt'), await read('again.txt')]).toEqual([refused, refused]);
  });

  it.each(['.env', '.git/config', 'letters/.hidden', 'letters/.old/x.txt', '.', './.env', '.env:1'])(
    'no dotfile, nor what lies in a dot folder: %s',
    async (path) => {
      for (const dotted of ['.git', 'letters/.old']) mkdirSync(join(root, dotted), { recursive: true });
      for (const place of ['.env', '.git/config', 'letters/.hidden', 'letters/.old/x.txt'])
        writeFileSync(join(root, place), SECRET);
      expect(await read(path)).toEqual({
        error: expect.stringMatching(/begin with a dot|is a folder/) as string,
      });
      expect(JSON.stringify([await list(), await list('letters')])).not.toMatch(/"\.[a-z]/);
      expect(await list('.git')).toHaveProperty('error');
      expect(await search('walrus')).toEqual({ lines: [], more: false });
    },
  );
});

describe('a folder is listed', () => {
  it('by name, and says what is no file', async () => {
    expect(await list('letters')).toEqual({ entries: ['a.txt', 'old/'], more: false });
    expect(await list('letters/')).toEqual(await list('letters'));
    expect(await list('.')).toEqual(await list());
    const { entries } = (await list()) as { entries: readonly string[] };
    expect(entries).toContain('pipe (not a file)');
    expect(entries).toContain('link.txt (not a file)');
    expect(entries.filter((name) => name.endsWith('/'))).toEqual(['letters/']);
  });

  it('up to so many entries', async () => {
    const many = join(folder, 'many');
    mkdirSync(many);
    const add = (i: number) => writeFileSync(join(many, `f${i}`), '');
    const listed = known(fileTools(many)[FILE_EFFECTS.list], 'list');
    for (let i = 0; i < LIMITS.folderEntries; i++) add(i);
    expect(await listed({}, 'ann', signal)).toMatchObject({ more: false });
    add(LIMITS.folderEntries);
    const full = (await listed({}, 'ann', signal)) as { entries: readonly string[] };
    expect(full).toMatchObject({ more: true });
    expect(full.entries).toHaveLength(LIMITS.folderEntries);
  });
});

describe('files are searched', () => {
  it('for lines that hold all of the words, in any case, in every text below', async () => {
    expect(await search('HARBOUR fee')).toEqual({
      lines: ['log.txt:2: second harbour fee', 'letters/a.txt:2: The Harbour fee is 3'],
      more: false,
    });
  });

  it.each(['walrus', 'harb', 'secret word'])('%s is found nowhere', async (words) => {
    expect(await search(words)).toEqual({ lines: [], more: false });
  });

  it('for words', async () => {
    expect(await search('?!')).toEqual({ error: 'there are no words to look for' });
  });

  it('up to so many lines', async () => {
    writeFileSync(join(root, 'letters', 'c.txt'), 'owl\n'.repeat(LIMITS.searchedLines));
    const all = Array.from({ length: LIMITS.searchedLines }, (_, i) => `letters/c.txt:${i + 1}: owl`);
    expect(await search('owl')).toEqual({ lines: all, more: false });
    writeFileSync(join(root, 'letters', 'c.txt'), 'owl\n'.repeat(LIMITS.searchedLines + 1));
    expect(await search('owl')).toEqual({ lines: all, more: true });
  });

  it('in one file alone', async () => {
    const searchIn = (path: string, words: string) =>
      ask('searchIn', { file_name: path, search_term: words });
    expect(await searchIn('letters/a.txt', 'fee harbour')).toEqual({
      lines: ['letters/a.txt:2: The Harbour fee is 3'],
      more: false,
    });
    expect(await searchIn('log.txt', 'nobody')).toEqual({ lines: [], more: false });
    expect(await searchIn('log.txt', ' , ')).toEqual({ error: 'there are no words to look for' });
    for (const path of [
      'link.txt',
      'up/secret.txt',
      '../secret.txt',
      'pipe',
      'picture.bin',
      'letters',
      'none',
    ])
      expect(await searchIn(path, 'secret')).toHaveProperty('error');
    writeFileSync(join(root, 'many.txt'), 'heron\n'.repeat(LIMITS.searchedLines + 1));
    const { lines, more } = (await searchIn('many.txt', 'heron')) as { lines: string[]; more: boolean };
    expect([lines.length, more]).toEqual([LIMITS.searchedLines, true]);
    writeFileSync(join(root, 'many.txt'), '');
  });

  it('down to so many folders', async () => {
    const deep = (depth: number) => join(root, ...Array.from({ length: depth }, () => 'd'));
    mkdirSync(deep(LIMITS.folderDepth), { recursive: true });
    writeFileSync(join(deep(LIMITS.folderDepth - 1), 'x.txt'), 'badger');
    writeFileSync(join(deep(LIMITS.folderDepth), 'x.txt'), 'badger');
    expect(await search('badger')).toEqual({
      lines: [`${'d/'.repeat(LIMITS.folderDepth - 1)}x.txt:1: badger`],
      more: true,
    });
  });

  it('up to so many files', async () => {
    const place = join(folder, 'hoard');
    for (const part of ['a', 'b', 'c']) {
      mkdirSync(join(place, part), { recursive: true });
      for (let i = 0; i < 180; i++) writeFileSync(join(place, part, `f${i}`), 'otter');
    }
    const hoard = known(fileTools(place)[FILE_EFFECTS.search], 'search');
    expect(540).toBeGreaterThan(LIMITS.searchedFiles);
    expect(await hoard({ words: 'badger' }, 'ann', signal)).toEqual({ lines: [], more: true });
  });
});

describe('the folder', () => {
  const origin = { definition: { folder: 'root' }, folder, root: null };
  it('lies beside the scenario or below, also by its links', () => {
    expect(() => scenarioFileTools(origin)).not.toThrow();
    symlinkSync('/', join(folder, 'out'));
    expect(() => scenarioFileTools({ ...origin, definition: { folder: 'out' } })).toThrow(
      "out is outside the scenario's folder",
    );
    expect(() => scenarioFileTools({ ...origin, definition: { folder: 'nowhere' } })).toThrow(UsageError);
  });

  it('is no dot folder, nor in one, also by its links', () => {
    mkdirSync(join(folder, '.ssh', 'keys'), { recursive: true });
    symlinkSync(join(folder, '.ssh', 'keys'), join(folder, 'papers'));
    for (const named of ['.ssh', '.ssh/keys', 'papers', '.', 'root/..'])
      expect(() => scenarioFileTools({ ...origin, definition: { folder: named } })).toThrow(/dot|is outside/);
  });

  it('may be another that the user names, where the scenario has one at all', async () => {
    const other = scenarioFileTools({ ...origin, root: join(root, 'letters') });
    const answer = await known(other[FILE_EFFECTS.list], 'list')({}, 'ann', signal);
    expect(answer).toMatchObject({ entries: expect.arrayContaining(['a.txt']) });
    expect(() => scenarioFileTools({ ...origin, definition: { folder: null }, root })).toThrow(
      'no files to read',
    );
  });

  it('is missing where a scenario is on no disk', async () => {
    const none = scenarioFileTools({ ...origin, folder: null });
    const answer = await known(none[FILE_EFFECTS.read], 'read')({ path: 'log.txt' }, 'ann', signal);
    expect(answer).toEqual({ error: 'there is no folder to read from' });
  });
});

/**
 * What a command loads before it begins: a command waits for nothing that it does not need. Read from V8's own list of the scripts that ran,
 * and from the comments of the bundler, which names each source that it put into a file.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { OTHER_NODE, PROGRAM, ROOT } from '../support/children.js';
import { temporaryFolder } from '../support/folder.js';

const LOG = join(temporaryFolder(), 'run.sqlite');

interface Loaded {
  files: readonly string[];
  /** Paths of sources and packages, as `worlds/grid/grid.js` or `node_modules/yaml/dist/index.js`. */
  sources: readonly string[];
  /** Names of the functions that ran. */
  ran: ReadonlySet<string>;
}

/** What V8 tells of one script. */
interface Script {
  url: string;
  functions: readonly {
    functionName: string;
    ranges: readonly { count: number }[];
  }[];
}

/** What one command line loads. */
function loadedBy(...args: readonly string[]): Loaded {
  const folder = temporaryFolder();
  const env = { ...process.env, NODE_V8_COVERAGE: folder };
  const { status } = spawnSync(process.execPath, [PROGRAM, ...args], { env });
  expect(status).toBe(0);
  const scripts = readdirSync(folder).flatMap((name) => {
    const told = JSON.parse(readFileSync(join(folder, name), 'utf8')) as {
      result: readonly Script[];
    };
    return told.result.filter(({ url }) => url.startsWith('file:'));
  });
  const files = [...new Set(scripts.map(({ url }) => fileURLToPath(url)))];
  const ran = scripts.flatMap(({ functions }) =>
    functions.filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0).map(({ functionName }) => functionName),
  );
  return { files, sources: files.flatMap(sourcesIn), ran: new Set(ran) };
}

function sourcesIn(file: string): readonly string[] {
  const path = file.slice(ROOT.length);
  if (path.startsWith('node_modules/')) return [path];
  const named = [...readFileSync(file, 'utf8').matchAll(/^\/\/ ((?:dist\/modules|node_modules)\/\S+)$/gm)];
  return named.map(([, source = '']) => source.replace('dist/modules/', ''));
}

const inFolders = ({ sources }: Loaded, folders: RegExp): readonly string[] =>
  sources.filter((source) => folders.test(source));

beforeAll(() => {
  const { status } = spawnSync(process.execPath, [PROGRAM, 'run', 'scenarios/brass-key.yaml', '--out', LOG]);
  expect(status).toBe(0);
});

it.each([['--version'], ['--help']])('%s loads what reads a command line, and no command', (word) => {
  const loaded = loadedBy(word);
  expect(inFolders(loaded, /^(?:worlds|scenario|log|agent|model|cli\/commands)\//)).toEqual([]);
  expect(inFolders(loaded, /^node_modules\/(?:zod|yaml|rot-js)\//)).toEqual([]);
  // Its tables of emoji took a third of the time.
  expect(inFolders(loaded, /\/string-width\//)).toEqual([]);
  expect(inFolders(loaded, /^node_modules\/yargs\//)).not.toEqual([]);
  expect(inFolders(loaded, /^(?:base|cli)\//).length).toBeGreaterThan(10);
  expect(loaded.sources.length).toBeLessThan(90);
  expect(loaded.files.length).toBeLessThan(25);
});

it(
  'check loads no library for pictures, logs or models, and of a command only its own',
  { tags: ['long'] },
  () => {
    const loaded = loadedBy('check', 'scenarios/brass-key.yaml');
    expect(inFolders(loaded, /^node_modules\/(?:sharp|better-sqlite3|openai)\//)).toEqual([]);
    expect(inFolders(loaded, /^cli\/commands\//)).toEqual(['cli/commands/check.js']);
    expect(inFolders(loaded, /^(?:batch|replay|report|runner|serve|view)\//)).toEqual([]);
    expect(inFolders(loaded, /^node_modules\/zod\/.*\/locales\/(?!en\.)/)).toEqual([]);
    expect(inFolders(loaded, /^worlds\//).length).toBeGreaterThan(100);
    // One file for each source, and the libraries' own, were ten times as many.
    expect(loaded.files.length).toBeLessThan(80);
  },
);

it('check without a search loads nothing that searches or plays', { tags: ['long'] }, () => {
  const loaded = loadedBy('check', 'scenarios/brass-key.yaml', '--effort', '0');
  expect(inFolders(loaded, /^(?:orchestrator|solve|model\/openai)/)).toEqual([]);
  expect(inFolders(loadedBy('check', 'scenarios/brass-key.yaml'), /^solve\//)).not.toEqual([]);
});

it('show decodes no picture', { tags: ['long'] }, () => {
  const loaded = loadedBy('show', LOG);
  expect(inFolders(loaded, /^node_modules\/sharp\//)).toEqual([]);
  expect(inFolders(loaded, /^cli\/commands\//)).toEqual(['cli/commands/show.js']);
  expect(inFolders(loaded, /^(?:batch|report|runner|serve|view)\//)).toEqual([]);
  expect(inFolders(loaded, /^node_modules\/better-sqlite3\//)).not.toEqual([]);
});

it('a command lays out no help, which only --help prints', { tags: ['long'] }, () => {
  /** Of the library that lays out help in columns. */
  const laysOut = ({ ran }: Loaded) => ran.has('rowToString');
  expect(laysOut(loadedBy('check', 'scenarios/brass-key.yaml'))).toBe(false);
  expect(laysOut(loadedBy('check', '--help'))).toBe(true);
});

it('check loads nothing of Node for HTTP, which takes 30 ms, or for processes', { tags: ['long'] }, () => {
  const list = 'process.on("exit", () => console.error(process.moduleLoadList.join("\\n")))';
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--import', `data:text/javascript,${list}`, PROGRAM, 'check', 'scenarios/brass-key.yaml'],
    { cwd: ROOT, encoding: 'utf8' },
  );
  const modules = stderr.split('\n');
  expect(status).toBe(0);
  expect(modules).toContain('NativeModule fs');
  expect(modules).not.toContain('NativeModule http');
  expect(modules).not.toContain('NativeModule child_process');
});

/** Of Node 22 or newer, which can keep compiled code: the other Node that CI installs, if it is there. */
const NEWER_NODE = existsSync(OTHER_NODE) ? OTHER_NODE : process.execPath;
const KEEPS_CODE = existsSync(OTHER_NODE) || Number(process.versions.node.split('.')[0]) >= 22;

describe.skipIf(!KEEPS_CODE)('compiled code', () => {
  const folder = temporaryFolder();
  const cache = join(folder, 'dist/compile-cache');
  const version = (env: NodeJS.ProcessEnv = {}) =>
    spawnSync(NEWER_NODE, [join(folder, 'dist/cli/main.js'), '--version'], {
      env: { ...process.env, ...env },
      encoding: 'utf8',
    });

  beforeAll(() => {
    for (const part of ['package.json', 'dist/cli', 'dist/chunks'])
      cpSync(join(ROOT, part), join(folder, part), { recursive: true });
  });

  it('stays beside the program, and the next start uses it', () => {
    expect(version({ NODE_DISABLE_COMPILE_CACHE: '1' }).status).toBe(0);
    expect(existsSync(cache)).toBe(false);
    expect(version().status).toBe(0);
    expect(readdirSync(cache).length).toBe(1);
    // What Node prints about its cache, and where it prints it, differs between versions.
    const { stdout, stderr } = version({ NODE_DEBUG_NATIVE: 'COMPILE_CACHE' });
    expect(`${stdout}${stderr}`).toMatch(/command-line\.js was accepted/);
  });

  it('is not needed: the program starts where its folder cannot be made', () => {
    const usual = version();
    rmSync(cache, { recursive: true, force: true });
    writeFileSync(cache, 'a file');
    expect(version()).toMatchObject({ status: 0, stdout: usual.stdout, stderr: '' });
    rmSync(cache);
  });
});

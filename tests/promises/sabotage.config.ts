/**
 * How `sabotage.test.ts` runs vitest: for each planted bug a project of its own, in which one source file is changed as it is loaded and only the
 * tests run that claim to catch it. The files on the disk stay as they are; a check of the built program plants the bug in each process that it starts. All projects share a cache of the modules in which nothing is planted:
 * to transform every module once a bug took half of the time.
 */
import { readFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { defineConfig } from 'vitest/config';
import type { TestProjectInlineConfiguration } from 'vitest/config';
import type { VitestPluginContext } from 'vitest/node';
import { TAGS } from '../support/tags.js';
import { Outcomes } from './sabotage-report.js';
import { SABOTAGES } from './sabotages.js';
import type { Sabotage } from './sabotages.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Throws where what is to be changed is not there once. */
function requireOnce(code: string, { file, find }: Sabotage): void {
  if (code.split(find).length !== 2) throw new Error(`${file} does not hold this once: ${find}`);
}

/** What a process of the built program needs to plant the bug in itself (`planted-child.mjs`). */
function inChildren(one: Sabotage): Readonly<Record<string, string>> {
  const path = `${ROOT}dist/modules/${one.file.replace(/\.ts$/, '.js')}`;
  requireOnce(readFileSync(path, 'utf8'), one);
  const { find, put } = one;
  return plantedBug({ url: pathToFileURL(path).href, find, put });
}

function plantedBug(bug: { url: string; find: string; put: string }) {
  return {
    PLANTED_BUG: JSON.stringify(bug),
    NODE_OPTIONS: `--import=${new URL('planted-child.mjs', import.meta.url).href}`,
  };
}

function plant(one: Sabotage) {
  const { file, find, put } = one;
  const path = `${ROOT}src/${file}`;
  return {
    name: 'planted-bug',
    enforce: 'pre' as const,
    // The cache's keys cover a plugin's name and not what it plants.
    configureVitest({ project, experimental_defineCacheKeyGenerator }: VitestPluginContext): void {
      experimental_defineCacheKeyGenerator(({ environment, id }) => {
        const isPlanted = id === path && Object.values(project.vite.environments).includes(environment);
        return isPlanted ? false : undefined;
      });
    },
    transform(code: string, id: string): string | null {
      if (id.split('?')[0] !== path) return null;
      requireOnce(code, one);
      return code.replace(find, () => put);
    },
  };
}

/** Little enough: a planted bug shows soon. */
const SIZES =
  'simulations=25,orderGames=6,orderFiles=1,leakTextPairs=1000,leakPixelPairs=100,parserReplies=20000,hostileTexts=4000,powerCuts=200,strangerNames=2,fileRaces=40000,oddServers=1,offerPairs=60';

/** A check that hangs has caught its bug. */
const CAUGHT_MS = 60_000;

/** Where nothing is planted; as in vitest.config.ts. */
const HANGS_MS = 600_000;

/** For each test file below `tests`, a pattern of the names of its tests that run. */
type WantedTests = Readonly<Record<string, string>>;

function projectOf(name: string, wanted: WantedTests, hangsMs: number): TestProjectInlineConfiguration {
  return {
    root: ROOT,
    test: {
      name,
      tags: TAGS,
      include: Object.keys(wanted).map((check) => `tests/${check}`),
      setupFiles: ['sabotage-setup.ts', '../support/random-cases.ts', '../support/remove-folders.ts'].map(
        (file) => fileURLToPath(new URL(file, import.meta.url)),
      ),
      env: { SABOTAGE_TESTS: JSON.stringify(wanted), RING: 'all', SIZES },
      testTimeout: hangsMs,
      // What a check needs may be built in a hook, beside other work; no bug is planted there.
      hookTimeout: HANGS_MS,
    },
  };
}

const planted = SABOTAGES.map((one, i) => {
  const project = projectOf(String(i), { [one.check]: one.tests }, CAUGHT_MS);
  if (one.isBuilt !== true) return { ...project, plugins: [plant(one)] };
  const env = { ...project.test?.env, PLANTED_IN_CHILDREN: JSON.stringify(inChildren(one)) };
  return { ...project, test: { ...project.test, env } };
});

/** The same checks with nothing planted, by the same means: they must pass, or they would catch anything. */
function control(): TestProjectInlineConfiguration {
  const wanted: Record<string, string> = {};
  for (const { check, tests } of SABOTAGES) {
    const others = wanted[check];
    wanted[check] = others === undefined ? `(${tests})` : `${others}|(${tests})`;
  }
  const { test, ...project } = projectOf('control', wanted, HANGS_MS);
  // As in vitest.config.ts: modules are loaded once for all files.
  const env = {
    ...test?.env,
    PLANTED_IN_CHILDREN: JSON.stringify(plantedBug({ url: '', find: '', put: '' })),
  };
  return { ...project, test: { ...test, env, isolate: false } };
}

export default defineConfig({
  root: ROOT,
  test: {
    tags: TAGS,
    reporters: [new Outcomes()],
    // By default one core is left, which is half of a machine of two.
    maxWorkers: availableParallelism(),
    experimental: { fsModuleCache: true, fsModuleCachePath: join(tmpdir(), 'orchestrate-sabotage-modules') },
    projects: [...planted, control()],
  },
});

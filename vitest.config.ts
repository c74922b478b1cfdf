import { readFileSync, readdirSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer } from 'vitest/node';
import type { TestSpecification } from 'vitest/node';
import { TAGS, isLongFile } from './tests/support/tags.js';

const FILES = readdirSync('tests', { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.test.ts') && !path.includes('node_modules'))
  .map((path) => ({ path: `tests/${path}`, text: readFileSync(`tests/${path}`, 'utf8') }));

const whereText = (isIn: (text: string) => boolean) =>
  FILES.filter(({ text }) => isIn(text)).map(({ path }) => path);

const sized = whereText((text) => text.includes('SIZED'));
const longFiles = whereText(isLongFile);
const longTests = whereText((text) => /\btags: \['long'\]/.test(text));

/** A ring: the tests with such tags, of the files that hold any. A file that holds none would be loaded for nothing. */
const ring = (name: string, tagsFilter: string, include: string[], exclude: string[] = []) => ({
  extends: true as const,
  test: { name, include, exclude: [...NEVER, ...exclude], tagsFilter: [tagsFilter], env: { RING: name } },
});

/** They need a server that only `npm run test:vllm` starts. */
const NEVER = [...configDefaults.exclude, ...('VLLM_BASE_URL' in process.env ? [] : ['tests/vllm/**'])];

/** Each test is in `first` or in `all`; one that is sized is in both. A soak runs alone. */
const projects =
  process.env['RING'] === 'soak'
    ? [ring('soak', 'sized', sized)]
    : [
        ring('first', '!long', ['tests/**/*.test.ts'], longFiles),
        ring('all', 'long || sized', [...sized, ...longFiles, ...longTests]),
      ];

/**
 * Promises take the processor, and many of the largest others wait for a server or a clock: begun in turn, and the large ones spread over the run,
 * they fill each other's gaps.
 */
class InTurn extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isSabotage = ({ moduleId }: TestSpecification) => moduleId.endsWith('/sabotage.test.ts');
    const sorted = files
      // Planted bugs take longer than anything else, in processes of their own.
      .map((file) => ({ file, bytes: isSabotage(file) ? Infinity : statSync(file.moduleId).size }))
      .toSorted((a, b) => b.bytes - a.bytes)
      .map(({ file }) => file);
    const isPromise = ({ moduleId }: TestSpecification) => moduleId.includes('/promises/');
    const promises = sorted.filter(isPromise);
    const others = sorted.filter((file) => !isPromise(file));
    const spread = Array.from({ length: 6 }, (_, pile) => others.filter((__, i) => i % 6 === pile)).flat();
    return [
      ...promises.flatMap((file, i) => [file, ...spread.slice(i, i + 1)]),
      ...spread.slice(promises.length),
    ];
  }
}

/** Only for tests that hang: none of them says how fast anything is. */
const HANGS_MS = process.env['RING'] === 'soak' ? 6 * 3_600_000 : 600_000;

export default defineConfig({
  test: {
    tags: TAGS,
    projects,
    // One more than there are cores, because some tests wait for servers, processes and clocks.
    maxWorkers: availableParallelism() + 1,
    // Less of the processor for collecting garbage.
    execArgv: ['--max-semi-space-size=64'],
    // Modules are loaded once a worker and not once a file, which was a tenth of the run: no test may leave anything behind in one.
    isolate: false,
    globalSetup: ['tests/support/before-all.ts'],
    setupFiles: [
      'tests/support/remove-folders.ts',
      'tests/support/random-cases.ts',
      'tests/support/costs.ts',
    ],
    sequence: { sequencer: InTurn },
    testTimeout: HANGS_MS,
    hookTimeout: HANGS_MS,
    expect: { poll: { timeout: 120_000 } },
    reporters: ['default'],
  },
});

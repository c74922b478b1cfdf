/**
 * How `sabotage.test.ts` runs vitest: for each planted bug a project of its own, in which one source file is changed as it is loaded and only the
 * tests run that claim to catch it. The files on the disk stay as they are.
 */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { Outcomes } from './sabotage-report.js';
import { SABOTAGES } from './sabotages.js';
import type { Sabotage } from './sabotages.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Throws where what is to be changed is not there once. */
function plant({ file, find, put }: Sabotage) {
  const path = `${ROOT}src/${file}`;
  return {
    name: 'planted-bug',
    enforce: 'pre' as const,
    transform(code: string, id: string): string | null {
      if (id.split('?')[0] !== path) return null;
      if (code.split(find).length !== 2) throw new Error(`${file} does not hold this once: ${find}`);
      return code.replace(find, () => put);
    },
  };
}

/** Little enough: a planted bug shows soon. */
const SIZES =
  'simulations=25,orderGames=6,orderFiles=1,leakTextPairs=1000,leakPixelPairs=100,parserReplies=20000,hostileTexts=4000,powerCuts=200,strangerNames=8,fileRaces=21000,oddServers=1,offerPairs=60';

interface Project {
  readonly name: string;
  readonly plugins: readonly ReturnType<typeof plant>[];
  readonly check: string;
  readonly tests: string;
}

/** The same checks of one file with nothing planted: they must pass, or they would catch anything. */
function control(check: string): Project {
  const patterns = SABOTAGES.filter((one) => one.check === check).map(({ tests }) => tests);
  const tests = patterns.map((pattern) => `(${pattern})`).join('|');
  return { name: `control ${check}`, plugins: [], check, tests };
}

const planted = SABOTAGES.map((one, i): Project => ({ ...one, name: String(i), plugins: [plant(one)] }));
const controls = [...new Set(SABOTAGES.map(({ check }) => check))].map(control);

export default defineConfig({
  root: ROOT,
  test: {
    reporters: [new Outcomes()],
    projects: [...planted, ...controls].map(({ name, plugins, check, tests }) => ({
      root: ROOT,
      plugins: [...plugins],
      test: {
        name,
        include: [`tests/${check}`],
        setupFiles: ['sabotage-setup.ts', '../support/remove-folders.ts'].map((file) =>
          fileURLToPath(new URL(file, import.meta.url)),
        ),
        env: { SABOTAGE_TESTS: tests, PROMISES_SIZES: SIZES },
        // As in vitest.config.ts: a hook that plays games was broken off after 10 s on a busy machine.
        testTimeout: 120_000,
        hookTimeout: 120_000,
      },
    })),
  },
});

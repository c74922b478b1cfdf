import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer } from 'vitest/node';
import type { TestSpecification } from 'vitest/node';

/** The promises take longest: begun last, one of them would keep a single core busy while the others are idle. */
class PromisesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isPromise = ({ moduleId }: TestSpecification) => moduleId.includes('/promises/');
    return [...sorted.filter(isPromise), ...sorted.filter((file) => !isPromise(file))];
  }
}

export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts'],
    // They need a server that only `npm run test:vllm` starts.
    exclude: [...configDefaults.exclude, ...('VLLM_BASE_URL' in process.env ? [] : ['tests/vllm/**'])],
    // By default one core is left to whoever watches: on two cores half of the machine.
    maxWorkers: availableParallelism(),
    // Modules are loaded once a worker and not once a file, which was a tenth of the run: no test may leave anything behind in one.
    isolate: false,
    setupFiles: ['tests/support/remove-folders.ts'],
    sequence: { sequencer: PromisesFirst },
    // Long enough for a busy machine: none of them says how fast anything is.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 120_000 } },
    reporters: ['default'],
  },
});

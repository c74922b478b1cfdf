/** A setup file: `npm test` and `test:all` draw the same cases on every machine; a soak, or FUZZ_SEED=N, draws others. */
import * as fc from 'fast-check';

const seed = process.env['FUZZ_SEED'];
if (seed !== undefined || process.env['RING'] !== 'soak')
  fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(seed ?? 1) });

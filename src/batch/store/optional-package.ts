/** Packages that only some users need: loaded when they are, and where one is missing a sentence says how to install it. */
import { UsageError } from '../../base/errors.js';

/** By package, what is installed with it: a queue needs both of its packages. */
const INSTALL = { bullmq: 'bullmq ioredis', ioredis: 'bullmq ioredis', minio: 'minio' } as const;

/** Throws UsageError. */
export async function loadOptional<T>(
  name: keyof typeof INSTALL,
  what: string,
  load: () => Promise<T>,
): Promise<T> {
  try {
    return await load();
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND';
    if (!isMissing) throw error;
    throw new UsageError(`${what} needs the package ${name}, which is not installed`, [
      `npm install ${INSTALL[name]}`,
    ]);
  }
}

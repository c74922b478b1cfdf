/**
 * Packages that only some users need. They are loaded on demand; if one is missing, the error explains how to
 * install it.
 */
import { UsageError } from '../../base/errors.js';

/** By package, the packages to install together: a queue needs both of its packages. */
const INSTALL = { bullmq: 'bullmq ioredis', ioredis: 'bullmq ioredis', minio: 'minio' } as const;

/** Throws UsageError. */
export async function loadOptional<T>(
  name: keyof typeof INSTALL,
  feature: string,
  load: () => Promise<T>,
): Promise<T> {
  try {
    return await load();
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND';
    if (!isMissing) throw error;
    throw new UsageError(`${feature} needs the package ${name}, which is not installed`, [
      `run npm install ${INSTALL[name]}`,
    ]);
  }
}

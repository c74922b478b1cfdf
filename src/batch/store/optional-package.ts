/** Packages that only some users need: loaded when they are, and where one is missing a sentence says how to install it. */
import { UsageError } from '../../base/errors.js';

/** Throws UsageError. */
export async function loadOptional<T>(name: string, what: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND';
    if (!isMissing) throw error;
    throw new UsageError(`${what} needs the package ${name}, which is not installed`, [INSTALL]);
  }
}

/** All of them at once, beside this package. */
const INSTALL = 'npm install bullmq ioredis, and for a store at S3 also minio';

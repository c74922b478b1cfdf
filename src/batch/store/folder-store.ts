/**
 * A store of runs that is a folder, on this machine or on a network file system with hard links. A run is
 * published by a hard link to a finished copy: of several concurrent writers, only one gets the name, and an
 * existing file is never replaced.
 */
import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import {
  access,
  copyFile,
  link,
  open,
  readFile,
  readdir,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { StorageError } from '../../base/errors.js';
import { systemWords } from '../../base/system-words.js';
import { makeFolder } from '../../log/folder.js';
import { CHECKPOINTS, LOG_ENDING, STORE_FILE, isRunName, otherName, readStored } from './run-store.js';
import type { Publication, RunStore, StoredRun } from './run-store.js';

/** After this time, a copy that its writer left behind is useless and is removed. */
const ABANDONED_MS = 86_400_000;

/** Creates the folder if it does not exist. Throws StorageError. */
export async function openFolderStore(folder: string, name: string): Promise<RunStore> {
  return withStoreErrors(name, async () => {
    makeFolder(join(folder, CHECKPOINTS));
    const path = join(folder, STORE_FILE);
    const content = `${JSON.stringify({ store: randomUUID() })}\n`;
    await createOnce(folder, STORE_FILE, (temporary) => writeFile(temporary, content));
    await removeAbandoned(folder);
    const { store } = JSON.parse(await readFile(path, 'utf8')) as { store?: unknown };
    if (typeof store !== 'string') throw new Error(`its file ${STORE_FILE} contains no id`);
    return new FolderStore(folder, name, store);
  });
}

class FolderStore implements RunStore {
  readonly name: string;
  readonly id: string;
  readonly #folder: string;

  constructor(folder: string, name: string, id: string) {
    this.#folder = folder;
    this.name = name;
    this.id = id;
  }

  async list(): Promise<ReadonlySet<string>> {
    return this.#withStoreErrors(async () => {
      const names = [...(await readdir(this.#folder)), ...(await readdir(this.#checkpoints))];
      const logs = names.filter((name) => name.endsWith(LOG_ENDING));
      return new Set(logs.map((name) => name.slice(0, -LOG_ENDING.length)).filter(isRunName));
    });
  }

  async read(runId: string): Promise<StoredRun | null> {
    return this.#withStoreErrors(async () => {
      const published = this.#published(runId);
      if (await isThere(published)) return { isPublished: true, ...readStored(published, runId) };
      const checkpoint = this.#checkpoint(runId);
      // A folder that is not mounted looks as if it had no runs; that must not make the batch play all of
      // them again.
      await access(join(this.#folder, STORE_FILE));
      if (!(await isThere(checkpoint))) return null;
      return { isPublished: false, ...readStored(checkpoint, runId) };
    });
  }

  async reach(): Promise<void> {
    return this.#withStoreErrors(() => access(join(this.#folder, STORE_FILE)));
  }

  async publish(runId: string, log: string): Promise<Publication> {
    return this.#withStoreErrors(async () => {
      const copy = (temporary: string): Promise<void> => copyFile(log, temporary, constants.COPYFILE_EXCL);
      const isFirst = await createOnce(this.#folder, `${runId}${LOG_ENDING}`, copy);
      await rm(this.#checkpoint(runId), { force: true });
      if (isFirst) return 'published';
      const chain = readStored(log, runId).end?.chain ?? '';
      if (readStored(this.#published(runId), runId).end?.chain === chain) return 'same';
      await createOnce(this.#folder, otherName(runId, chain), copy);
      return 'other';
    });
  }

  async checkpoint(runId: string, log: string): Promise<void> {
    const copy = (temporary: string): Promise<void> => copyFile(log, temporary, constants.COPYFILE_EXCL);
    const replace = (temporary: string): Promise<void> => rename(temporary, this.#checkpoint(runId));
    return this.#withStoreErrors(() => placeSynced(this.#checkpoints, copy, replace));
  }

  async fetch(runId: string, to: string): Promise<boolean> {
    return this.#withStoreErrors(async () => {
      try {
        await copyFile(this.#checkpoint(runId), to, constants.COPYFILE_EXCL);
        return true;
      } catch (error) {
        if (!hasCode(error, 'ENOENT')) throw error;
        return false;
      }
    });
  }

  #withStoreErrors<T>(work: () => Promise<T>): Promise<T> {
    return withStoreErrors(this.name, work);
  }

  get #checkpoints(): string {
    return join(this.#folder, CHECKPOINTS);
  }

  #published(runId: string): string {
    return join(this.#folder, `${runId}${LOG_ENDING}`);
  }

  #checkpoint(runId: string): string {
    return join(this.#checkpoints, `${runId}${LOG_ENDING}`);
  }
}

/** Whether this call created the file. */
async function createOnce(
  folder: string,
  name: string,
  write: (temporary: string) => Promise<void>,
): Promise<boolean> {
  if (await isThere(join(folder, name))) return false;
  try {
    await placeSynced(folder, write, (temporary) => link(temporary, join(folder, name)));
    await sync(folder);
    return true;
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
    return false;
  }
}

/**
 * Writes a file under a name that no other machine has, and gives it its own once it is on the disk. A
 * temporary name must differ here: several machines may write the same run.
 */
async function placeSynced(
  folder: string,
  write: (temporary: string) => Promise<void>,
  place: (temporary: string) => Promise<void>,
): Promise<void> {
  const temporary = join(folder, `.${randomUUID()}`);
  try {
    await write(temporary);
    await sync(temporary);
    await place(temporary);
  } finally {
    await rm(temporary, { force: true });
  }
}

async function sync(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

async function isThere(path: string): Promise<boolean> {
  const stats = await stat(path).catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return null;
    throw error;
  });
  return stats !== null;
}

async function removeAbandoned(folder: string): Promise<void> {
  for (const parent of [folder, join(folder, CHECKPOINTS)])
    for (const name of await readdir(parent)) {
      if (!/^\.[0-9a-f-]{36}$/.test(name)) continue;
      const path = join(parent, name);
      const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Infinity }));
      if (mtimeMs < Date.now() - ABANDONED_MS) await rm(path, { force: true });
    }
}

async function withStoreErrors<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof StorageError || !(error instanceof Error) || !('code' in error)) throw error;
    const hasLinks = !['ENOTSUP', 'EOPNOTSUPP', 'EMLINK'].includes(String(error.code));
    const reason = hasLinks ? systemWords(error) : 'its file system has no hard links';
    throw new StorageError(
      `the store ${name} can't be used: ${reason}`,
      ['choose another store with --store'],
      {
        cause: error,
      },
    );
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

/**
 * A store of runs on S3, or on a server with the same API. A run is published by a put that the server
 * refuses if the name is taken (`If-None-Match: *`): of several concurrent writers, only one succeeds. What a
 * batch needs to know about a run is stored as metadata of its log, so that logs need not be downloaded.
 */
import { randomUUID } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from 'minio';
import { OrchestrateError, StorageError, UsageError } from '../../base/errors.js';
import { loadOptional } from './optional-package.js';
import { CHECKPOINTS, LOG_ENDING, STORE_FILE, isRunName, otherName, readStored } from './run-store.js';
import type { Publication, RunStore, StoredRun } from './run-store.js';

type Variables = (name: string) => string | undefined;

/** Up to this size, a put is atomic; a multipart upload could not be refused. */
const PUT_BYTES = 5 * 1024 ** 3;
/** The limit for one header; S3 allows two kilobytes in total. */
const METADATA_BYTES = 1800;
const METADATA = 'orchestrate-run';
/** The number of tries if the server reports a concurrent writer. */
const CONFLICTS_MAX = 5;

/** `s3://BUCKET/PREFIX`. Throws UsageError, StorageError. */
export async function openS3Store(name: string, variables: Variables): Promise<RunStore> {
  const [, bucket, prefix = ''] =
    /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*?)\/?)?$/.exec(name) ?? [];
  if (bucket === undefined)
    throw new UsageError(`--store takes a folder or s3://BUCKET/PREFIX, not ${name}`, [
      'the name of a bucket has 3 to 63 lower-case letters, digits, dots and hyphens',
      'for example: --store s3://my-bucket/runs/compare',
    ]);
  const bucketAt = { bucket, prefix: prefix === '' ? '' : `${prefix}/` };
  const client = await clientOf(variables);
  const objects = new Objects(name, client, bucketAt);
  return new S3Store(name, objects, await storeId(name, objects));
}

async function clientOf(variables: Variables): Promise<Client> {
  const { Client: S3 } = await loadOptional('minio', 'an S3 store', () => import('minio'));
  const ownAddress = variables('AWS_ENDPOINT_URL_S3');
  const variable = ownAddress === undefined ? 'AWS_ENDPOINT_URL' : 'AWS_ENDPOINT_URL_S3';
  const address = ownAddress ?? variables(variable);
  const accessKey = variables('AWS_ACCESS_KEY_ID');
  const secretKey = variables('AWS_SECRET_ACCESS_KEY');
  const sessionToken = variables('AWS_SESSION_TOKEN');
  const region = variables('AWS_REGION') ?? variables('AWS_DEFAULT_REGION');
  if (accessKey === undefined || secretKey === undefined)
    throw new UsageError('an S3 store needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment');
  if (address !== undefined && !/^https?:\/\//.test(address))
    throw new UsageError(`${variable} is not an HTTP address`, [
      `set it to a URL: ${variable}=https://s3.example.org`,
    ]);
  const { hostname, port, protocol, pathname, search } = new URL(address ?? 'https://s3.amazonaws.com');
  if (pathname !== '/' || search !== '')
    throw new UsageError(
      `${variable} has ${pathname === '/' ? 'a query' : 'a path'}, which an S3 store can't use`,
      [`name only the server: ${variable}=${new URL(address ?? '').origin}`],
    );
  return new S3({
    endPoint: hostname,
    ...(port === '' ? {} : { port: Number(port) }),
    useSSL: protocol === 'https:',
    accessKey,
    secretKey,
    partSize: PUT_BYTES,
    ...(sessionToken === undefined ? {} : { sessionToken }),
    ...(region === undefined ? {} : { region }),
  });
}

/** The store's id, created if it has none. A server that overwrites despite the condition can't hold runs. */
async function storeId(name: string, objects: Objects): Promise<string> {
  await objects.create(STORE_FILE, Buffer.from(JSON.stringify({ store: randomUUID() })));
  const content = await objects.get(STORE_FILE);
  const { store } = JSON.parse(content?.toString() ?? '{}') as { store?: unknown };
  if (content === null || typeof store !== 'string')
    throw new StorageError(`the store ${name} can't be used: its object ${STORE_FILE} contains no id`);
  if (await objects.create(STORE_FILE, content))
    throw new StorageError(
      `the store ${name} can't be used: its server ignores If-None-Match and overwrites objects`,
    );
  return store;
}

class S3Store implements RunStore {
  readonly name: string;
  readonly id: string;
  readonly #objects: Objects;

  constructor(name: string, objects: Objects, id: string) {
    this.name = name;
    this.id = id;
    this.#objects = objects;
  }

  async list(): Promise<ReadonlySet<string>> {
    const keys = await this.#objects.list();
    const logs = keys
      .map((key) => key.replace(`${CHECKPOINTS}/`, ''))
      .filter((key) => key.endsWith(LOG_ENDING));
    return new Set(logs.map((key) => key.slice(0, -LOG_ENDING.length)).filter(isRunName));
  }

  async read(runId: string): Promise<StoredRun | null> {
    const published = await this.#read(keyOf(runId), runId);
    if (published !== null) return { isPublished: true, ...published };
    const checkpoint = await this.#read(checkpointOf(runId), runId);
    return checkpoint === null ? null : { isPublished: false, ...checkpoint };
  }

  async reach(): Promise<void> {
    await this.#objects.get(STORE_FILE);
  }

  async publish(runId: string, log: string): Promise<Publication> {
    const content = await readFile(log);
    const stored = readStored(log, runId);
    const isFirst = await this.#objects.create(keyOf(runId), content, metadataOf(stored));
    await this.#objects.remove(checkpointOf(runId));
    if (isFirst) return 'published';
    const chain = stored.end?.chain ?? '';
    if ((await this.#read(keyOf(runId), runId))?.end?.chain === chain) return 'same';
    await this.#objects.create(otherName(runId, chain), content, metadataOf(stored));
    return 'other';
  }

  async checkpoint(runId: string, log: string): Promise<void> {
    await this.#objects.put(checkpointOf(runId), await readFile(log), metadataOf(readStored(log, runId)));
  }

  fetch(runId: string, to: string): Promise<boolean> {
    return this.#objects.download(checkpointOf(runId), to);
  }

  async #read(key: string, runId: string): Promise<Omit<StoredRun, 'isPublished'> | null> {
    const metadata = await this.#objects.metadata(key);
    if (metadata === null) return null;
    const encoded = metadata[METADATA];
    if (typeof encoded === 'string')
      return JSON.parse(Buffer.from(encoded, 'base64').toString()) as Omit<StoredRun, 'isPublished'>;
    const path = join(tmpdir(), `orchestrate-${randomUUID()}.sqlite`);
    try {
      return (await this.#objects.download(key, path)) ? readStored(path, runId) : null;
    } finally {
      await rm(path, { force: true });
    }
  }
}

function keyOf(runId: string): string {
  return `${runId}${LOG_ENDING}`;
}

function checkpointOf(runId: string): string {
  return `${CHECKPOINTS}/${runId}${LOG_ENDING}`;
}

/** Null if it would be too long; then the log itself is read. */
function metadataOf(stored: Omit<StoredRun, 'isPublished'>): Readonly<Record<string, string>> {
  const text = Buffer.from(JSON.stringify(stored)).toString('base64');
  return text.length > METADATA_BYTES ? {} : { [METADATA]: text };
}

/** Objects below a prefix of a bucket; its failures are StorageErrors. */
class Objects {
  readonly #name: string;
  readonly #client: Client;
  readonly #bucket: string;
  readonly #prefix: string;

  constructor(name: string, client: Client, { bucket, prefix }: { bucket: string; prefix: string }) {
    this.#name = name;
    this.#client = client;
    this.#bucket = bucket;
    this.#prefix = prefix;
  }

  async list(): Promise<readonly string[]> {
    return this.#withStoreErrors(async () => {
      const objects = this.#client.listObjectsV2(this.#bucket, this.#prefix, true);
      const keys: string[] = [];
      for await (const { name } of objects as AsyncIterable<{ name?: string }>)
        if (name?.startsWith(this.#prefix) === true) keys.push(name.slice(this.#prefix.length));
      return keys;
    });
  }

  /** Whether this call created it. */
  async create(
    key: string,
    content: Buffer,
    metadata: Readonly<Record<string, string>> = {},
  ): Promise<boolean> {
    for (let tries = 1; ; tries++) {
      try {
        await this.put(key, content, { ...metadata, 'If-None-Match': '*' });
        return true;
      } catch (error) {
        const cause = error instanceof Error ? error.cause : null;
        if (codeOf(cause) === 'PreconditionFailed') return false;
        if (codeOf(cause) !== 'ConditionalRequestConflict' || tries === CONFLICTS_MAX) throw error;
      }
    }
  }

  async put(key: string, content: Buffer, headers: Readonly<Record<string, string>>): Promise<void> {
    await this.#withStoreErrors(() =>
      this.#client.putObject(this.#bucket, this.#prefix + key, content, content.length, { ...headers }),
    );
  }

  /** Null if there is no such object. */
  async get(key: string): Promise<Buffer | null> {
    return this.#nullIfMissing(async () => {
      const chunks: Buffer[] = [];
      const stream = await this.#client.getObject(this.#bucket, this.#prefix + key);
      for await (const chunk of stream) chunks.push(chunk as Buffer);
      return Buffer.concat(chunks);
    });
  }

  async download(key: string, to: string): Promise<boolean> {
    const isFound = await this.#nullIfMissing(async () => {
      await this.#client.fGetObject(this.#bucket, this.#prefix + key, to);
      return true;
    });
    return isFound === true;
  }

  async metadata(key: string): Promise<Readonly<Record<string, unknown>> | null> {
    return this.#nullIfMissing(
      async () => (await this.#client.statObject(this.#bucket, this.#prefix + key)).metaData,
    );
  }

  async remove(key: string): Promise<void> {
    await this.#withStoreErrors(() => this.#client.removeObject(this.#bucket, this.#prefix + key));
  }

  async #nullIfMissing<T>(work: () => Promise<T>): Promise<T | null> {
    return this.#withStoreErrors(async () => {
      try {
        return await work();
      } catch (error) {
        if (['NoSuchKey', 'NotFound'].includes(codeOf(error))) return null;
        throw error;
      }
    });
  }

  async #withStoreErrors<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof OrchestrateError || !(error instanceof Error)) throw error;
      const reason = error.message === '' ? codeOf(error) : error.message;
      throw new StorageError(`the store ${this.#name} can't be used: ${reason}`, [], { cause: error });
    }
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/**
 * Stores of runs, a folder and S3: a run is published once, whoever else tries at the same time; checkpoints are replaced, and dropped at the end.
 * @module-tag long
 */
import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openScenario } from '../../src/assembly/open.js';
import { prepare } from '../../src/assembly/play.js';
import { StorageError, UsageError } from '../../src/base/errors.js';
import { openFolderStore } from '../../src/batch/store/folder-store.js';
import { loadOptional } from '../../src/batch/store/optional-package.js';
import type { RunStore } from '../../src/batch/store/run-store.js';
import { isRunName } from '../../src/batch/store/run-store.js';
import { openS3Store } from '../../src/batch/store/s3-store.js';
import { LogReader } from '../../src/log/reader.js';
import { LogWriter } from '../../src/log/writer.js';
import { systemDependencies } from '../../src/model/dependencies.js';
import { scenarioFile } from '../../src/scenario/folder.js';
import { MODULES } from '../../src/worlds/registry.js';
import { corridor } from '../orchestrator/two-agents.js';
import { temporaryFolder } from '../support/folder.js';
import { BUCKET, startS3 } from '../support/s3-server.js';
import type { S3Server } from '../support/s3-server.js';

const RUN = 'corridor-0123456789ab';
const WRITERS = 8;
const logs = temporaryFolder();
let server: S3Server | null = null;
let stores = 0;

/** A closed log of the run; with other turns it has another chain. */
async function logOf(turns: number): Promise<string> {
  const path = join(logs, `${turns}.sqlite`);
  const opened = await openScenario(scenarioFile(corridor(`max: ${turns}`)), { modules: MODULES });
  const dependencies = systemDependencies(() => undefined);
  const prepared = await prepare(opened, { runId: RUN, dependencies, player: 'scripted' });
  const writer = new LogWriter(path);
  await prepared.play(writer);
  writer.close();
  return path;
}

function chainOf(path: string): string | undefined {
  const reader = new LogReader(path);
  const chain = reader.end(RUN)?.chain;
  reader.close();
  return chain;
}

let one = '';
let other = '';

beforeAll(async () => {
  one = await logOf(2);
  other = await logOf(3);
  server = await startS3();
});

afterAll(() => server?.process.kill('SIGKILL'));

const KINDS: readonly (readonly [string, () => Promise<RunStore | null>])[] = [
  ['a folder', () => openFolderStore(join(temporaryFolder(), 'store'), 'store')],
  [
    'S3',
    async () => {
      const env = server?.env;
      return env === undefined ? null : openS3Store(`s3://${BUCKET}/store-${++stores}`, (name) => env[name]);
    },
  ],
];

describe.each(KINDS)('a store that is %s', (_kind, open) => {
  async function store(skip: (why: string) => never): Promise<RunStore> {
    return (await open()) ?? skip('no S3 server: it is built by Go');
  }

  it('takes one of many results that come at once, whole', async ({ skip }) => {
    const to = await store(skip);
    const tries = Array.from({ length: WRITERS }, (_, i) => to.publish(RUN, i % 2 === 0 ? one : other));
    const outcomes = await Promise.all(tries);
    expect(outcomes.filter((outcome) => outcome === 'published')).toHaveLength(1);
    const winner = outcomes.indexOf('published') % 2;
    for (const [i, outcome] of outcomes.entries())
      if (outcome !== 'published') expect(outcome).toBe(i % 2 === winner ? 'same' : 'other');
    expect((await to.read(RUN))?.end?.chain).toBe(chainOf(winner === 0 ? one : other));
    expect([...(await to.list())]).toEqual([RUN]);
  });

  it('never replaces what is there', async ({ skip }) => {
    const to = await store(skip);
    expect(await to.publish(RUN, one)).toBe('published');
    expect(await to.publish(RUN, other)).toBe('other');
    expect(await to.publish(RUN, one)).toBe('same');
    expect((await to.read(RUN))?.end?.chain).toBe(chainOf(one));
  });

  it('replaces checkpoints, gives them back, and drops them at the end', async ({ skip }) => {
    const to = await store(skip);
    const back = join(temporaryFolder(), 'back.sqlite');
    expect([await to.read(RUN), await to.fetch(RUN, back)]).toEqual([null, false]);
    await to.checkpoint(RUN, one);
    await to.checkpoint(RUN, other);
    expect(await to.read(RUN)).toMatchObject({ isPublished: false, end: { chain: chainOf(other) } });
    expect([...(await to.list())]).toEqual([RUN]);
    expect(await to.fetch(RUN, back)).toBe(true);
    expect(chainOf(back)).toBe(chainOf(other));
    await to.publish(RUN, other);
    rmSync(back);
    expect([(await to.read(RUN))?.isPublished, await to.fetch(RUN, back)]).toEqual([true, false]);
  });
});

describe('a folder as a store', () => {
  it('has one id under all its names, and keeps a later result beside the first', async () => {
    const folder = join(temporaryFolder(), 'store');
    const [a, b] = await Promise.all([openFolderStore(folder, 'a'), openFolderStore(folder, 'b')]);
    expect(a.id).toBe(b.id);
    await a.publish(RUN, one);
    await b.publish(RUN, other);
    const name = `${RUN}.other-${chainOf(other)?.slice(0, 12)}`;
    expect(readdirSync(folder).toSorted()).toEqual(
      ['checkpoints', `${RUN}.sqlite`, name, 'store.json'].toSorted(),
    );
    expect(readFileSync(join(folder, name))).toEqual(readFileSync(other));
  });

  it('is not taken for an empty one when it is gone', async () => {
    const folder = join(temporaryFolder(), 'store');
    const store = await openFolderStore(folder, 'store');
    rmSync(folder, { recursive: true });
    await expect(store.read(RUN)).rejects.toThrow(StorageError);
    await expect(store.list()).rejects.toThrow(/the store store can't be used: there is no such file/);
    await expect(store.publish(RUN, one)).rejects.toThrow(StorageError);
  });

  it('can not be a file', async () => {
    const path = join(temporaryFolder(), 'file');
    writeFileSync(path, '');
    await expect(openFolderStore(path, 'file')).rejects.toThrow(StorageError);
  });
});

describe('S3 as a store', () => {
  it('says what is missing', async () => {
    await expect(openS3Store('s3://', () => undefined)).rejects.toThrow(
      /--store takes a folder or s3:\/\/BUCKET\/PREFIX, not s3:\/\//,
    );
    await expect(openS3Store('s3://runs', () => undefined)).rejects.toThrow(/AWS_ACCESS_KEY_ID/);
  });

  it.each([
    ['http://127.0.0.1:1/minio', 'a path'],
    ['http://127.0.0.1:1?tenant=a', 'a query'],
  ])('refuses the address %s, because of which it would look elsewhere', async (address, part) => {
    const variables: Record<string, string> = {
      AWS_ACCESS_KEY_ID: 'a',
      AWS_SECRET_ACCESS_KEY: 'b',
      AWS_ENDPOINT_URL: address,
    };
    await expect(openS3Store('s3://runs', (name) => variables[name])).rejects.toThrow(
      `AWS_ENDPOINT_URL has ${part}, which an S3 store can't use`,
    );
  });

  it.each(['http://127.0.0.1:1/minio', 'minio:9000'])(
    'blames the variable that counts for %s',
    async (address) => {
      const variables: Record<string, string> = {
        AWS_ACCESS_KEY_ID: 'a',
        AWS_SECRET_ACCESS_KEY: 'b',
        AWS_ENDPOINT_URL: 'http://127.0.0.1:1',
        AWS_ENDPOINT_URL_S3: address,
      };
      await expect(openS3Store('s3://runs', (name) => variables[name])).rejects.toThrow(
        /^AWS_ENDPOINT_URL_S3 /,
      );
    },
  );

  it('reports a server that is gone, or a bucket', async ({ skip }) => {
    const env = server?.env ?? skip('no S3 server: it is built by Go');
    await expect(openS3Store('s3://nowhere/x', (name) => env[name])).rejects.toThrow(
      /the store s3:\/\/nowhere\/x can't be used: .*bucket/,
    );
    const gone = { ...env, AWS_ENDPOINT_URL: 'http://127.0.0.1:1' } as Record<string, string>;
    await expect(openS3Store('s3://runs', (name) => gone[name])).rejects.toThrow(StorageError);
  });
});

describe('names and packages', () => {
  it('takes ids of runs, and nothing that leads elsewhere', () => {
    expect(isRunName(RUN)).toBe(true);
    expect(isRunName('Käse und Brot-0123456789ab')).toBe(true);
    const wrong = [
      '../x-0123456789ab',
      '.x-0123456789ab',
      'a/b-0123456789ab',
      'a\\b-0123456789ab',
      'x',
      'x\0-0123456789ab',
    ];
    expect(wrong.filter(isRunName)).toEqual([]);
  });

  it('says how to install a package that is missing', async () => {
    const missing = Object.assign(new Error('x'), { code: 'ERR_MODULE_NOT_FOUND' });
    const loading = loadOptional('bullmq', 'a queue', () => Promise.reject(missing));
    await expect(loading).rejects.toThrow(UsageError);
    await expect(loading).rejects.toMatchObject({
      message: 'a queue needs the package bullmq, which is not installed',
      hints: [expect.stringMatching(/^run npm install bullmq/)],
    });
  });
});

/**
 * A real S3 server for tests, gofakes3, built by Go the first time: it takes a put with `If-None-Match` from one of several writers at once. Where Go is
 * missing, or has no way to the module, there is none, and who asks skips.
 */
import { execFile, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';

const MODULE = 'github.com/johannesboyne/gofakes3/cmd/gofakes3@v1.2.0';
const FOLDER = join(tmpdir(), 'orchestrate-gofakes3-1.2.0');
const PROGRAM = join(FOLDER, 'gofakes3');
const BUILD_MS = 240_000;

export const BUCKET = 'runs';

export interface S3Server {
  process: ChildProcess;
  /** The variables of a process that uses it. */
  env: Readonly<Record<string, string>>;
}

/** Null where there can be none. */
export async function startS3(): Promise<S3Server | null> {
  if (!existsSync(PROGRAM)) {
    try {
      await promisify(execFile)('go', ['install', MODULE], {
        env: { ...process.env, GOBIN: FOLDER },
        timeout: BUILD_MS,
      });
    } catch {
      return null;
    }
  }
  const port = await freePort();
  const words = ['-backend', 'memory', '-host', `127.0.0.1:${port}`, '-initialbucket', BUCKET, '-quiet'];
  const server = spawn(PROGRAM, words, { stdio: 'ignore' });
  const address = `http://127.0.0.1:${port}`;
  for (let i = 0; i < 100; i++) {
    if (await fetch(address).catch(() => null)) break;
    await wait(100);
  }
  return {
    process: server,
    env: {
      AWS_ENDPOINT_URL: address,
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
      AWS_REGION: 'us-east-1',
    },
  };
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

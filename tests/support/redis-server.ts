/** A real Redis for tests, in a folder and on a loopback port of its own. Where redis-server is not installed there is none, and who asks skips. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { connect } from 'node:net';
import { delimiter, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { connectQueue } from '../../src/batch/remote/redis.js';
import type { QueueLink } from '../../src/batch/remote/redis.js';
import { temporaryFolder } from './folder.js';
import { freePort } from './s3-server.js';

export interface RedisServer {
  url: string;
  /** Where it writes every command that changes something. */
  folder: string;
  /** Ends it at once. */
  kill: () => Promise<void>;
  /** Starts it anew, with what it had or empty. */
  start: (isEmpty?: boolean) => Promise<void>;
}

export const NO_REDIS = 'redis-server is not installed';

/** Null where there can be none. */
export async function startRedis(): Promise<RedisServer | null> {
  const program = redisProgram();
  if (program === null) return null;
  const port = await freePort();
  let folder = temporaryFolder();
  let server: ChildProcess | null = null;
  const start = async (isEmpty = false): Promise<void> => {
    if (isEmpty) folder = temporaryFolder();
    const words = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', ''];
    server = spawn(program, [...words, '--appendonly', 'yes', '--maxmemory-policy', 'noeviction'], {
      stdio: 'ignore',
    });
    while (!(await answers(port))) await wait(50);
  };
  await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    get folder() {
      return folder;
    },
    kill: async () => {
      if (server === null || server.signalCode !== null) return;
      const ended = new Promise((resolve) => server?.once('exit', resolve));
      server?.kill('SIGKILL');
      await ended;
    },
    start,
  };
}

/** A connection to the queue of a store with this id. */
export function linkTo({ url }: RedisServer, storeId: string): Promise<QueueLink> {
  return connectQueue({ url, password: undefined, storeId, onLost: () => undefined });
}

function redisProgram(): string | null {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/bin'];
  const found = folders.map((folder) => join(folder, 'redis-server')).find(isProgram);
  return found ?? null;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}

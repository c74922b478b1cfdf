/**
 * Killed at any instant, the log holds every step that was told to be durable, without a gap, with its chain whole; and
 * the next writer goes on in the same file. Needs the built package (`npm test` builds first).
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { stepChain, stepContent } from '../../src/trajectory/chain.js';
import { LogReader } from '../../src/log/reader.js';
import { LogWriter } from '../../src/log/writer.js';
import { temporaryFolder } from '../support/folder.js';

const CHILD = fileURLToPath(new URL('child.mjs', import.meta.url));
const folder = temporaryFolder();

/** Runs the child until it has printed `lines` lines, kills it, and gives what it had said by then. */
function runUntilKilled(path: string, runId: string, mode: string, lines: number): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [CHILD, path, runId, '100000', mode], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    let said = '';
    child.stdout.on('data', (data: Buffer) => {
      said += data.toString('latin1');
      if (said.split('\n').length > lines) child.kill('SIGKILL');
    });
    child.on('error', reject);
    child.on('close', () => resolve(said.split('\n').slice(0, -1)));
  });
}

function checkRun(path: string, runId: string, said: readonly string[]): number {
  const reader = new LogReader(path);
  const chains: string[] = [];
  let previous = reader.run(runId).genesisHash;
  for (const step of reader.steps(runId)) {
    expect(step.step).toBe(chains.length + 1);
    const calls = reader.calls(runId, step.step).filter((call) => step.calls.includes(call.request.call));
    previous = stepChain(previous, stepContent(step, calls));
    expect(step.chain).toBe(previous);
    chains.push(step.chain);
  }
  const told = said.filter((line) => line.startsWith('durable '));
  told.forEach((line, index) => expect(line).toBe(`durable ${index + 1} ${chains[index]}`));
  expect(reader.end(runId)).toBeNull();
  reader.close();
  return told.length;
}

describe.each(['embedded', 'remote'])('a writer with %s controllers', (mode) => {
  it('loses no durable step in 20 kills at random instants, in one file', { tags: ['long'] }, async () => {
    const path = join(folder, `${mode}.sqlite`);
    let told = 0;
    for (let kill = 0; kill < 20; kill++) {
      // The kill strikes some time after the given line was read, while the child writes on.
      const said = await runUntilKilled(path, `run-${kill}`, mode, 1 + ((kill * 13) % 60));
      told += checkRun(path, `run-${kill}`, said);
    }
    expect(told).toBeGreaterThan(200);
    new LogWriter(path).close();
    const db = new Database(path, { readonly: true });
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
    expect(db.pragma('foreign_key_check')).toEqual([]);
    expect(db.prepare('SELECT count(*) FROM runs').pluck().get()).toBe(20);
    db.close();
  });
});

describe('a log under way', () => {
  it('is read by another process while it is written, and refused to a second writer', async () => {
    const path = join(folder, 'live.sqlite');
    const child = spawn(process.execPath, [CHILD, path, 'live', '30', 'remote'], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    await new Promise<void>((resolve) => {
      let said = '';
      child.stdout.on('data', (data: Buffer) => {
        said += data.toString('latin1');
        if (said.includes('written')) resolve();
      });
    });
    const reader = new LogReader(path);
    expect([...reader.steps('live')].length).toBe(30);
    expect(reader.runs()[0]?.status).toBe('running');
    expect(() => new LogWriter(path)).toThrow(`being written by process ${child.pid}`);
    reader.close();
    const closed = new Promise((resolve) => child.on('close', resolve));
    child.stdin.write('stop\n');
    expect(await closed).toBe(0);
    new LogWriter(path).close();
  });
});

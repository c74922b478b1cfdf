/**
 * A served world that is killed and goes on under its runner: programs are started again, and the run is one that verifies. Needs the built package.
 * @module-tag long
 */
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { LogReader } from '../../src/log/reader.js';
import { orchestrate } from '../support/captured-io.js';
import { ROOT, startProgram } from '../support/children.js';
import { temporaryFolder } from '../support/folder.js';

it('a runner waits for a server that is gone, and its programs play on', async () => {
  const folder = temporaryFolder();
  const log = join(folder, 'run.sqlite');
  const program = join(folder, 'agent.mjs');
  writeFileSync(
    program,
    `#!/usr/bin/env node\nimport ${JSON.stringify(join(ROOT, 'examples/served/agent.mjs'))};\n`,
  );
  chmodSync(program, 0o755);
  const serve = async (world: readonly string[], listen: string) => {
    // A shorter lease ends on a busy machine before its program renews it, and the program with it.
    const words = ['--pace', 'lockstep', '--wait', 'all', '--ttl', '5000', '--listen', listen];
    const child = startProgram(['serve', ...world, ...words]);
    await child.prints(/serving \S+,/);
    return child;
  };
  const turns = (): number => {
    const reader = new LogReader(log);
    const [run] = reader.runs();
    const turn = run === undefined ? 0 : (reader.step(run.runId, Math.max(1, run.steps))?.turn ?? 0);
    reader.close();
    return turn;
  };

  const first = await serve(
    [join(ROOT, 'scenarios/crypt.yaml'), '--out', log, '--max-turns', '2000'],
    '127.0.0.1:0',
  );
  const address = /serving (\S+),/.exec(first.output())?.[1] ?? '';
  const agents = { all: { tags: [], program: './agent.mjs' } };
  writeFileSync(join(folder, 'runner.yaml'), JSON.stringify({ world: address, agents }));
  const runner = startProgram(['runner', join(folder, 'runner.yaml'), '--json']);
  await expect.poll(turns).toBeGreaterThan(3);
  first.process.kill('SIGKILL');
  await first.ended;
  const before = turns();
  // Long enough for five restarts of each program, if they were made.
  await runner.prints(/"world-gone"/);
  await wait(10_000);

  const second = await serve([log, '--resume'], address);
  await expect.poll(turns).toBeGreaterThan(before + 3);
  expect(runner.process.exitCode).toBeNull();
  second.process.kill('SIGINT');
  await second.ended;
  runner.process.kill('SIGINT');
  const { code, out, err } = await runner.ended;
  expect([code, err]).toEqual([0, '']);
  const told = events(out);
  const kinds = told.map(({ kind }) => kind);
  const [gone, back] = [kinds.indexOf('world-gone'), kinds.indexOf('world-back')];
  expect(kinds.slice(gone, back)).not.toContain('started');
  const again = told.slice(back).filter(({ kind }) => kind === 'started');
  expect(again.map(({ restarts }) => restarts)).toEqual([0, 0, 0]);
  const verified = await orchestrate(['verify', log]);
  expect(verified.code, verified.out + verified.err).toBe(0);
});

function events(out: string): readonly { kind: string; restarts: number }[] {
  return out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { kind: string; restarts: number });
}

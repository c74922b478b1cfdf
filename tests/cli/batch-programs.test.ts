/** `batch --process`: programs of the user's as players of a batch, each agent of each run with a process of its own. */
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/base/json.js';
import { lookUp } from '../../src/base/look-up.js';
import { main } from '../../src/cli/main.js';
import { LogReader } from '../../src/log/reader.js';
import { corridor } from '../orchestrator/two-agents.js';
import { capturedIo, orchestrate } from '../support/captured-io.js';
import { temporaryFolder } from '../support/folder.js';

const cwd = temporaryFolder();
const FAKE = fileURLToPath(new URL('../support/fake-agent.mjs', import.meta.url));
const env = { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '' };
const fake = (name: string, way: string): string => `${name}='${process.execPath}' '${FAKE}' ${way}`;
const on = (...args: readonly string[]) => orchestrate(['batch', ...args], { cwd, env });

writeFileSync(join(cwd, 'corridor.yaml'), corridor('max: 2'));
writeFileSync(join(cwd, 'long.yaml'), corridor('max: 15'));
writeFileSync(
  join(cwd, 'wants.yaml'),
  corridor('max: 2').replace('id: ann,', 'id: ann, controller: process,'),
);

function write(name: string, ...lines: readonly string[]): string {
  writeFileSync(join(cwd, name), `${lines.join('\n')}\n`);
  return name;
}

interface Row {
  id: string;
  status: string;
  chain: string | undefined;
  players: readonly string[];
}

function rowsOf(folder: string): readonly Row[] {
  const rows = readdirSync(join(cwd, folder))
    .filter((name) => name.endsWith('.sqlite'))
    .flatMap((name) => {
      const reader = new LogReader(join(cwd, folder, name));
      const runs = reader.runs().map(({ runId, status }) => ({
        id: runId,
        status,
        chain: reader.end(runId)?.chain,
        players: Object.values(reader.run(runId).controllers).map(
          (one) => lookUp(one as JsonObject, 'name') as string,
        ),
      }));
      reader.close();
      return runs;
    });
  return rows.toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

const PLAYERS = 'models: { mine: { controller: process }, yours: { controller: process } }';
const TWO = [fake('mine', 'wait'), fake('yours', 'remembers')].flatMap((one) => ['--process', one]);

describe('programs in a batch', () => {
  it(
    'are players by their names in it, even of one program, and the log and the report call them so',
    { tags: ['long'] },
    async () => {
      const file = write('two.yaml', 'scenarios: [corridor.yaml]', PLAYERS, 'seeds: 2');
      const { code, out } = await on(file, ...TWO, '--out', 'two', '--json');
      expect(code).toBe(0);
      expect(JSON.parse(out)).toMatchObject({ planned: 4, ended: 4, failures: [] });
      const names = rowsOf('two').flatMap(({ players }) => players);
      expect(names.toSorted()).toEqual([...Array(4).fill('process:mine'), ...Array(4).fill('process:yours')]);
      const logs = readdirSync(join(cwd, 'two'))
        .filter((name) => name.endsWith('.sqlite'))
        .map((name) => join('two', name));
      const report = await orchestrate(['report', ...logs], { cwd });
      expect(report.out).toMatch(/^ {2}mine /m);
      expect(report.out).toMatch(/^ {2}yours /m);
    },
  );

  it(
    'go on after Ctrl-C with --resume, and end with the chains of a batch that was left alone',
    { tags: ['long'] },
    async () => {
      const file = write('left.yaml', 'scenarios: [long.yaml]', PLAYERS, 'seeds: 2', 'parallel: 2');
      const captured = capturedIo({ cwd, env });
      const running = main(['batch', file, ...TWO, '--out', 'left'], captured.io);
      while (begun('left') === 0) await new Promise((resolve) => setTimeout(resolve, 5));
      captured.interrupt();
      expect(await running).toBe(130);
      expect(rowsOf('left').map(({ status }) => status)).toContain('interrupted');
      expect((await on(file, '--out', 'left', '--resume')).err).toContain('is played by a program');
      expect((await on(file, ...TWO, '--out', 'left', '--resume')).code).toBe(0);
      await on(file, ...TWO, '--out', 'whole');
      expect(rowsOf('left')).toEqual(rowsOf('whole'));
      expect(rowsOf('left')).toHaveLength(4);
    },
  );

  it('decide for an agent where the scenarios’ own play, as for `run`', async () => {
    const file = write('own.yaml', 'scenarios: [wants.yaml]');
    const refused = await on(file, '--out', 'own');
    expect(refused.code).toBe(2);
    expect(refused.err).toContain('specify it: --process ann="python3 agent.py"');
    const programs = [fake('ann', 'wait'), fake('bob', 'wait')].flatMap((one) => ['--process', one]);
    expect((await on(file, ...programs, '--out', 'own')).code).toBe(0);
    expect(rowsOf('own')[0]?.players).toEqual(
      ['process:node', 'process:node'].map(() => expect.stringMatching(/^process:node/)),
    );
  });

  it('that fail are told; what they wrote on standard error lies beside the log', async () => {
    const file = write(
      'dies.yaml',
      'scenarios: [corridor.yaml]',
      'models: { mine: { controller: process } }',
    );
    const { code, out, err } = await on(file, '--process', fake('mine', 'always'), '--out', 'dies');
    expect(code).toBe(4);
    expect(out).toContain('exited with code 7');
    expect(err).toContain('its last output on standard error: Traceback');
    const [kept = ''] = readdirSync(join(cwd, 'dies')).filter((name) => name.endsWith('.ann.stderr.txt'));
    expect(readFileSync(join(cwd, 'dies', kept), 'utf8')).toContain('Traceback');
  });

  it.each([
    ['nobody’s name', 'mien', '--process: the batch has no player "mien" with controller: process'],
    ['a name twice', 'mine', '--process names two programs for mine'],
  ])('%s is refused', async (_, name, words) => {
    const file = write(
      'names.yaml',
      'scenarios: [corridor.yaml]',
      'models: { mine: { controller: process } }',
    );
    const programs = [fake('mine', 'wait'), fake(name, 'wait')].flatMap((one) => ['--process', one]);
    const { code, err } = await on(file, ...programs, '--out', 'names');
    expect([code, err]).toEqual([2, expect.stringContaining(words)]);
  });
});

function begun(folder: string): number {
  try {
    return rowsOf(folder).length;
  } catch {
    return 0;
  }
}

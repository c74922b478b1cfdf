/** Many logs: a folder means the logs in it, a copy counts once, and two logs that tell one run differently are refused by every command that takes many. */
import { copyFileSync, mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { runScenario } from '../../src/assembly/run-scenario.js';
import { LIMITS } from '../../src/base/limits.js';
import { reportCommand } from '../../src/cli/text/batch-text.js';
import { exportLogs } from '../../src/export/export-logs.js';
import { corridor } from '../orchestrator/two-agents.js';
import { orchestrate } from '../support/captured-io.js';
import { runProgram } from '../support/children.js';
import { temporaryFolder } from '../support/folder.js';

const cwd = temporaryFolder();
const on = (...args: readonly string[]) => orchestrate(args, { cwd });

beforeAll(async () => {
  mkdirSync(join(cwd, 'store'));
  writeFileSync(join(cwd, 'corridor.yaml'), corridor('max: 3'));
  await on('run', 'corridor.yaml', '--controller', 'random', '--out', 'store/a.sqlite', '--quiet');
  await on(
    'run',
    'corridor.yaml',
    '--controller',
    'random',
    '--seed',
    '7',
    '--out',
    'store/b.sqlite',
    '--quiet',
  );
  mkdirSync(join(cwd, 'store', 'checkpoints'));
  mkdirSync(join(cwd, 'store', 'shard-2-of-8'));
  for (const name of ['checkpoints/x.sqlite', 'a.other-0123456789ab.sqlite', '.hidden.sqlite', 'notes.txt'])
    writeFileSync(join(cwd, 'store', name), 'no log');
  await on('run', 'corridor.yaml', '--seed', '9', '--out', 'store/shard-2-of-8/c.sqlite', '--quiet');
  const text = corridor('max: 3');
  await runScenario(text, { log: join(cwd, 'one.sqlite'), runId: 'twin' });
  await runScenario(text, { log: join(cwd, 'two.sqlite'), runId: 'twin', seed: '2' });
  copyFileSync(join(cwd, 'one.sqlite'), join(cwd, 'one-again.sqlite'));
  symlinkSync('one.sqlite', join(cwd, 'link.sqlite'));
});

describe('a folder', () => {
  it('means the logs in it and below, by name, without what is none or no result', async () => {
    const { code, out, err } = await on('verify', 'store');
    expect([code, err]).toEqual([0, '']);
    const names = ['store/a.sqlite', 'store/b.sqlite', 'store/shard-2-of-8/c.sqlite'];
    expect(out.match(/store\/\S+/g)).toEqual(names);
    const told = JSON.parse((await on('report', 'store', '--json')).out) as { runs: readonly object[] };
    expect(told.runs).toHaveLength(3);
    expect((await on('export', 'store', '--format', 'jsonl', '--out', 'data')).code).toBe(0);
    expect((await on('view', 'store', '--out', 'store.html')).code).toBe(0);
  });

  it(
    'with more runs than a page shows is refused by view --out as soon as they are too many',
    { tags: ['long'] },
    async () => {
      const batch = [
        'scenarios: [corridor.yaml]',
        'models: { scripted: { controller: scripted } }',
        `seeds: ${LIMITS.pageRuns + 1}`,
        'max_turns: 1',
        'parallel: 1',
      ];
      writeFileSync(join(cwd, 'crowd.yaml'), batch.join('\n'));
      await on('batch', 'crowd.yaml', '--out', 'crowd', '--quiet');
      // What comes behind is not even opened.
      writeFileSync(join(cwd, 'crowd', 'z.sqlite'), 'no log');
      const { code, err } = await on('view', 'crowd', '--out', 'crowd.html');
      expect([code, err]).toEqual([2, expect.stringContaining('a page shows at most 64 runs')]);
      const address = /choose one: (\S+)/.exec(err)?.[1] ?? '';
      expect((await on('view', address, '--out', 'chosen.html')).code).toBe(0);
      expect((await on('report', 'crowd/runs-001.sqlite', '--csv')).out).toContain('crowd/runs-001.sqlite');
    },
  );

  it('is suggested by a batch that is over, and a bucket only after it was copied', async () => {
    const few = 'scenarios: [corridor.yaml]\nmodels: { scripted: { controller: scripted } }\nmax_turns: 1\n';
    writeFileSync(join(cwd, 'few.yaml'), few);
    const { out } = await on('batch', 'few.yaml', '--out', 'few', '--quiet');
    expect(out).toMatch(/\nnext: \S+ report few\n$/);
    const program = 'orchestrate';
    expect(reportCommand('s3://bucket/runs', { program })).toBe(
      'copy s3://bucket/runs into a folder, such as logs, then orchestrate report logs',
    );
  });

  it.each(['report', 'verify', 'view', 'export'])('in a bucket is not read by %s', async (command) => {
    const more = command === 'export' ? ['--format', 'jsonl', '--out', 'data'] : [];
    const { code, err } = await on(command, 's3://bucket/runs', ...more);
    expect([code, err]).toEqual([
      2,
      expect.stringContaining('must be copied to this machine first') as string,
    ]);
  });

  it.each(['report', 'verify', 'view', 'export'])('in a file is refused by %s', async (command) => {
    writeFileSync(join(cwd, 'plain'), '');
    const more = command === 'export' ? ['--format', 'jsonl', '--out', 'data'] : [];
    const { code, err } = await on(command, 'plain/run.sqlite', ...more);
    expect(code).toBe(2);
    expect(err).toContain('there is no log plain/run.sqlite');
    expect(err).not.toContain('internal error');
  });

  it('without a log is refused', async () => {
    mkdirSync(join(cwd, 'nothing'));
    const { code, err } = await on('report', 'nothing');
    expect([code, err]).toMatchObject([2, expect.stringContaining('there is no log in the folder nothing')]);
  });
});

describe('two logs of one run', () => {
  const EACH = [
    ['report'],
    ['report', '--knowledge'],
    ['verify'],
    ['view', '--out', 'page.html'],
    ['export', '--format', 'jsonl', '--out', 'refused'],
    ['export', '--format', 'tables', '--out', 'refused'],
  ];

  it.each(EACH)(
    'that tell it differently are refused by %s %s, with both files named',
    async (name, ...more) => {
      const { code, out, err } = await on(name ?? '', 'one.sqlite', 'two.sqlite', ...more);
      expect([code, out]).toEqual([2, name === 'verify' ? expect.any(String) : '']);
      expect(err).toMatch(/run twin differs between \S*one\.sqlite and \S*two\.sqlite/);
      expect(err).toContain("leave out the one that you don't want");
    },
  );

  it('that are copies count once', async () => {
    const told = JSON.parse(
      (await on('report', 'one.sqlite', 'one-again.sqlite', 'link.sqlite', '--json')).out,
    ) as {
      cells: readonly object[];
    };
    expect(told.cells).toMatchObject([{ runs: 1 }]);
  });

  it.each(['jsonl', 'tables', 'parquet'])(
    'that are copies are exported once, as %s',
    { tags: ['long'] },
    async (format) => {
      const of = async (out: string, ...logs: readonly string[]) => {
        const twice = format === 'tables' ? [] : ['--duplicates', 'keep'];
        const { code } = await on('export', ...logs, '--format', format, ...twice, '--out', out);
        expect(code).toBe(0);
        return bytesIn(join(cwd, out));
      };
      const both = await of(`both-${format}`, 'one.sqlite', 'one-again.sqlite', 'link.sqlite');
      expect(both).toEqual(await of(`once-${format}`, 'one.sqlite'));
    },
  );

  it('are refused by exportLogs too', async () => {
    const logs = ['one.sqlite', 'two.sqlite'].map((name) => join(cwd, name));
    await expect(exportLogs({ logs, format: 'jsonl', out: join(cwd, 'none') })).rejects.toThrow(
      'run twin differs between',
    );
  });
});

/** Every file by name, as hexadecimal. */
function bytesIn(folder: string): Readonly<Record<string, string>> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  return Object.fromEntries(
    names.map(({ name, parentPath }) => [name, readFileSync(join(parentPath, name)).toString('hex')]),
  );
}

/** The built program: its processes are programs of their own. */
async function built(...args: readonly string[]) {
  const { code, out, err } = await runProgram(args, { cwd });
  return { code, out, err };
}

describe('--workers', { tags: ['long'] }, () => {
  it.each(['report', 'verify'])(
    '%s prints the same with three processes as with one, in the same order',
    async (name) => {
      writeFileSync(
        join(cwd, 'damaged.sqlite'),
        'not a database, and longer than its header would be'.repeat(4),
      );
      const logs = ['store', 'one.sqlite', 'damaged.sqlite', 'nowhere.sqlite', 'one-again.sqlite'];
      const [one, three] = [
        await built(name, ...logs, '--json'),
        await built(name, ...logs, '--json', '--workers', '3'),
      ];
      expect(one.code).toBe(2);
      expect(three).toEqual(one);
      const refused = await built(name, 'store', 'one.sqlite', 'two.sqlite', '--workers', '2');
      expect([refused.code, refused.err]).toMatchObject([
        2,
        expect.stringContaining('run twin differs between'),
      ]);
    },
  );
});

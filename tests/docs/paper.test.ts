/** The comparison that docs/REPORT.md walks through, played as it is written there: its tables are what comes of it. */
import { copyFileSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { plansIn, player } from '../fake-server/player.mjs';
import { startFakeServer } from '../fake-server/server.mjs';
import type { FakeServer } from '../fake-server/server.mjs';
import { orchestrate } from '../support/captured-io.js';
import { temporaryFolder } from '../support/folder.js';

const cwd = temporaryFolder();
const on = (...args: readonly string[]) => orchestrate(args, { cwd });
const [, section = ''] =
  /^## A table for a paper\n(.*?)^## /ms.exec(readFileSync('docs/REPORT.md', 'utf8')) ?? [];
const blocks = [...section.matchAll(/```\w+\n(.*?)```/gs)].map(([, text = '']) => text);
const [first = '', batch = '', commands = '', tables = ''] = blocks;
let server: FakeServer;

beforeAll(async () => {
  mkdirSync(join(cwd, 'runs'));
  mkdirSync(join(cwd, 'scenarios'));
  for (const [path = ''] of batch.matchAll(/scenarios\/[\w-]+\.yaml/g)) copyFileSync(path, join(cwd, path));
  const [, check = ''] = /^orchestrate (check .*) >/m.exec(first) ?? [];
  const plans = plansIn((await on(...check.split(' '))).out);
  const players = new Map(
    [...first.matchAll(/--player (\w+)=(\S+)/g)].map(([, name = '', skill]) => [
      name,
      player(plans, Number(skill)),
    ]),
  );
  server = await startFakeServer({
    models: [...players.keys()],
    images: 'any',
    reply: (request) => players.get(String(request.body['model']))?.(request) ?? '',
  });
  writeFileSync(
    join(cwd, 'runs/paper.yaml'),
    batch.replaceAll('{ model:', `{ base_url: "${server.baseUrl}", model:`),
  );
}, 60_000);

afterAll(() => server.close());

/** Heads and cells of each line, whatever stands between them. */
function cells(text: string): readonly string[] {
  return text
    .replaceAll('\\', '')
    .split('\n')
    .filter((line) => /\d %|significant|better/.test(line))
    .map((line) =>
      line
        .split(/ *\| *| {2,}/)
        .filter((cell) => cell !== '')
        .join(' | '),
    );
}

it(
  'comes to the tables that the page shows, and every command of it is taken',
  { timeout: 120_000 },
  async () => {
    const lines = commands
      .trim()
      .split('\n')
      .map((line) =>
        line
          .replace(/^orchestrate /, '')
          .replace(/ > .*/, '')
          .split(' '),
      );
    expect(lines).toHaveLength(4);
    let told = '';
    for (const line of lines) {
      const args = line.flatMap((one) =>
        one === 'runs/paper/*.sqlite'
          ? readdirSync(join(cwd, 'runs/paper')).map((name) => `runs/paper/${name}`)
          : [one],
      );
      const { code, out, err } = await on(...args);
      expect([code, err], line.join(' ')).toEqual([0, '']);
      if (line.includes('markdown')) told = out;
    }
    expect(cells(tables).length).toBe(8);
    expect(cells(told)).toEqual(cells(tables));
  },
);

/**
 * docs/how-to/compare-players.md is played as it is written, from its first file on: every sample is what the command above it prints, but for times.
 * @module-tag long
 */
import { copyFileSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { known } from '../../src/base/assert.js';
import { plansIn, player } from '../fake-server/player.mjs';
import { startFakeServer } from '../fake-server/server.mjs';
import type { FakeServer } from '../fake-server/server.mjs';
import { orchestrate } from '../support/captured-io.js';
import { temporaryFolder } from '../support/folder.js';

const PAGE = readFileSync('docs/how-to/compare-players.md', 'utf8');
const BLOCK = /^```(\w+)\n(.*?)^```$/gms;
const cwd = temporaryFolder();
let server: FakeServer;

beforeAll(async () => {
  for (const folder of ['runs', 'scenarios']) mkdirSync(join(cwd, folder));
  for (const [path] of new Set(PAGE.matchAll(/scenarios\/[\w-]+\.yaml/g)))
    copyFileSync(path, join(cwd, path));
  const [, check = ''] = known(/^orchestrate (check .*) >/m.exec(PAGE), 'plans');
  const plans = plansIn((await orchestrate(check.split(' '), { cwd })).out);
  const players = new Map(
    [...PAGE.matchAll(/--player (\w+)=(\S+)/g)].map(([, name = '', skill]) => [
      name,
      player(plans, Number(skill)),
    ]),
  );
  server = await startFakeServer({
    models: [...players.keys()],
    images: 'any',
    reply: (request) => players.get(String(request.body['model']))?.(request) ?? '',
  });
});

afterAll(() => server.close());

/** The fake server's port is any that is free. */
function write(path: string, text: string): void {
  mkdirSync(dirname(join(cwd, path)), { recursive: true });
  writeFileSync(join(cwd, path), text.replaceAll('{ model:', `{ base_url: "${server.baseUrl}", model:`));
}

/** What a line prints; '' where it goes to a file, or is no line of ours. */
async function printed(line: string): Promise<string> {
  const [command = '', file] = line.split(' > ');
  if (!command.startsWith('orchestrate ')) return '';
  const args = command
    .split(' ')
    .slice(1)
    .flatMap((word) => {
      const folder = word.replace('/*.sqlite', '');
      return folder === word
        ? [word]
        : readdirSync(join(cwd, folder)).flatMap((name) =>
            name.endsWith('.sqlite') ? [`${folder}/${name}`] : [],
          );
    });
  const { code, out, err } = await orchestrate(args, { cwd });
  expect([code, err], line).toEqual([0, '']);
  if (file !== undefined) write(file, out);
  return file === undefined ? out : '';
}

/** Words and figures of each line, whatever stands between them: a column is as wide as its times, and a run's id, its date and Node are others each time. */
function cells(text: string): readonly string[] {
  const time = /(?<=\s)(?:\d+ min )?[\d.]+ s\b/g;
  return text
    .trim()
    .split('\n')
    .map((line) =>
      line
        .replace(time, 'TIME')
        .replace(/\d{4}-\d\d-\d\d \d\d:\d\d/g, 'DATE')
        .replace(/node v[\d.]+/, 'NODE')
        .replace(/(?<=\.sqlite#)[\w-]+/, 'RUN')
        .replace(/ {2,}/g, '  ')
        .trim(),
    );
}

it('shows what its commands print', async () => {
  let [shown, out, samples] = ['', '', 0];
  for (const [, language = '', text = ''] of PAGE.slice(PAGE.indexOf('## Who is better')).matchAll(BLOCK)) {
    const [, path] = /^# (runs\/\S+)\n/.exec(text) ?? [];
    if (language === 'yaml') write(known(path, 'a file'), text);
    else if (language === 'sh') {
      for (const line of text.trim().split('\n')) if ((out = await printed(line)) !== '') shown = out;
    } else {
      samples += 1;
      expect(cells(shown)).toEqual(cells(text));
    }
  }
  expect(samples).toBe(3);
});

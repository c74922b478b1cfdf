/**
 * Each command that calls a server ends by itself, whatever the server does: the built program, as a process of its own, against one that switches to
 * another protocol, one that announces an answer for ever, and one that answers before it has read what it is asked.
 * @module-tag long
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { known } from '../../src/base/assert.js';
import { hostOdd } from '../model/odd-server-host.js';
import type { OddHost } from '../model/odd-server-host.js';
import { oddServers } from '../model/odd-servers.js';
import { corridor } from '../orchestrator/two-agents.js';
import { runProgram } from '../support/children.js';
import type { Ended } from '../support/children.js';
import { temporaryFolder } from '../support/folder.js';

/** A command that takes longer hangs, however busy the machine is; its own limits are some seconds. */
const HANGS_MS = 90_000;

const cwd = temporaryFolder();
const hosts: OddHost[] = [];
afterAll(() => Promise.all(hosts.map((host) => host.close())));

/** Lists its models well, and meets each chat as the server of this name does. */
async function hosted(name: string): Promise<string> {
  const server = known(
    oddServers(0, 0).find((one) => one.name.startsWith(name)),
    name,
  );
  const host = await hostOdd(server, 'POST');
  hosts.push(host);
  return host.baseUrl;
}

function write(name: string, baseUrl: string): void {
  const model = `{ base_url: "${baseUrl}", model: m, timeout_ms: 700, retries: 1 }`;
  const scenario = corridor('max: 1').replace('id: ann,', 'id: ann, model: m,');
  writeFileSync(join(cwd, `${name}.yaml`), `${scenario}models: { m: ${model} }\n`);
  const batch = ['title: Odd', `scenarios: [${name}.yaml]`, 'seeds: [1, 2]', 'parallel: 2', 'patience_s: 2'];
  writeFileSync(join(cwd, `${name}-batch.yaml`), `${batch.join('\n')}\n`);
}

function ran(...words: readonly string[]): Promise<Ended> {
  return runProgram(words, { cwd });
}

beforeAll(async () => {
  write('good', await hosted('200 OK; its length; body: whole; stays'));
  const { code, err } = await ran('run', 'good.yaml', '--out', 'good.sqlite');
  expect([code, err]).toEqual([0, '']);
});

const SWITCHED = /dropped the connection.*101 Switching Protocols, which was not requested/;

const ROWS: readonly (readonly [server: string, told: RegExp | null])[] = [
  ['101 with Upgrade', SWITCHED],
  ['102 again and again', /took too long.*no complete answer within 0\.7 s/],
  ['reads no request; 200 OK; its length; body: whole; stays', null],
];

it.each(ROWS)(
  '%s: run, doctor, batch and ask end, and say why',
  async (server, told) => {
    const baseUrl = await hosted(server);
    const name = `odd-${hosts.length}`;
    write(name, baseUrl);
    const ends = await Promise.all([
      ran('run', `${name}.yaml`, '--out', `${name}.sqlite`),
      ran('doctor', `${name}.yaml`),
      ran('batch', `${name}-batch.yaml`, '--out', name),
      ran('ask', 'good.sqlite', '--step', '1', 'Why?', '--base-url', baseUrl),
    ]);
    expect(ends.map(({ code }) => code)).toEqual(told === null ? [0, 0, 0, 0] : [4, 4, 4, 4]);
    for (const { out, err } of ends) expect(out + err).toMatch(told ?? /./);
  },
  HANGS_MS,
);

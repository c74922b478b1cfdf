/**
 * A stranger's scenario reads nothing of the machine but what is documented and what the user names: secret-like names at every place where text is
 * expanded, through every command that opens a scenario, against a server that keeps all that it is sent.
 */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startFakeServer } from '../fake-server/server.mjs';
import type { FakeServer } from '../fake-server/server.mjs';
import { orchestrate } from '../support/captured-io.js';
import type { Ran } from '../support/captured-io.js';
import { formsOf } from '../support/written-forms.js';
import { temporaryFolder } from '../support/folder.js';
import { SIZED, grouped, reached, sizeOf } from '../support/sizes.js';
import { SECRET_NAMES, WRITTEN, attemptsWith } from './stranger-text.js';
import type { Attempt } from './stranger-text.js';

const CANARY = 'canary-4f1c';
const folder = temporaryFolder();
let server: FakeServer;
beforeAll(async () => {
  server = await startFakeServer({ images: 'any' });
});
afterAll(() => server.close());

let tried = 0;
/** Requests that were looked at. */
let seen = 0;

async function attempt(one: Attempt, env: Record<string, string>, more: readonly string[] = []) {
  const cwd = join(folder, String((tried += 1)));
  mkdirSync(cwd);
  for (const [name, text] of Object.entries(one.files))
    writeFileSync(join(cwd, name), text.replaceAll('SERVER-ADDRESS', server.baseUrl));
  const stdin = 'ACTION: WAIT';
  const words = one.words.map((word) => word.replaceAll('SERVER-ADDRESS', server.baseUrl));
  return { cwd, ran: await orchestrate([...words, ...more], { cwd, env, stdin }) };
}

/** Where the variable's value went; nothing where it went nowhere. */
function whereabouts({ cwd, ran }: { cwd: string; ran: Ran }): readonly string[] {
  const sent = server.requests.slice(seen).some((request) => JSON.stringify(request).includes(CANARY));
  seen = server.requests.length;
  const written = readdirSync(cwd, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => formsOf(path).some((text) => text.includes(CANARY)));
  const printed = (ran.out + ran.err).includes(CANARY);
  return [...(sent ? ['sent'] : []), ...written, ...(printed ? ['printed'] : [])];
}

describe('a variable that nobody named', () => {
  it('is read at no place', SIZED, async () => {
    const passed: string[] = [];
    let pairs = 0;
    for (const name of SECRET_NAMES.slice(0, sizeOf('strangerNames'))) {
      for (const written of WRITTEN.slice(0, sizeOf('strangerForms'))) {
        for (const one of attemptsWith(written(name))) {
          const made = await attempt(one, { [name]: CANARY });
          pairs += 1;
          const found = whereabouts(made);
          if (made.ran.code === 2 && found.length === 0) continue;
          passed.push(`${name} in ${one.place}: exit ${made.ran.code}, ${found.join() || 'nowhere'}`);
        }
      }
    }
    expect(passed.slice(0, 40)).toEqual([]);
    reached('secrets', `${grouped(pairs)} variables at places of a stranger's scenario, 0 read`);
  });
});

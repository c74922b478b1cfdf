/** `resume` of a run that had ended when it was left: what is told, who is asked, and whose memories are kept. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startFakeServer } from '../fake-server/server.mjs';
import type { FakeServer } from '../fake-server/server.mjs';
import { corridor } from '../orchestrator/two-agents.js';
import { orchestrate } from '../support/captured-io.js';
import { temporaryFolder } from '../support/folder.js';
import { reseal } from '../replay/changes.js';

const cwd = temporaryFolder();
let server: FakeServer;
let asked: string[] = [];

beforeAll(async () => {
  server = await startFakeServer({
    images: 'any',
    reply: ({ text }) => {
      const isBack = text.includes('Look back');
      asked.push(isBack ? 'back' : 'act');
      return isBack
        ? 'I only waited.'
        : asked.length % 2 === 1
          ? 'ACTION: NOTE "the coin is old"'
          : 'ACTION: WAIT';
    },
  });
  const models = `models: { main: { base_url: "${server.baseUrl}" } }\nreflection: { when: always }\n`;
  const text = corridor('max: 2').replace('id: ann,', 'id: ann, model: main, memory: { kind: file },');
  writeFileSync(join(cwd, 'corridor.yaml'), text + models);
  const { code, err } = await orchestrate(['run', 'corridor.yaml', '--out', 'a.sqlite'], { cwd });
  expect([code, err]).toEqual([0, '']);
});

afterAll(() => server.close());

/** As if it had been killed right after its end. */
function leftAtEnd(): void {
  const db = new Database(join(cwd, 'a.sqlite'));
  db.pragma('foreign_keys = OFF');
  db.exec(
    "DELETE FROM replies WHERE (run, call) IN (SELECT run, call FROM calls WHERE purpose = 'reflection')",
  );
  db.exec("DELETE FROM calls WHERE purpose = 'reflection'");
  db.close();
}

const resume = () => orchestrate(['resume', 'a.sqlite'], { cwd });
const memory = join(cwd, 'memories', 'corridor.ann.json');

it('show tells how to go on with a run that was left, and only with one', async () => {
  const { out } = await orchestrate(['show', 'a.sqlite'], { cwd });
  expect(out).not.toContain('next');
  writeFileSync(join(cwd, 'left.sqlite'), readFileSync(join(cwd, 'a.sqlite')));
  const db = new Database(join(cwd, 'left.sqlite'));
  db.exec('DELETE FROM ends');
  reseal(db);
  db.close();
  const left = await orchestrate(['show', 'left.sqlite'], { cwd });
  expect(left.out).toMatch(
    /incomplete: still running, or killed\n[\s\S]*\nnext {2}orchestrate resume left\.sqlite\n$/,
  );
});

describe('a run that was left after its end', () => {
  it('is over where everybody has looked back', async () => {
    const { code, out } = await resume();
    expect([code, out]).toEqual([0, expect.stringContaining('ended after 6 steps in the log: ended')]);
  });

  it('goes on with looking back, once', async () => {
    leftAtEnd();
    asked = [];
    const { code, out, err } = await resume();
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain('continues after its end');
    expect(out).toMatch(/Ann reflects on the run\nI only waited\.\n\nended:/);
    expect(asked).toEqual(['back']);
    expect((await resume()).out).toContain('ended after 6 steps');
    expect((await orchestrate(['verify', 'a.sqlite'], { cwd })).code).toBe(0);
  });

  it('keeps the memory that it would have kept, unless a later run has kept one', async () => {
    expect(readFileSync(memory, 'utf8')).toContain('the coin is old');
    for (const later of [null, '["a later run saw this"]']) {
      if (later === null) rmSync(memory);
      else writeFileSync(memory, later);
      leftAtEnd();
      expect((await resume()).code).toBe(0);
      expect(readFileSync(memory, 'utf8')).toContain(later ?? 'the coin is old');
    }
  });
});

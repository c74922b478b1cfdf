/** A log from a stranger, its own hashes right and its records of other shapes: every command refuses it in words or takes it as it stands. */
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeAll, expect, it } from 'vitest';
import { orchestrate } from '../support/captured-io.js';
import { temporaryFolder } from '../support/folder.js';
import { corridor } from '../orchestrator/two-agents.js';
import { changeBlob, numberIn, reseal } from '../replay/changes.js';

const cwd = temporaryFolder();

beforeAll(async () => {
  writeFileSync(join(cwd, 'corridor.yaml'), corridor('max: 2'));
  await orchestrate(['run', 'corridor.yaml', '--out', 'run.sqlite', '--quiet'], { cwd });
});

type Change = (db: Database.Database) => void;

const sql = (text: string): Change => {
  return (db) => {
    db.exec(text);
  };
};

const blob = (column: string, text: string): Change => {
  return (db) => {
    changeBlob(db, numberIn(db, `SELECT ${column} FROM runs`), () => text);
  };
};

const act = (json: string) => sql(`UPDATE steps SET acts = '[${json}]' WHERE step = 2`);

const COMMANDS: readonly (readonly string[])[] = [
  ['verify', 'strange.sqlite'],
  ['show', 'strange.sqlite'],
  ['show', 'strange.sqlite', '--step', '2'],
  ['show', 'strange.sqlite', '--json'],
  ['show', 'strange.sqlite', '--tree'],
  ['replay', 'strange.sqlite', '--step', '2', '--out', 'step.png', '--force'],
  ['replay', 'strange.sqlite', '--out', 'run.gif', '--force'],
  ['reparse', 'strange.sqlite'],
  ['report', 'strange.sqlite'],
  ['diff', 'strange.sqlite', 'run.sqlite'],
  ['run', 'corridor.yaml', '--controller', 'recorded:strange.sqlite', '--quiet', '--out', 'played.sqlite'],
  ['resume', 'strange.sqlite', '--quiet'],
  ['fork', 'strange.sqlite', '--at', '3', '--quiet'],
];

it.each<readonly [string, Change]>([
  ['an act without anything', act('{"result":{}}')],
  ['an act of texts', act('{"reading":"x","intent":"y","result":{"ok":true,"message":5}}')],
  [
    'a refusal that is a text',
    act('{"reading":{"span":"q"},"intent":{},"result":{"ok":false,"problem":"z"}}'),
  ],
  ['an event without a kind', sql(`UPDATE steps SET events = '[{"data":{},"seenBy":[]}]' WHERE step = 1`)],
  ['no usage', sql(`UPDATE replies SET usage = '{}'`)],
  ['no versions', sql(`UPDATE sittings SET versions = '{}'`)],
  ['no scenario', blob('scenario', 'null')],
  ['a scenario without agents', blob('scenario', '{}')],
  ['a scenario of agents that are none', blob('scenario', '{"agents":[{}],"environment":"grid"}')],
  [
    'a world that is none',
    (db) => {
      changeBlob(db, numberIn(db, 'SELECT scenario FROM runs'), (text) =>
        JSON.stringify({ ...(JSON.parse(text) as object), definition: {} }),
      );
    },
  ],
  ['nothing left to memories', blob('kept', 'null')],
])('%s', async (_what, change) => {
  copyFileSync(join(cwd, 'run.sqlite'), join(cwd, 'strange.sqlite'));
  const db = new Database(join(cwd, 'strange.sqlite'));
  change(db);
  reseal(db);
  db.close();
  for (const words of COMMANDS) {
    const { code, out, err } = await orchestrate(words, { cwd });
    expect([words[0], code, err]).not.toEqual([words[0], 70, err]);
    expect([0, 1, 2, 3]).toContain(code);
    expect(`${words[0]}: ${out}${err}`).not.toMatch(/internal error|undefined/);
  }
});

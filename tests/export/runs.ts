/** Logs to export: corridors in which two agents answer from lists, read a sign for nothing, are refused, and fork. */
import { join } from 'node:path';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { reseal } from '../replay/changes.js';
import Database from 'better-sqlite3';
import { corridor } from '../orchestrator/two-agents.js';
import { orchestrate } from '../support/captured-io.js';

/** What ann and bob answer, in order; then they wait. */
export interface Answers {
  ann: readonly string[];
  bob: readonly string[];
}

export const ANSWERS: Answers = {
  ann: ['I look east.\nACTION: GO EAST', 'no idea', 'ACTION: FLY', 'ACTION: TAKE coin', 'ACTION: WAIT'],
  bob: ['ACTION: READ sign', 'ACTION: WAIT', 'ACTION: GO WEST', 'ACTION: SAY "mind the <image> step"'],
};

/** A scenario whose agents answer so. */
export function answering({ ann, bob }: Answers, turns = 'max: 4, attempts: 3'): string {
  return corridor(turns)
    .replace('figure/knight }', `figure/knight, replies: ${JSON.stringify(ann)} }`)
    .replace('figure/wizard }', `figure/wizard, replies: ${JSON.stringify(bob)} }`);
}

export async function playInto(
  cwd: string,
  name: string,
  {
    answers = ANSWERS,
    seed = '1',
    words = [] as readonly string[],
    turns = 'max: 4, attempts: 3',
    more = '',
  } = {},
): Promise<string> {
  writeFileSync(join(cwd, 'answering.yaml'), `${answering(answers, turns)}${more}`);
  const log = `${name}.sqlite`;
  const ran = await orchestrate(
    ['run', 'answering.yaml', '--seed', seed, '--out', log, '--quiet', ...words],
    { cwd },
  );
  if (!existsSync(join(cwd, log))) throw new Error(ran.err);
  nameRun(join(cwd, log), name);
  return log;
}

/** Gives a log's newest run an id that is the same each time: what is drawn by lot follows from it, and a test must not depend on luck. */
export function nameRun(log: string, name: string): void {
  const db = new Database(log);
  db.prepare(`UPDATE runs SET run_id = ? || '-' || run WHERE run = (SELECT max(run) FROM runs)`).run(name);
  reseal(db);
  db.close();
}

/** Every file below a folder, by its name, in order. */
export function filesIn(folder: string): Readonly<Record<string, Buffer>> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => join(one.parentPath, one.name).slice(folder.length + 1))
    .sort();
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name))]));
}

export function jsonLines(bytes: Uint8Array | undefined): readonly Record<string, unknown>[] {
  return Buffer.from(bytes ?? [])
    .toString()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

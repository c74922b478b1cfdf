/**
 * Rows of the table `figures`: the figures of a run, stored with the end of its newest session and under its
 * seal, so that `report` reads no steps. `verify` counts them again from the steps.
 */
import type Database from 'better-sqlite3';
import { z } from 'zod';
import { AGENT_COUNTS } from '../trajectory/agent-figures.js';
import { FIGURES_VERSION, forEachCount } from '../trajectory/run-figures.js';
import type { RunFigures } from '../trajectory/run-figures.js';
import { RowValues } from './row-values.js';
import { tablesVersion } from './schema.js';
import { amount, text, texts } from '../trajectory/shapes.js';

type Shape<T> = Readonly<Record<keyof T, z.ZodType>>;
const amounts = z.record(text, amount);
const AGENT = {
  ...Object.fromEntries(AGENT_COUNTS.map((name) => [name, name === 'reward' ? z.number() : amount])),
  agent: text,
};
const FIGURES = z.looseObject({
  ...forEachCount(amount),
  trajectory: text.regex(/^[0-9a-f]{64}$/).nullable(),
  unread: amounts,
  unanswered: amounts,
  refused: amounts,
  ticks: amount,
  ticksLate: amount,
  overrunMs: amount,
  settleMs: amount,
  waits: amounts,
  untimely: amounts,
  cachedTokens: amount,
  cacheToldTokens: amount,
  answered: texts,
  agents: z.array(z.looseObject(AGENT)),
} satisfies Shape<RunFigures>);

/** The figures of the newest session's end; no row if that session has no end. */
const SELECT_FIGURES = `SELECT figures FROM figures JOIN ends USING (run, sitting) WHERE run = ? AND version = ?
  AND sitting = (SELECT max(sitting) FROM sittings WHERE sittings.run = ends.run)`;

/** Null if there are none that this program can use; throws StorageError if the row was not written by it. */
export function keptFigures(db: Database.Database, run: number, path: string): RunFigures | null {
  if (tablesVersion(db) < 3) return null;
  const stored = db.prepare<[number, number], string>(SELECT_FIGURES).pluck().get(run, FIGURES_VERSION);
  if (stored === undefined) return null;
  return new RowValues(path, 'checked').json<RunFigures>(stored, "the run's figures", FIGURES);
}

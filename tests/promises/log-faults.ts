/**
 * What is expected of a command on a log that was changed: a refusal in words, or that everything is what it was. In: what a command said, a
 * log; out: what is wrong with it, or null. Shared by the checks that change bytes and those that change cells.
 */
import { sha256 } from '../../src/base/canonical.js';
import { OrchestrateError } from '../../src/base/errors.js';
import { MODULES } from '../../src/worlds/registry.js';
import { stageOpener } from '../../src/assembly/stage.js';
import { LogReader } from '../../src/log/reader.js';
import { verifyRun } from '../../src/replay/verify.js';
import { libraryModule } from '../support/library-world.js';

/** Far more than any command takes: a log this small is read in a tenth of a second. */
export const HANGS_AFTER_MS = 10_000;

export interface Told {
  code: number;
  out: string;
  err: string;
}

/** What counts of a log, by where it stands: whose run it is, what was asked and shown, answered, understood, what came of it, and how it ended. */
export function contentOf(path: string): ReadonlyMap<string, string> {
  const reader = new LogReader(path);
  const found = new Map<string, string>();
  try {
    for (const { runId } of reader.runs()) {
      const { tileset, ...run } = reader.run(runId);
      const art = Object.entries(tileset.images).map(([name, bytes]) => [name, sha256(bytes)]);
      found.set(`run ${runId}`, JSON.stringify([run, tileset.manifest, art]));
      found.set(`end of ${runId}`, JSON.stringify([reader.end(runId), reader.sessions(runId)]));
      for (const { step, turn, agent, acts, events, chain, stateHash } of reader.steps(runId)) {
        found.set(`${runId} step ${step}`, JSON.stringify({ turn, agent, acts, events, chain, stateHash }));
        for (const { request, end } of reader.calls(runId, step)) {
          const texts = request.messages.map(({ role, parts }) => [
            role,
            parts.map((part) => (part.kind === 'text' ? part.text : sha256(part.png))),
          ]);
          const { call, purpose, frameHash: frame } = request;
          found.set(`${runId} call ${call}`, JSON.stringify({ texts, end, frame, purpose }));
        }
      }
    }
  } finally {
    reader.close();
  }
  return found;
}

/** What counts that a log gives back, and that is not what it was; null where all is. */
export function changedContent(path: string, before: ReadonlyMap<string, string>): string | null {
  const now = contentOf(path);
  for (const [place, text] of before) {
    const found = now.get(place);
    if (found !== text) return `${place}: ${String(found).slice(0, 300)} was ${text.slice(0, 300)}`;
  }
  return now.size === before.size ? null : `${now.size} things were ${before.size}`;
}

/** A refusal, or nothing; anything else is a fault. */
export function faultIn(command: string, { code, out, err }: Told): string | null {
  if (/internal error|AssertionError|Unhandled|node:internal|UNIQUE constraint/.test(err))
    return `${command}: ${err.slice(0, 600)}`;
  if (![0, 1, 2, 3].includes(code)) return `${command} ended with ${code}: ${err.slice(0, 300)}`;
  if (code === 0) return null;
  return `${out}${err}`.trim() === '' ? `${command} says nothing of what is wrong` : null;
}

export async function timed(
  command: string,
  run: () => Promise<Told>,
): Promise<Told & { fault: string | null }> {
  const start = performance.now();
  const told = await run();
  const isSlow = performance.now() - start > HANGS_AFTER_MS;
  return {
    ...told,
    fault: isSlow ? `${command} took more than ${HANGS_AFTER_MS} ms` : faultIn(command, told),
  };
}

const openStage = stageOpener({ modules: [libraryModule(), ...MODULES] });

/** What `verify` finds, without its words. */
export async function verify(path: string): Promise<Told> {
  let reader: LogReader | null = null;
  try {
    reader = new LogReader(path);
    const runs = reader.runs();
    if (runs.length === 0) return { code: 2, out: '', err: 'no run' };
    for (const { runId } of runs) {
      const { difference, damage } = await verifyRun(reader, runId, openStage);
      if (difference !== null)
        return { code: damage === null ? 1 : 3, out: `step ${difference.step}: ${difference.note}`, err: '' };
    }
    return { code: 0, out: 'ok', err: '' };
  } catch (error) {
    if (!(error instanceof OrchestrateError))
      return { code: 70, out: '', err: `internal error: ${String(error)}` };
    return { code: error.exitCode, out: '', err: error.message };
  } finally {
    reader?.close();
  }
}

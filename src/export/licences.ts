/** Whose the art of an export's pictures is, as the tilesets that the logs hold say themselves. */
import { compareText } from '../base/ids.js';
import type { PickedRun } from './picked-runs.js';
import { openRuns } from './rows.js';

const UNTOLD = 'not stated by the tileset';

/** Each once, sorted. */
export function licencesOf(runs: readonly PickedRun[]): readonly string[] {
  // Most runs have the same one, and a manifest is long.
  const manifests = new Set<string>();
  for (const { run, reader } of openRuns(runs)) manifests.add(reader.tileset(run.runId).manifest);
  return [...new Set([...manifests].map(licenceIn))].sort(compareText);
}

/** A manifest may come from anybody. */
function licenceIn(manifest: string): string {
  try {
    const value = JSON.parse(manifest) as unknown;
    if (typeof value !== 'object' || value === null) return UNTOLD;
    const fields: Readonly<Record<string, unknown>> = Object.fromEntries(Object.entries(value));
    const told = fields['licence'] ?? fields['license'];
    return typeof told === 'string' && told !== '' ? told : UNTOLD;
  } catch {
    return UNTOLD;
  }
}

/**
 * The inputs of an export as a comparable value: the settings, and every run with a hash of its chain and of
 * its marks. An interrupted export continues only if they are unchanged, and the data card states their hash.
 * This file also describes changes of the inputs in words, and lists the licences of the tilesets.
 */
import { dirname } from 'node:path';
import { isRecord } from '../base/json.js';
import { hashJson } from '../base/canonical.js';
import { counted } from '../base/counted.js';
import { differences } from '../base/differences.js';
import { compareText } from '../base/ids.js';
import type { Json } from '../base/json.js';
import { StorageError } from '../base/errors.js';
import { readBatchFile } from '../scenario/batch-record.js';
import { namesIn } from '../trajectory/player-names.js';
import { originOf } from '../log/provenance.js';
import type { BatchOrigin, OriginatedRun } from '../log/provenance.js';
import { lookUp } from '../base/look-up.js';
import { openRuns } from './opened-runs.js';
import type { OpenedRun } from './opened-runs.js';
import type { PickedRun } from './picked-runs.js';

/** Raised whenever the same logs and settings would give different bytes. */
export const EXPORT_VERSION = 7;

/** A run of an export. */
export type RunInput = {
  run: string;
  steps: number;
  /** 64 hexadecimal digits: of what the log says of the run, and of people's verdicts on its steps. */
  sha256: string;
  marks: string;
};

export interface ExportInputs {
  version: number;
  wishes: Json;
  /** Of the runs alone: 64 hexadecimal digits. */
  runsHash: string;
  runs: readonly RunInput[];
}

/** The inputs as a file keeps them, with other contents. */
export interface KeptInputs {
  version: number;
  wishes: Json;
  inputs: { runs: number; sha256: string; each: readonly RunInput[] };
}

/** What an export needs to know of its runs before the first row. */
export interface InspectedRuns {
  inputs: ExportInputs;
  /** The manifest of each run's tileset, by the run's ordinal. */
  manifests: ReadonlyMap<string, string>;
  /** Whether an agent of one of the runs has the protocol of native tool calls. */
  hasToolCalls: boolean;
  /** By the run's ordinal. */
  origins: ReadonlyMap<string, OriginatedRun>;
  /** The batches to which runs belong. */
  batches: readonly BatchOrigin[];
}

/** Opens each log once. */
export function inspectRuns(picked: readonly PickedRun[], settings: Json): InspectedRuns {
  const runs: RunInput[] = [];
  const manifests = new Map<string, string>();
  const origins = new Map<string, OriginatedRun>();
  let hasToolCalls = false;
  // Most runs have the same manifest, which is long, so equal texts are stored once.
  const manifestTexts = new Map<string, string>();
  for (const one of openRuns(picked)) {
    runs.push(runInput(one));
    const { runId } = one.run;
    const record = one.reader.run(runId);
    const sessions = one.reader.sessions(runId);
    const names = namesIn(sessions, { leases: one.reader.leases(runId) });
    origins.set(one.run.ordinal, {
      players: names.players.join(' + '),
      names,
      startedAt: record.startedAt,
      origin: originOf(record, sessions, () => one.reader.answeringModels(runId)),
    });
    hasToolCalls ||= record.scenario.agents.some(({ protocol }) => protocol === 'tools');
    const { manifest } = one.reader.tileset(one.run.runId);
    const shared = manifestTexts.get(manifest) ?? manifest;
    manifestTexts.set(shared, shared);
    manifests.set(one.run.ordinal, shared);
  }
  const hashedInputs = runs.map(({ run, sha256, marks }) => [run, sha256, marks]);
  const inputs = {
    version: EXPORT_VERSION,
    wishes: settings,
    runsHash: hashJson('export-inputs', hashedInputs),
    runs,
  };
  return { inputs, manifests, hasToolCalls, origins, batches: batchesOf(picked) };
}

/** Of a plan that can't be read, nothing is said. */
function batchesOf(picked: readonly PickedRun[]): readonly BatchOrigin[] {
  const ids = new Set(picked.map(({ runId }) => runId));
  return [...new Set(picked.map(({ path }) => dirname(path)))].flatMap((folder) => {
    try {
      const batch = readBatchFile(folder);
      if (batch === null || !batch.runs.some(({ run }) => ids.has(run))) return [];
      return [{ title: batch.title, plan: batch.plan, planned: batch.runs.length }];
    } catch (error) {
      if (error instanceof StorageError) return [];
      throw error;
    }
  });
}

const UNSTATED = 'not stated by the tileset';

/**
 * The licences of the art in these runs' pictures, as their tilesets state them: each licence once, sorted.
 */
export function licencesOf(runs: readonly PickedRun[], { manifests }: InspectedRuns): readonly string[] {
  const texts = new Set(runs.flatMap(({ ordinal }) => manifests.get(ordinal) ?? []));
  return [...new Set([...texts].map(licenceIn))].sort(compareText);
}

/** A manifest may contain anything, whoever wrote it. */
function licenceIn(text: string): string {
  try {
    const value = JSON.parse(text) as unknown;
    if (typeof value !== 'object' || value === null) return UNSTATED;
    const fields: Readonly<Record<string, unknown>> = Object.fromEntries(Object.entries(value));
    const licence = fields['licence'] ?? fields['license'];
    return typeof licence === 'string' && licence !== '' ? licence : UNSTATED;
  } catch {
    return UNSTATED;
  }
}

function runInput({ run, reader, marks }: OpenedRun): RunInput {
  const { runId, firstStep, lastStep, summary } = run;
  const chain = reader.step(runId, lastStep)?.chain ?? reader.run(runId).genesisHash;
  // A verdict on a step that a fork shares is stored with its parent.
  const verdicts = reader
    .stretches(runId)
    .flatMap(({ runId: holder, from, to }) =>
      marks.ofRun(holder).filter(({ step }) => step >= from && step <= to),
    )
    .map(({ step, verdict, text }) => [step, verdict, text]);
  return {
    run: runId,
    steps: lastStep,
    sha256: hashJson('export-run', [runId, firstStep, lastStep, chain, summary.status, summary.name]),
    marks: hashJson('export-marks', verdicts),
  };
}

export function storedInputs({ version, wishes, runs, runsHash }: ExportInputs): KeptInputs {
  return { version, wishes, inputs: { runs: runs.length, sha256: runsHash, each: runs } };
}

/**
 * The same for files that are published with the data. Of the texts to hide, these contain only the number,
 * because a name can easily be guessed from its hash.
 */
export function publishable(inputs: ExportInputs): ExportInputs {
  if (!isRecord(inputs.wishes)) return inputs;
  const { redact } = inputs.wishes;
  return { ...inputs, wishes: { ...inputs.wishes, redact: Array.isArray(redact) ? redact.length : 0 } };
}

/**
 * What changed since the inputs were kept, as a few words for each change; empty if nothing did. `stored` is
 * the content of a file, which any program may have written.
 */
export function describeChanges(stored: unknown, now: ExportInputs): readonly string[] {
  if (!isStoredInputs(stored)) return ['another version of this program'];
  const options = new Set(differences(stored.wishes, now.wishes).map(({ path }) => optionOf(path)));
  const [before, after] = [stored.inputs.each, now.runs];
  return [
    ...(options.size === 0 ? [] : [`different options (${[...options].join(', ')})`]),
    ...(before.map(({ run }) => run).join('\n') === after.map(({ run }) => run).join('\n')
      ? after.flatMap((one, i) => describeRunChange(before[i] ?? one, one))
      : describeOtherRuns(before, after)),
  ];
}

function isStoredInputs(value: unknown): value is KeptInputs {
  const { version, inputs } = (value ?? {}) as Partial<KeptInputs>;
  return version === EXPORT_VERSION && Array.isArray(inputs?.each);
}

/** The command-line options whose names differ from those of their settings. */
const OPTION_NAMES: Readonly<Record<string, string>> = {
  agents: 'agent',
  players: 'player',
  models: 'model',
  scenarios: 'scenario',
  outcomes: 'outcome',
  splits: 'split',
  unit: 'format',
  type: 'image',
};

/** The option that sets what stands at this path of the settings. */
export function optionOf([first = '', second = '']: readonly (string | number)[]): string {
  const name = String(first === 'selection' || first === 'image' ? second : first);
  return `--${(lookUp(OPTION_NAMES, name) ?? name).replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

function describeOtherRuns(before: readonly RunInput[], after: readonly RunInput[]): readonly string[] {
  const names = (runs: readonly RunInput[], reference: readonly RunInput[]) =>
    runs.filter(({ run }) => reference.every((one) => one.run !== run)).map(({ run }) => run);
  const [removed, added] = [names(before, after), names(after, before)];
  if (removed.length + added.length === 0) return ['the same runs in another order'];
  return [...removed.map((name) => `without ${name}`), ...added.map((name) => `${name} added`)];
}

function describeRunChange(before: RunInput, now: RunInput): readonly string[] {
  const name = now.run;
  if (before.steps < now.steps) return [`${name} has ${counted(now.steps - before.steps, 'more step')}`];
  if (before.sha256 !== now.sha256) return [`${name} has changed`];
  return before.marks === now.marks ? [] : [`different marks on ${name}`];
}

/** The result of an export, for the manifest, the data card and people. */
import { counted } from '../base/counted.js';
import type { DataFile } from './format.js';
import type { ExportInputs } from './inputs.js';
import { rowKind } from './row-kinds.js';
import type { SplitSettings } from './row-splits.js';
import type { ExportTally } from './tally.js';

/** The keys by which the report groups splits. */
export type SplitChoice = Pick<SplitSettings, 'splitBy'> & { shared: 'drop' | 'keep' };

export interface ExportReport {
  format: string;
  inputs: ExportInputs;
  settings: SplitChoice;
  tally: ExportTally;
  files: readonly DataFile[];
  images: { files: number; bytes: number };
  /** Bytes of all data files and pictures. */
  bytes: number;
}

/** The replies that were left out, by the code of their problem, for JSON. */
export function leftOutCounts({ leftOut }: ExportTally): Readonly<Record<string, number>> {
  return Object.fromEntries(leftOut.map(({ name, rows }) => [name, rows]));
}

/** What was left out of the answers and what was rewritten, as sentences with the option that prevents it. */
export function answerNotes({ leftOut, restated, unit }: ExportTally): readonly string[] {
  const sum = leftOut.reduce((rows, one) => rows + one.rows, 0);
  const reasons = leftOut.map(({ name, rows }) => `${rows} ${name}`).join(', ');
  if (sum > 0 && rowKind(unit).isTrace)
    return [`${counted(sum, 'request')} left out because the server gave no answer: ${reasons}`];
  return [
    ...(sum === 0
      ? []
      : [
          `${counted(sum, 'reply', 'replies')} left out because ${sum === 1 ? 'it was' : 'they were'} not understood or not carried out: ${reasons} (to keep them: --all)`,
        ]),
    ...(restated === 0
      ? []
      : [
          `${counted(restated, 'answer')} written in the protocol's own form, without decoration (as received: --verbatim)`,
        ]),
  ];
}

/** The final output of `export`: a few lines, or with --json a document. */
import { counted } from '../../base/counted.js';
import { visibleText } from '../../base/text.js';
import { answerNotes, leftOutCounts } from '../../export/report.js';
import type { ExportReport } from '../../export/report.js';
import { pad } from '../terminal/style.js';

export function exportText(
  report: ExportReport,
  { isTrial, out }: { isTrial: boolean; out: string },
): string {
  const { tally, images, bytes, files } = report;
  const lines = [
    `${isTrial ? 'would write' : out}  ${report.format}: ${counted(tally.rows, 'row')} of ${tally.describeRuns(report.inputs.runs.length)}, ${counted(files.length, 'data file')}${images.files === 0 ? '' : `, ${counted(images.files, 'picture file')}`}, ${sizeText(bytes)}`,
    ...(tally.splits.length > 1
      ? tally.splits.map(
          ({ name, rows, runs }) => `  ${pad(name, 12)} ${counted(rows, 'row')} of ${counted(runs, 'run')}`,
        )
      : []),
    ...answerNotes(tally).map((note) => `  ${note}`),
    ...(tally.duplicates === 0
      ? []
      : [`  ${counted(tally.duplicates, 'duplicate')} removed (to keep them: --duplicates keep)`]),
    ...(tally.unpictured === 0
      ? []
      : [
          `  ${counted(tally.unpictured, 'row')} removed, because ${tally.unpictured === 1 ? 'it has' : 'they have'} no picture`,
        ]),
    ...sharedRows(report),
    ...(isTrial
      ? [
          '  estimated tokens (pictures by the rules of the model family, text at 4 characters per token):',
          ...tally.tokens.map(
            ({ family, pictures, all }) => `    ${pad(family, 14)} ${all}, pictures ${pictures}`,
          ),
        ]
      : []),
  ];
  return `${lines.map(visibleText).join('\n')}\n`;
}

function sharedRows({ tally, settings }: ExportReport): readonly string[] {
  if (tally.shared === 0) return [];
  const rows = `${counted(tally.shared, 'row')} whose picture or observation is also in another split`;
  return [settings.shared === 'keep' ? `  ${rows}` : `  ${rows} removed (to keep them: --shared keep)`];
}

function sizeText(bytes: number): string {
  if (bytes < 1_000_000) return `${(bytes / 1000).toFixed(1)} KB`;
  return bytes < 1_000_000_000 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(2)} GB`;
}

export function exportDocument(
  { format, tally, files, images, bytes, inputs }: ExportReport,
  { isTrial }: { isTrial: boolean },
): object {
  return {
    format,
    dry_run: isTrial,
    rows: tally.rows,
    pictures: tally.pictures,
    left_out: leftOutCounts(tally),
    restated: tally.restated,
    duplicates: tally.duplicates,
    shared: tally.shared,
    unpictured: tally.unpictured,
    splits: tally.splits,
    files: files.map(({ name, rows, bytes: size }) => ({ name, rows, bytes: size })),
    images: { files: images.files, bytes: images.bytes },
    bytes,
    tokens: Object.fromEntries(tally.tokens.map(({ family, pictures, all }) => [family, { pictures, all }])),
    inputs: { runs: inputs.runs.length, sha256: inputs.runsHash },
  };
}

/**
 * `export <log…>`: logged runs as a data set. Reads only logs and writes into one folder: incomplete files
 * have no final name there, and `--continue` resumes an interrupted export.
 */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { stageOpener } from '../../assembly/stage.js';
import type { EnvironmentModule } from '../../worlds/environment-module.js';

import { UsageError } from '../../base/errors.js';
import { beginExport, UNFINISHED } from '../../export/beginning.js';
import { exportRuns, exportTables, settingsFor, settingsJson } from '../../export/export.js';
import { fieldsFor } from '../../export/sent-rows.js';
import type { ExportReport } from '../../export/report.js';
import { filter, mayContainRows } from '../../export/filter.js';
import { inspectRuns } from '../../export/inputs.js';
import { assertPairs } from '../../export/pairs.js';
import { pickRuns } from '../../export/picked-runs.js';
import type { ChosenRuns } from '../../export/picked-runs.js';
import { CountingTarget, FolderTarget } from '../../export/target.js';
import { LogReader } from '../../log/reader.js';
import { command } from '../options/command-line.js';
import { EXPORT_OPTIONS, formatFrom, settingsFrom } from '../options/export-options.js';
import { progressLine } from '../live/export-progress.js';
import { exportDocument, exportText } from '../text/export-text.js';
import { assertScenarios, warningsOf } from '../options/export-warnings.js';
import type { Io } from '../terminal/io.js';
import { rowSource } from '../logs/row-workers.js';
import { logPlaces } from '../logs/log-places.js';
import { fromLogs } from '../logs/logged-runs.js';
import { loadOwnParts } from '../options/modules.js';
import { LOGS } from '../options/shared-options.js';
import { fromCwd } from '../options/paths.js';
import { chooseRun, splitAddress } from '../logs/run-address.js';
import { jsonText } from '../terminal/style.js';

export function exportCommand(modules: readonly EnvironmentModule[]) {
  return command({
    examples: [
      ['$0 export runs/*.sqlite --format openai --out data', 'chat messages with pictures'],
      [
        '$0 export runs/*.sqlite --format parquet --out data --outcome succeeded --ok --first-attempt',
        'only successful actions',
      ],
      [
        '$0 export runs/*.sqlite --format trl --out data --split train=0.9,test=0.1',
        'runs of one seed stay together',
      ],
      [
        '$0 export runs/*.sqlite --format jsonl --out data --dry-run',
        'only counts rows, pictures, bytes and tokens',
      ],
    ],
    arguments: LOGS,
    options: EXPORT_OPTIONS,
    run: async (options, io) => {
      const format = formatFrom(options.format);
      const wished = settingsFrom(options);
      const settings = format === null ? wished : settingsFor(format, wished);
      // An invalid condition is reported before anything is opened or written.
      filter(settings.selection);
      const { out } = options;
      const folder = fromCwd(io, out);
      const runs = pickRuns(
        fromLogs(logPlaces(options.log, io), io, (address) => chosenRuns(address, io)),
        (summary) => mayContainRows(settings.selection, { summary }),
      );
      if (runs.length === 0) throw new UsageError('the logs contain no runs');
      assertScenarios(options.scenario ?? [], runs);
      if (settings.unit === 'pair') assertPairs(runs);
      const target = options['dry-run']
        ? new CountingTarget()
        : new FolderTarget(folder, { isFresh: !options.continue });
      const inspected = inspectRuns(runs, settingsJson(options.format, settings));
      const canBegin = (): boolean =>
        beginExport({ folder, out, inputs: inspected.inputs, continues: options.continue, target });
      if (!options['dry-run'] && !canBegin()) {
        const redactionNote =
          settings.redact.length > 0
            ? '; which texts were redacted is not recorded, so --redact was not compared'
            : '';
        io.err.write(`${out} is already complete${redactionNote}\n`);
        return 0;
      }
      const stop = new AbortController();
      const close = io.onInterrupt(() => stop.abort());
      const progress = progressLine(io);
      try {
        const job = { runs, inspected, settings, target, signal: stop.signal, onProgress: progress.show };
        let report: ExportReport;
        if (format === null) {
          const open = stageOpener(await loadOwnParts(options.modules, io, modules));
          report = await exportTables({ ...job, open });
        } else {
          const { workers = 1, modules: named } = options;
          const fields = fieldsFor(format, settings);
          const rows = { runs, settings, signal: stop.signal, fields, workers, modules: named };
          report = await exportRuns({ ...job, format, source: await rowSource(rows, io, modules) });
        }
        progress.clear();
        if (!options['dry-run']) rmSync(join(folder, UNFINISHED), { force: true });
        const isTrial = options['dry-run'];
        if (options.json) io.out.write(`${jsonText(exportDocument(report, { isTrial }))}\n`);
        else io.out.write(exportText(report, { isTrial, out }));
        const isEmpty = report.inputs.runs.length > 0 && report.tally.rows === 0;
        if (isEmpty) io.err.write('no row matches the filters: nothing was written\n');
        for (const warning of warningsOf(report, { options, runs })) io.err.write(`${warning}\n`);
        return 0;
      } catch (error) {
        progress.clear();
        if (!stop.signal.aborted) throw error;
        io.err.write(`stopped; finished files stay in ${out}, and --continue resumes the export\n`);
        return 130;
      } finally {
        close();
      }
    },
  });
}

function chosenRuns(address: string, io: Io): ChosenRuns {
  const { path: typedPath, runId } = splitAddress(address, (name) => existsSync(fromCwd(io, name)));
  const path = fromCwd(io, typedPath);
  const reader = new LogReader(path);
  try {
    const runs = reader.runs();
    if (runId !== null || runs.length === 0) chooseRun(runs, runId, address);
    return { path, runs, runId };
  } finally {
    reader.close();
  }
}

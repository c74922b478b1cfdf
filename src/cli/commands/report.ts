/**
 * `report <log…>`: figures of runs, by scenario and players: success, problems, costs, and which player is
 * better on the same seeds.
 */
import { existsSync } from 'node:fs';
import { dirname, relative, sep } from 'node:path';
import { at } from '../../base/assert.js';
import { counted } from '../../base/counted.js';
import { UsageError } from '../../base/errors.js';
import type { ExitCode } from '../../base/errors.js';
import { csvOf } from '../../report/csv.js';
import { overviewLatex } from '../../report/overview-latex.js';
import { markdownTable, overviewMarkdown } from '../../report/overview-markdown.js';
import { textTable } from '../../report/figure-table.js';
import { knowledgePage } from '../../report/knowledge-page.js';
import { knowingTotals } from '../../report/knowledge-totals.js';
import type { KnowingRun } from '../../report/knowledge-totals.js';
import { pageOf } from '../../report/page.js';
import { plotPdf } from '../../report/plot-pdf.js';
import { plotSheets } from '../../report/plot-sheet.js';
import { plotSvg } from '../../report/plot-svg.js';
import { reportOf } from '../../report/report.js';
import type { RunReport } from '../../report/report.js';
import { outcomeText } from '../../report/run-labels.js';
import { sharedSetups, withSettings } from '../../report/settings.js';
import { isPlayedBy } from '../../trajectory/player-names.js';
import type { RunNames } from '../../trajectory/player-names.js';
import type { EnvironmentModule } from '../../worlds/environment-module.js';
import { command } from '../options/command-line.js';
import { MODULES } from '../options/modules.js';
import { oneOf, flag, single, whole } from '../options/option.js';
import type { Chosen } from '../options/option.js';
import { nobodyPlayed, PLAYER_FILTER, playerFilter } from '../options/player-filter.js';
import { EFFORT } from '../options/regret-options.js';
import { LOGS, WORKERS } from '../options/shared-options.js';
import { REGRET_EFFORT } from '../logs/logged-costs.js';
import { ROLLOUTS } from '../logs/logged-decisions.js';
import { plansFor } from '../../report/not-played.js';
import { printWarning } from '../text/error-text.js';
import type { Io } from '../terminal/io.js';
import { batchPlans } from '../logs/batch-plans.js';
import { eachReadRun } from '../logs/logged-runs.js';
import { requireFree, writeOut } from '../files/out-file.js';
import { fileFor, fromCwd } from '../options/paths.js';
import { reportText, tablesText } from '../text/report-text.js';
import { knowledgeText } from '../text/knowledge-text.js';
import type { LoggedRun, ReadingSpec } from '../logs/log-readings.js';
import { funnelTotals } from '../../report/funnel.js';
import { funnelCsv, funnelLatex, funnelTable } from '../../report/funnel-table.js';
import { questionsTable, questionTotals } from '../../report/questions.js';
import { jsonText } from '../terminal/style.js';

const TABLES = { markdown: overviewMarkdown, latex: overviewLatex };

const OPTIONS = {
  ...MODULES,
  ...PLAYER_FILTER,
  out: single('Write an HTML page that opens from disk'),
  view: single('With --out: link each run to this page, made by view from the same logs'),
  force: flag('Overwrite an existing page'),
  forks: flag('Count forks too'),
  table: oneOf(['markdown', 'latex'], 'Print tables for a paper: players × scenarios, and the comparisons'),
  plots: single(
    'Write plots for a paper into this folder, as SVG and PDF: one over all scenarios, one for each',
  ),
  regret: flag('Search for the turns that each step lost, and compare players in them too'),
  ...EFFORT,
  knowledge: flag('Show who learnt what, when and from whom, and who acted on it, for each run'),
  funnel: flag(
    'Show how far decisions came: needed facts reached the agent, were seen, replies were read, turns lost (with --regret)',
  ),
  rollouts: whole(
    `With --funnel --regret: decisions of each agent in a run at which the sighted player plays on [${ROLLOUTS}]`,
    1,
    1_000_000,
  ),
  questions: flag('Show how each player answered the questions of the probes, by kind'),
  ...WORKERS,
  csv: flag('Print one line per run as CSV'),
  json: flag(
    'Print one JSON document: {runs, cells, pairings, overview, repeated, notPlayed, batches}; with --knowledge {totals, runs}, with --questions or --funnel {totals}',
  ),
};

type ReportOptions = Chosen<typeof LOGS & typeof OPTIONS>;

export function reportCommand(modules: readonly EnvironmentModule[]) {
  return command({
    examples: [
      [
        '$0 report runs/*.sqlite',
        'success, turns, problems, tokens and cost, and which player is better on the same seeds',
      ],
      ['$0 report runs/*.sqlite --out report.html', 'the same on a page with plots'],
      [
        '$0 report runs/*.sqlite --out report.html --view view.html',
        'with links to the runs on a page made by view',
      ],
      ['$0 report runs/*.sqlite --table latex', 'players × scenarios as tables for a paper'],
      ['$0 report runs/*.sqlite --plots plots', 'the plots as SVG and PDF, one over all scenarios'],
      ['$0 report run.sqlite --knowledge', 'who learnt what when and from whom, and who acted on it'],
      ['$0 report runs/*.sqlite --questions', 'which kinds of questions each player answered right'],
      ['$0 report runs/*.sqlite --funnel --regret', 'where decisions fail: told, seen, answered or decided'],
      ['$0 report runs/*.sqlite --csv > runs.csv', 'one line per run'],
    ],
    arguments: LOGS,
    options: OPTIONS,
    run: (options, io) => {
      if (options.effort !== undefined && !options.regret) throw new UsageError('--effort needs --regret');
      if (options.rollouts !== undefined && !(options.funnel && options.regret))
        throw new UsageError('--rollouts needs --funnel and --regret');
      if (options.funnel) return printFunnel(options, io, modules);
      if (options.questions) return printQuestions(options, io);
      return options.knowledge ? printKnowledge(options, io) : report(options, io, modules);
    },
  });
}

/**
 * The runs that `--player` and `--model` choose, with what is read of each, and how they were planned. A log that can't be read affects the exit code, and does not prevent the others from being read. Throws
 * UsageError if no run is chosen of those there are.
 */
async function readRuns(
  options: ReportOptions,
  io: Io,
  kind: Exclude<ReadingSpec['kind'], 'verify'>,
  modules: readonly EnvironmentModule[] = [],
) {
  const { log, workers, forks, regret, effort = REGRET_EFFORT, rollouts = ROLLOUTS } = options;
  const wanted = playerFilter(options);
  const read: LoggedRun[] = [];
  const others: RunNames[] = [];
  const logged = new Map<string, boolean>();
  const shareSetup = sharedSetups();
  let skippedForks = 0;
  const spec = {
    kind,
    // What agents knew in a fork, they knew in no other run.
    forks: forks || kind === 'knowledge',
    search: regret ? { effort, rollouts, modules: options.modules } : null,
  };
  const worst = await eachReadRun(log, io, { spec, workers, modules }, ({ run, value }) => {
    if (value === null) {
      skippedForks += 1;
      return 0;
    }
    const { names } = value.figures;
    const isWanted = isPlayedBy(names, wanted);
    logged.set(run.runId, isWanted);
    if (isWanted) read.push({ ...value, setup: shareSetup(value.setup) });
    else others.push(names);
    return 0;
  });
  if (skippedForks > 0 && kind === 'figures')
    printWarning(`${counted(skippedForks, 'fork')} left out (to count them: --forks)`, io);
  if (read.length === 0 && others.length > 0) throw nobodyPlayed(options, others);
  const runs = withSettings(read).map((run, i) => ({ ...at(read, i), run }));
  const plans = () => (runs.length === 0 ? [] : plansFor(batchPlans(log, io), wanted, logged));
  return { runs, plans, worst };
}

async function report(
  options: ReportOptions,
  io: Io,
  modules: readonly EnvironmentModule[],
): Promise<ExitCode> {
  const { out: typedOut, view, force, table, plots, csv, json } = options;
  requireOneForm(options);
  const out = typedOut === undefined ? undefined : fileFor(typedOut, 'report.html', io);
  if (out !== undefined) requireFree(fromCwd(io, out), { force });
  const viewLink = view === undefined ? null : linkTo(view, out, io);
  const read = await readRuns(options, io, 'figures', modules);
  const result = reportOf(
    read.runs.map(({ run }) => run),
    read.plans(),
  );
  const { runs } = result;
  // An empty page would look as if nothing had been played.
  const page = runs.length === 0 ? undefined : out;
  if (page !== undefined) writeOut(fromCwd(io, page), Buffer.from(pageOf(result, viewLink)));
  const plotFiles = plots === undefined || runs.length === 0 ? [] : writePlots(result, plots, { force, io });
  if (csv) io.out.write(csvOf(result.runs, result.notPlayed));
  else if (table !== undefined) io.out.write(TABLES[table](result));
  else if (json) io.out.write(`${jsonText(result)}\n`);
  else if (runs.length > 0) io.out.write(reportText(result, io));
  const written = [...(page === undefined ? [] : [page]), ...plotFiles];
  if (written.length > 0 && !csv && !json && table === undefined) io.out.write(`\n${written.join('\n')}\n`);
  return read.worst;
}

/** Returns the files. Throws UsageError if one exists, StorageError if one can't be written. */
function writePlots(
  result: RunReport,
  folder: string,
  { force, io }: { force: boolean; io: Io },
): readonly string[] {
  const files = plotSheets(result).flatMap((sheet) => [
    { path: fileFor(`${folder}/`, `${sheet.name}.svg`, io), content: () => Buffer.from(plotSvg(sheet)) },
    { path: fileFor(`${folder}/`, `${sheet.name}.pdf`, io), content: () => plotPdf(sheet) },
  ]);
  for (const { path } of files) requireFree(fromCwd(io, path), { force });
  for (const { path, content } of files) writeOut(fromCwd(io, path), content());
  return files.map(({ path }) => path);
}

/** The address of the page of `view` from the report's folder. Throws UsageError if there is none. */
function linkTo(view: string, out: string | undefined, io: Io): string {
  if (out === undefined)
    throw new UsageError('--view needs --out', ['the links are part of the page that --out writes']);
  const [from, to] = [dirname(fromCwd(io, out)), fromCwd(io, view)];
  if (!existsSync(to))
    throw new UsageError(`${view} does not exist`, [
      `create it with ${io.program} view <logs> --out ${view}`,
    ]);
  return `./${relative(from, to).split(sep).map(encodeURIComponent).join('/')}`;
}

async function printKnowledge(options: ReportOptions, io: Io): Promise<ExitCode> {
  const { out: typedOut, force, csv, table, json } = options;
  if (csv || table !== undefined)
    throw new UsageError('--knowledge cannot be combined with --csv or --table', [
      '--json prints the whole report',
    ]);
  const out = typedOut === undefined ? undefined : fileFor(typedOut, 'knowledge.html', io);
  if (out !== undefined) requireFree(fromCwd(io, out), { force });
  const read = await readRuns(options, io, 'knowledge');
  const runs = read.runs.map(({ figures, facts }): KnowingRun => {
    const { log, run, scenario, seed, players } = figures;
    return { log, run, scenario, seed, players, outcome: outcomeText(figures), facts };
  });
  if (out !== undefined && runs.length > 0) writeOut(fromCwd(io, out), Buffer.from(knowledgePage(runs)));
  if (json) io.out.write(`${jsonText({ totals: knowingTotals(runs), runs })}\n`);
  else if (runs.length > 0) io.out.write(knowledgeText(runs, io));
  if (out !== undefined && runs.length > 0 && !json) io.out.write(`\n${out}\n`);
  return read.worst;
}

const NO_QUESTIONS = 'no questions were asked: a scenario asks them with the key `probes`\n';

/** For models: what each sees in its pictures, by the questions that it was asked about them. */
async function printQuestions(options: ReportOptions, io: Io): Promise<ExitCode> {
  const { out, knowledge, csv, table, json } = options;
  if (csv || table !== undefined || knowledge || out !== undefined)
    throw new UsageError('--questions cannot be combined with --knowledge, --out, --csv or --table', [
      '--json prints the counts',
    ]);
  const { runs, plans, worst } = await readRuns(options, io, 'questions');
  const totals = questionTotals(runs, plans());
  if (json) io.out.write(`${jsonText({ totals })}\n`);
  else if (runs.length > 0) io.out.write(tablesText(totals, questionsTable, NO_QUESTIONS, io));
  return worst;
}

async function printFunnel(
  options: ReportOptions,
  io: Io,
  modules: readonly EnvironmentModule[],
): Promise<ExitCode> {
  const { out, knowledge, questions, csv, table, json, plots } = options;
  if (knowledge || questions || out !== undefined || plots !== undefined)
    throw new UsageError('--funnel cannot be combined with --knowledge, --questions, --out or --plots', [
      '--json prints the counts',
    ]);
  requireOneForm(options);
  const { runs, plans, worst } = await readRuns(options, io, 'funnel', modules);
  const totals = funnelTotals(runs, plans());
  if (csv) io.out.write(funnelCsv(totals));
  else if (table === 'markdown') io.out.write(`${markdownTable(textTable(funnelTable(totals)))}\n`);
  else if (table === 'latex') io.out.write(funnelLatex(totals));
  else if (json) io.out.write(`${jsonText({ totals })}\n`);
  else io.out.write(tablesText(totals, funnelTable, 'no run has ended\n', io));
  return worst;
}

function requireOneForm({ csv, json, table }: ReportOptions): void {
  if ([csv, json, table !== undefined].filter(Boolean).length > 1)
    throw new UsageError('--csv, --json and --table are mutually exclusive', ['use only one of them']);
}

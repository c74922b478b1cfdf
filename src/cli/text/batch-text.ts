/**
 * The output of `batch` for a whole batch: what would be played, the results of each cell, and the same as one
 * document.
 */
import { errorMessage, ModelError } from '../../base/errors.js';
import { compareText } from '../../base/ids.js';
import { amount, counted, whole } from '../../base/counted.js';
import { duration } from '../../base/duration.js';
import { oneLine } from '../../base/text.js';
import type { BatchEnd } from '../../batch/play-batch.js';
import type { LedgerRun } from '../../batch/ledger.js';
import type { ModelForecast } from '../../batch/forecast.js';
import { cellName } from '../../batch/plan.js';
import type { BatchCell, BatchPlan } from '../../batch/plan.js';
import { seatNames } from '../../batch/players.js';
import { snakeCase } from '../../trajectory/column-kinds.js';
import { seatsText } from '../../trajectory/player-names.js';
import { answeredCalls } from '../../trajectory/spending.js';
import type { Spending } from '../../trajectory/spending.js';
import { finishedCount, unansweredIn } from '../../batch/progress.js';
import type { CellStanding, CellCounts, BatchProgress } from '../../batch/progress.js';
import { costColumn } from '../../report/figure-text.js';
import { decidedAtStartText } from '../../report/run-notes.js';
import type { BatchSpec } from '../../scenario/batch.js';
import { isBucket } from '../options/paths.js';
import type { Io } from '../terminal/io.js';
import { fit, pad, painter } from '../terminal/style.js';

/** A batch that is ready to be played. */
export interface PreparedBatch {
  spec: BatchSpec;
  plan: BatchPlan;
  finishedRuns: ReadonlyMap<string, LedgerRun>;
  /** The folder, as the user would type it. */
  out: string;
}

const BAR = 20;

export function barOf(done: number, total: number): string {
  const filled = total === 0 ? BAR : Math.floor((done / total) * BAR);
  return `${'█'.repeat(filled)}${'░'.repeat(BAR - filled)}`;
}

/** "12,345 tokens", "cost 1.25"; '' if nothing was counted. */
export function spendingTexts({ promptTokens, replyTokens, cost }: Spending): readonly string[] {
  const tokens = promptTokens + replyTokens;
  const counts = tokens === 0 ? [] : [amount(tokens, 'token')];
  return cost === 0 ? counts : [...counts, `cost ${costColumn([cost]).join()}`];
}

/** A cell in progress. */
export function cellLine(cellProgress: CellStanding, width: number): string {
  const { cell, planned, running, succeeded, failed } = cellProgress;
  const name = pad(fit(cellName(cell), 1000), width);
  const spent = spendingTexts(cellProgress.spent);
  const parts = [
    `${barOf(finishedCount(cellProgress), planned)} ${finishedCount(cellProgress)}/${planned}`,
    `${running} now`,
    succeeded + failed === 0 ? '' : `${succeeded} of ${succeeded + failed} succeeded`,
    ...spent,
  ];
  return `  ${name}  ${parts.filter((part) => part !== '').join(' · ')}`;
}

/** What would be played. */
export function planText({ spec, out }: PreparedBatch, progress: BatchProgress, io: Io): string {
  const all = progress.all;
  const unfinished = all.planned - finishedCount(all);
  const cells = progress.cells.map((cellProgress) => {
    const done = finishedCount(cellProgress) === 0 ? '' : `, ${finishedCount(cellProgress)} done`;
    const seats = seatsOf(spec, cellProgress.cell);
    const who = seats === undefined ? '' : ` (${seatsText(seats)})`;
    return `  ${cellName(cellProgress.cell)}${who}: ${amount(cellProgress.planned, 'run')}${done}`;
  });
  const doneNote = finishedCount(all) === 0 ? '' : `, ${finishedCount(all)} already done, ${unfinished} left`;
  const head = `${amount(all.planned, 'run')}, ${spec.parallel} at once, into ${out}${doneNote}`;
  const outlook = `${io.program} batch would play ${unfinished === 0 ? 'nothing' : amount(unfinished, 'run')}`;
  return `${[head, ...cells, outlook].join('\n')}\n`;
}

function seatsOf({ players }: BatchSpec, cell: BatchCell): ReturnType<typeof seatNames> {
  return seatNames(players.find(({ name }) => name === cell.players)?.players ?? { kind: 'own' });
}

/**
 * What the models would be asked, in a line for each; '' without models. `parallel` is the number of runs at
 * once.
 */
export function forecastText(forecast: readonly ModelForecast[], parallel: number): string {
  const lines = forecast.map((model) => {
    const { calls, promptTokens, pictures, pictureTokens, replyTokensMax, promptCost, replyCostMax } = model;
    const unknown =
      pictures > 0 && pictureTokens === null ? ` without those of ${amount(pictures, 'picture')}` : '';
    const [cost = '–', most = '–'] = costColumn([promptCost, promptCost + replyCostMax]);
    const parts = [
      amount(calls, 'call'),
      `${amount(promptTokens, 'prompt token')}${unknown}`,
      `at most ${amount(replyTokensMax, 'reply token')}`,
      ...(promptCost + replyCostMax === 0 ? [] : [`cost ${cost} to ${most}`]),
      `${duration(Math.ceil(calls / parallel) * 1000)} if a call takes a second`,
    ];
    return `  ${fit(oneLine(model.model) || "the server's model", 60)}: ${parts.join(', ')}`;
  });
  const head = 'forecast, if they play as long as the sighted player does in two runs of each cell:';
  return lines.length === 0 ? '' : `${[head, ...lines].join('\n')}\n`;
}

export function forecastRow(forecast: ModelForecast): object {
  return Object.fromEntries(Object.entries(forecast).map(([key, value]) => [snakeCase(key), value]));
}

const HEADS = ['runs', 'succeeded', 'failed', 'ended', 'given up', 'turns', 'tokens', 'cost'] as const;

/** The results of every cell, and what to do next. */
export function batchText(
  {
    progress,
    end,
    out,
    passedMs,
  }: PreparedBatch & { progress: BatchProgress; end: BatchEnd; passedMs: number },
  io: Io,
): string {
  const paint = painter(io, io.out);
  const all = progress.all;
  const costs = costColumn(progress.cells.map(({ spent }) => spent.cost));
  const rows = progress.cells.map((cell, i) => [cellName(cell.cell), ...figuresOf(cell), costs[i] ?? '']);
  const lines = tableOf([['', ...HEADS], ...rows]);
  const [head = '', ...rest] = lines;
  const spent = spendingTexts(all.spent);
  const summary = [
    `${finishedCount(all)} of ${amount(all.planned, 'run')} finished`,
    `${amount(all.steps, 'step')} in the logs`,
    ...spent,
    duration(passedMs),
  ];
  const stopReason = end.stopped === null ? [] : [paint('red', `stopped: ${oneLine(end.stopped)}`)];
  const warnings = startTexts(progress.cells).map((text) => paint('yellow', text));
  const next = finishedCount(all) === 0 ? [] : [`next: ${reportCommand(oneLine(out), io)}`];
  return `${[paint('dim', head), ...rest, '', summary.join(' · '), ...warnings, ...stopReason, ...next].join('\n')}\n`;
}

/** Agents whose models were asked and never answered, by cell; null if there are none. */
export function neverAnswered(cells: readonly CellStanding[]): ModelError | null {
  const places = cells.flatMap((cell) => {
    const agents = unansweredIn(cell);
    const runs = counted(cell.failed + cell.ended, 'run');
    return agents.length === 0 ? [] : [`${agents.join(', ')} in ${cellName(cell.cell)} (${runs})`];
  });
  if (places.length === 0) return null;
  return new ModelError(
    `models gave no answer, because every request was lost to its server: ${places.join('; ')}`,
    {
      isRetryable: false,
      hints: [
        "these runs say nothing about the models; read the servers' logs, and play them again into another folder",
      ],
    },
  );
}

/** Such seeds have the same result for every player, so they are told once for each world. */
function startTexts(cells: readonly CellStanding[]): readonly string[] {
  const byWorld = new Map<string, Set<string>>();
  for (const { cell, decidedAtStart } of cells) {
    const world = cellName({ ...cell, players: '' });
    const seeds = byWorld.get(world) ?? new Set<string>();
    byWorld.set(world, seeds);
    for (const seed of decidedAtStart) seeds.add(seed);
  }
  return [...byWorld].flatMap(([world, seeds]) =>
    seeds.size === 0 ? [] : [`${oneLine(world)}: ${decidedAtStartText([...seeds].toSorted(compareText))}`],
  );
}

/**
 * A folder and not its files: a store may have more than fit on a command line, and second results of runs.
 */
export function reportCommand(out: string, { program }: Pick<Io, 'program'>): string {
  return isBucket(out)
    ? `copy ${out} into a folder, such as logs, then ${program} report logs`
    : `${program} report ${out}`;
}

function figuresOf(cell: CellStanding): readonly string[] {
  const { planned, succeeded, failed, ended, broken, turns, spent } = cell;
  const done = finishedCount(cell);
  const runs = done === planned ? String(planned) : `${done}/${planned}`;
  const mean = done === 0 ? '–' : (turns / done).toFixed(1);
  const tokens = spent.promptTokens + spent.replyTokens;
  return [runs, ...[succeeded, failed, ended, broken].map(countOf), mean, countOf(tokens)];
}

function countOf(count: number): string {
  return count === 0 ? '–' : whole(count);
}

/** Names on the left, figures on the right; a column that is empty in every row is left out. */
function tableOf(rows: readonly (readonly string[])[]): readonly string[] {
  const [heads = [], ...cells] = rows;
  const isColumnShown = heads.map((_, i) => i < 2 || cells.some((row) => row[i] !== '–'));
  const widths = heads.map((_, i) => Math.max(...rows.map((row) => (row[i] ?? '').length)));
  return rows.map((row) => {
    const parts = row.map((text, i) =>
      i === 0 ? pad(fit(text, 1000), widths[i] ?? 0) : text.padStart(widths[i] ?? 0),
    );
    return `  ${parts.filter((_, i) => isColumnShown[i]).join('  ')}`.trimEnd();
  });
}

/**
 * What `--json` prints; its shape is documented in docs/reference/batch-file.md and must not change. `end` is
 * null if nothing was played.
 */
export function batchDocument(
  { spec, out, plan }: PreparedBatch,
  progress: BatchProgress,
  end: BatchEnd | null,
): object {
  const failures = [...(end?.failures ?? [])];
  return {
    batch: spec.name,
    folder: out,
    stopped: end?.stopped ?? null,
    ...countsOf(progress.all),
    cells: progress.cells.map((cell) => ({
      ...cell.cell,
      seats: seatsOf(spec, cell.cell),
      ...countsOf(cell),
      decided_at_start: cell.decidedAtStart,
      unanswered: unansweredIn(cell),
    })),
    failures: failures.map(([run, error]) => ({ run_id: run, error: errorMessage(error) })),
    ...(end === null ? { runs: plan.runs.map(({ id, cell, seed }) => ({ run_id: id, ...cell, seed })) } : {}),
  };
}

function countsOf({ planned, succeeded, failed, ended, broken, steps, turns, spent }: CellCounts): object {
  return {
    planned,
    succeeded,
    failed,
    ended,
    not_played: broken,
    steps,
    turns,
    calls: answeredCalls(spent),
    prompt_tokens: spent.promptTokens,
    reply_tokens: spent.replyTokens,
    // So that sums of the same amounts in a different order are equal.
    cost: Number(spent.cost.toFixed(6)),
  };
}

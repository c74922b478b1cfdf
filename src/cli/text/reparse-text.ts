/**
 * What `reparse` prints for people: a table of counts, then examples. Nothing from a reply can control the
 * terminal.
 */
import { counted } from '../../base/counted.js';
import { oneLine, visibleText } from '../../base/text.js';
import { known } from '../../base/assert.js';
import { wrapped } from '../../base/wrap.js';
import type { ReparseOutcome, UnderstoodReply } from '../../replay/reparse.js';
import type { ReparseCounts, Example, ReparseTally } from '../../replay/reparse-tally.js';
import type { Io } from '../terminal/io.js';
import { intentText } from '../../trajectory/act-text.js';
import { fit, pad, painter } from '../terminal/style.js';
import type { Paint } from '../terminal/style.js';

/** What is parsed differently, the worst first. */
export const DIFFERENCES = ['lost', 'changed', 'recovered'] as const;

const MEANING: Readonly<Record<(typeof DIFFERENCES)[number], string>> = {
  lost: 'was an action, is now a problem',
  changed: 'is now a different action',
  recovered: 'was a problem, is now an action',
};

export function reparseText(tally: ReparseTally, { runs, io }: { runs: number; io: Io }): string {
  const paint = painter(io, io.out);
  const columns = io.out.isTerminal ? io.out.columns : 120;
  const examples = DIFFERENCES.flatMap((kind) => section(tally, kind, { paint, columns }));
  const verdict = verdictLine(tally, runs, paint);
  return `${[...table(tally, { paint, columns }), ...examples, '', ...verdict].join('\n')}\n`;
}

function verdictLine(tally: ReparseTally, runs: number, paint: Paint): readonly string[] {
  const { total } = tally;
  const replies = total.same + total.recovered + total.lost + total.changed;
  const scope = `${counted(replies, 'stored reply', 'stored replies')} of ${counted(runs, 'run')}`;
  const messageNote =
    tally.changedMessages === 0
      ? []
      : [
          `${tally.changedMessages} of the unchanged replies are still problems, but with a different message to the agent`,
        ];
  const differing = DIFFERENCES.filter((kind) => total[kind] > 0);
  const list = differing.map((kind) => `${total[kind]} ${kind}`).join(', ');
  const [verdict, explanation] =
    differing.length === 0
      ? [paint('green', 'ok'), 'all are parsed as before']
      : [paint('red', 'differs'), list];
  return [`${verdict}  ${scope}: ${explanation}`, ...messageNote];
}

interface ReparseLayout {
  paint: Paint;
  columns: number;
}

const COUNTED: readonly ReparseOutcome[] = ['same', 'recovered', 'lost', 'changed'];
/** The columns except the model's name. */
const FIXED_COLUMNS = 57;

/** The name of a model or protocol appears once above its rows. */
function table({ rows, total }: ReparseTally, { paint, columns }: ReparseLayout): readonly string[] {
  const longest = Math.max(...rows.map(({ model }) => oneLine(model).length), 5);
  const width = Math.max(5, Math.min(longest, columns - FIXED_COLUMNS));
  const line = (model: string, protocol: string, rule: string, counts: readonly string[]): string =>
    `${pad(fit(model, width), width)}  ${pad(protocol, 8)}  ${pad(rule, 10)}  ${counts.join('  ')}`;
  const heads = COUNTED.map((kind) => kind.padStart(Math.max(kind.length, 6)));
  const cells = (counts: ReparseCounts): readonly string[] =>
    COUNTED.map((kind, i) => {
      const text = (counts[kind] === 0 ? '·' : String(counts[kind])).padStart(known(heads[i], kind).length);
      return kind === 'same' || counts[kind] === 0 ? text : paint('yellow', text);
    });
  const body = rows.map((row, i) => {
    const above = i === 0 ? undefined : rows[i - 1];
    const isNewModel = row.model !== above?.model;
    const protocol = isNewModel || row.protocol !== above.protocol ? row.protocol : '';
    return line(isNewModel ? row.model : '', protocol, row.rung, cells(row));
  });
  const sum = rows.length > 1 ? [line('all', '', '', cells(total))] : [];
  return [paint('bold', line('model', 'protocol', 'rule', heads)), ...body, ...sum];
}

function section(
  tally: ReparseTally,
  kind: (typeof DIFFERENCES)[number],
  layout: ReparseLayout,
): readonly string[] {
  const examples = tally.examples(kind);
  if (examples.length === 0) return [];
  const { paint } = layout;
  const all = tally.total[kind];
  const shown = examples.length < all ? `${examples.length} of ${all}` : String(all);
  return [
    '',
    `${paint('bold', kind)} (${shown}): ${MEANING[kind]}`,
    ...examples.flatMap((one) => exampleLines(one, layout)),
  ];
}

function exampleLines(example: Example, { paint, columns }: ReparseLayout): readonly string[] {
  const { log, run, step, agent, attempt, protocol, model, reply, was, now } = example;
  const tries = attempt === 1 ? '' : `, attempt ${attempt}`;
  const where = `${log.endsWith(`#${run}`) ? log : `${log}#${run}`} step ${step}, ${agent}${tries}`;
  const about = [
    where,
    model,
    protocol,
    ...(now.rung === was.rung ? [] : [`${was.rung ?? 'none'} → ${now.rung ?? 'none'}`]),
  ];
  // The accepted text is in brackets, so that it is visible in a pipe too.
  const inside = reply.accepted === '' ? '' : `⟦${folded(reply.accepted)}⟧`;
  const text = `${folded(reply.before)}${inside}${folded(reply.after)}`.trim();
  return [
    `  ${paint('dim', fit(about.join(' · '), columns - 2))}`,
    ...labelled('reply', text === '' ? '(empty)' : text, columns),
    ...labelled('was', understoodText(was), columns),
    ...labelled('now', understoodText(now), columns),
  ];
}

/** Safe, and on one line; spaces at its ends are kept. */
function folded(text: string): string {
  return visibleText(text.replace(/\s+/g, ' '));
}

function understoodText({ intent, problem }: UnderstoodReply): string {
  if (intent !== null) return oneLine(intentText(intent));
  return problem === null ? 'nothing' : oneLine(`${problem.code}: ${problem.message}`);
}

function labelled(label: string, text: string, columns: number): readonly string[] {
  const lines = wrapped(text, Math.max(20, columns - 11));
  return lines.map((line, i) => `    ${pad(i === 0 ? label : '', 5)}  ${line}`);
}

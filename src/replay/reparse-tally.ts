/**
 * The totals of many replies that were parsed again: counts per model, protocol and rule, and a few examples
 * of each kind of difference. The size is bounded for any number of replies: rows and examples are limited,
 * and only the part of a reply around its answer is kept.
 */
import { assert } from '../base/assert.js';
import { compareText } from '../base/ids.js';
import { LIMITS } from '../base/limits.js';
import type { ReparseOutcome, ReadAgain, UnderstoodReply } from './reparse.js';

/** The number of replies by result. */
export type ReparseCounts = Readonly<Record<ReparseOutcome, number>>;

export interface ReparseRow extends ReparseCounts {
  /** `other models` beyond the maximum number of rows. */
  model: string;
  protocol: string;
  /** `none` if no rule ever parsed the reply. */
  rung: string;
}

/** The part of a reply that matters. */
export interface Excerpt {
  before: string;
  /** The text that was accepted as the answer; a native call as JSON; '' if there was none. */
  accepted: string;
  after: string;
}

export interface Example extends Pick<
  ReadAgain,
  'step' | 'agent' | 'call' | 'attempt' | 'model' | 'protocol' | 'comparison'
> {
  /** The log as the user named it, and the run in it. */
  log: string;
  run: string;
  reply: Excerpt;
  was: UnderstoodReply;
  now: UnderstoodReply;
}

const NONE: ReparseCounts = { same: 0, recovered: 0, lost: 0, changed: 0 };
const OTHERS = 'other models';

/** A live total: replies are added one by one. */
export class ReparseTally {
  readonly #rows = new Map<string, ReparseRow>();
  readonly #examples = new Map<string, Example[]>();
  readonly #maxExamples: number;
  /** Replies that were and are problems, but different ones. */
  changedMessages = 0;

  /** Keeps at most `examplesEach` examples of each kind for each row. */
  constructor(examplesEach: number) {
    assert(examplesEach >= 0, 'the number of examples must not be negative');
    this.#maxExamples = examplesEach;
  }

  add(reparsed: ReadAgain, source: { log: string; run: string }): void {
    const row = this.#rowOf(reparsed);
    const key = keyOf(row);
    this.#rows.set(key, { ...row, [reparsed.comparison]: row[reparsed.comparison] + 1 });
    if (reparsed.isToldOtherwise) this.changedMessages += 1;
    if (reparsed.comparison !== 'same') this.#addExample(reparsed, source, `${reparsed.comparison} ${key}`);
  }

  /** By model, protocol, rule. */
  get rows(): readonly ReparseRow[] {
    return [...this.#rows.values()].toSorted(
      (a, b) =>
        compareText(a.model, b.model) || compareText(a.protocol, b.protocol) || compareText(a.rung, b.rung),
    );
  }

  get total(): ReparseCounts {
    return this.rows.reduce(plus, NONE);
  }

  /** Of one kind, in the order of the first examples of the rows. */
  examples(comparison: ReparseOutcome): readonly Example[] {
    return [...this.#examples.values()].flat().filter((one) => one.comparison === comparison);
  }

  #rowOf({ model, protocol, rung }: ReadAgain): ReparseRow {
    const fresh = { model, protocol, rung: rung ?? 'none', ...NONE };
    const known = this.#rows.get(keyOf(fresh));
    if (known !== undefined) return known;
    if (this.#rows.size < LIMITS.reparseRows) return fresh;
    const other = { ...fresh, model: OTHERS };
    return this.#rows.get(keyOf(other)) ?? other;
  }

  #addExample(reparsed: ReadAgain, { log, run }: { log: string; run: string }, key: string): void {
    const examples = this.#examples.get(key) ?? [];
    if (examples.length >= this.#maxExamples) return;
    const { step, agent, call, attempt, model, protocol, comparison, was, now } = reparsed;
    const reply = excerptOf(reparsed);
    examples.push({ log, run, step, agent, call, attempt, model, protocol, comparison, reply, was, now });
    this.#examples.set(key, examples);
  }
}

function keyOf({ model, protocol, rung }: ReparseRow): string {
  return JSON.stringify([model, protocol, rung]);
}

function plus(sum: ReparseCounts, row: ReparseCounts): ReparseCounts {
  return {
    same: sum.same + row.same,
    recovered: sum.recovered + row.recovered,
    lost: sum.lost + row.lost,
    changed: sum.changed + row.changed,
  };
}

/** Around the current reading, otherwise the original one, otherwise the end, where answers usually are. */
function excerptOf({ reply, was, now }: ReadAgain): Excerpt {
  const { content, toolCalls } = reply;
  const maxLength = LIMITS.reparseExcerptUnits;
  const span = now.span ?? was.span;
  if (span === null) {
    const isCall = toolCalls.length > 0;
    const accepted = isCall ? cutAfter(JSON.stringify(toolCalls), maxLength) : '';
    return { before: cutBefore(content, maxLength), accepted, after: '' };
  }
  return {
    before: cutBefore(content.slice(0, span.start), maxLength / 2),
    accepted: cutAfter(content.slice(span.start, span.end), maxLength),
    after: cutAfter(content.slice(span.end), maxLength / 2),
  };
}

function cutBefore(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : `…${text.slice(-maxLength).toWellFormed()}`;
}

function cutAfter(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength).toWellFormed()}…`;
}

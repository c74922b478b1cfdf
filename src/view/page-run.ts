/**
 * One run as parts of a page: its head, then its steps in order, a few ticks at a time, so that a long run
 * neither fills the memory nor blocks other clients. The worlds are replayed from the log.
 */
import { goalText } from '../agent/goals.js';
import { WORLD_ID } from '../base/ids.js';
import type { AnnotationReader } from '../log/annotations.js';
import { agentPlayers } from '../trajectory/player-names.js';
import type { RunRecord, StepRecord } from '../trajectory/records.js';
import { changesOf, changeText } from '../replay/fork-changes.js';
import { notesFor, stepView } from '../replay/step-view.js';
import { ticksOf } from '../replay/ticks.js';
import type { StepsOfTick } from '../replay/ticks.js';
import { heldNames } from './held.js';
import { CallPacker } from './page-call.js';
import { packTiles, packWalk } from './packed-walk.js';
import type { PageLease, PageMark, PageRunHead, PageRunPart, PageStep } from './page-data.js';
import { RunScenes } from './run-scenes.js';
import type { RunSource } from './run-source.js';
import type { PageTables } from './tables.js';

/** Maximum length of each value that a fork changed, because menu entries must be short. */
const VALUE_CHARACTERS = 32;

export class RunPacker {
  readonly #source: RunSource;
  readonly #calls: CallPacker;
  readonly #scenes: RunScenes;
  readonly #tileset: number;
  #nextStep = 1;
  #isHeadSent = false;
  /** The end as it was sent last, as JSON. */
  #sentEnd = '';
  #hadMore = false;
  #marks: AnnotationReader | null = null;
  #sentLeases = 0;
  readonly #sentMarks = new Map<number, PageMark>();

  /** `tileset`: its index in the page's table. */
  constructor(source: RunSource, tables: PageTables, tileset: number) {
    this.#source = source;
    this.#tileset = tileset;
    this.#calls = new CallPacker(source, tables);
    this.#scenes = new RunScenes(source, tables);
  }

  /**
   * The next ticks, at most `ticks`; null if nothing is new. A tick that may still grow is held back unless
   * `isAll` is set.
   */
  part({
    ticks,
    isAll,
    marks,
  }: {
    ticks: number;
    isAll: boolean;
    /** The marks of the run's log; a different object only if they changed. */
    marks: AnnotationReader;
  }): PageRunPart | null {
    const { reader, run } = this.#source;
    // The end is read before the steps, so that records written meanwhile belong to the next part.
    const end = reader.end(run.runId);
    // The head comes before the steps, because scenes are computed in the order of the steps.
    const head = this.#isHeadSent ? {} : { head: this.#head() };
    const { read, hasMore } = this.#read(ticks, isAll || end !== null);
    const steps = read.flatMap((tick) => this.#steps(tick));
    const runEnd = end === null || hasMore ? null : { status: end.status, reason: end.reason };
    const newMarks = this.#newMarks(marks);
    const leases = this.#newLeases();
    const hasOtherChanges =
      newMarks.length > 0 ||
      leases.length > 0 ||
      hasMore !== this.#hadMore ||
      JSON.stringify(runEnd) !== this.#sentEnd;
    const isNew = !this.#isHeadSent || steps.length > 0 || hasOtherChanges;
    if (!isNew) return null;
    this.#isHeadSent = true;
    this.#sentEnd = JSON.stringify(runEnd);
    this.#hadMore = hasMore;
    return { id: run.runId, ...head, steps, end: runEnd, marks: newMarks, leases, hasMore };
  }

  #read(maxTicks: number, isWhole: boolean): { read: readonly StepsOfTick[]; hasMore: boolean } {
    const { reader, run } = this.#source;
    const read: StepsOfTick[] = [];
    const { order } = run.scenario.turns;
    for (const tick of ticksOf(reader.steps(run.runId, { from: this.#nextStep }), order)) {
      if (read.length === maxTicks) return { read, hasMore: true };
      read.push(tick);
    }
    // The world's own part of a turn is one step, but more agents' steps may still follow in the same tick.
    const mayGrow = order !== 'sequential' && read.at(-1)?.[0].agent !== WORLD_ID;
    if (!isWhole && mayGrow) read.pop();
    return { read, hasMore: false };
  }

  #newLeases(): readonly PageLease[] {
    const { reader, run } = this.#source;
    const all = reader.leases(run.runId);
    const newLeases = all.slice(this.#sentLeases);
    this.#sentLeases = all.length;
    return newLeases.map(({ entity, epoch, event, controller, tick }) => ({
      entity,
      epoch,
      event,
      controller,
      tick,
    }));
  }

  /**
   * The marks that changed since the last part. A step that a fork shares has the mark of its parent's step.
   */
  #newMarks(marks: AnnotationReader): readonly PageMark[] {
    if (marks === this.#marks) return [];
    this.#marks = marks;
    const { reader, run } = this.#source;
    const visible = reader
      .stretches(run.runId)
      .flatMap(({ runId, from, to }) => marks.ofRun(runId).filter(({ step }) => step >= from && step <= to));
    const current = new Map(
      visible.map(({ step, verdict, text }) => [step, { step, verdict, text }] as const),
    );
    const isSame = ({ step, verdict, text }: PageMark) => {
      const sent = this.#sentMarks.get(step);
      return sent?.verdict === verdict && sent.text === text;
    };
    const removed = [...this.#sentMarks.keys()].filter((step) => !current.has(step));
    const changes: readonly PageMark[] = [
      ...[...current.values()].filter((mark) => !isSame(mark)),
      ...removed.map((step) => ({ step, verdict: 'none', text: '' }) as const),
    ];
    for (const step of removed) this.#sentMarks.delete(step);
    for (const [step, mark] of current) this.#sentMarks.set(step, mark);
    return changes;
  }

  #head(): PageRunHead {
    const { reader, run, file } = this.#source;
    const { scenario } = run;
    const sessions = reader.sessions(run.runId);
    const leases = reader.leases(run.runId);
    const { scenes: start } = this.#scenes.after(0, []);
    return {
      id: run.runId,
      file,
      title: scenario.title,
      seed: run.seed,
      parent: run.parent === undefined ? null : { run: run.parent.runId, step: run.parent.step },
      change: run.parent === undefined ? '' : changeSummary(reader.run(run.parent.runId), run),
      agents: scenario.agents.map(({ id, name, goals }) => ({
        id,
        name,
        goals: goals.map(goalText),
        player: agentPlayers(sessions, id, leases),
      })),
      tileset: this.#tileset,
      skin: scenario.render.skin,
      cell: scenario.render.tilePixels,
      ruler: scenario.render.ruler,
      isCrowd: this.#scenes.isCrowd,
      start,
      isMapWhole: this.#scenes.isMapWhole,
      places: this.#source.environment.places?.() ?? [],
      hasCalls: true,
    };
  }

  #steps(tick: StepsOfTick): readonly PageStep[] {
    const [first] = tick;
    const last = tick.at(-1) ?? first;
    this.#nextStep = last.step + 1;
    const { scenes, asLogged } = this.#scenes.after(
      last.step,
      tick.map(({ agent }) => agent),
    );
    return tick.map((record) => ({ ...this.#step(record), tick: first.step, ...scenes, asLogged }));
  }

  #step(record: StepRecord): Omit<PageStep, 'tick' | 'map' | 'eyes' | 'asLogged'> {
    const { reader, run } = this.#source;
    const { step, turn, agent, events } = record;
    const names = Object.fromEntries(run.scenario.agents.map(({ id, name }) => [id, name]));
    const { acts, walks, said, notes } = stepView(record, { names });
    const calls = reader.calls(run.runId, step);
    return {
      step,
      turn,
      agent,
      acts,
      calls: calls.map((call) => this.#calls.pack(call)),
      holds: heldNames(calls.at(-1)?.request.observation.facts ?? {}),
      walks: walks.map(packWalk),
      said,
      notes: notesFor(notes, 'browser'),
      ...(record.timing === undefined ? {} : { timing: record.timing }),
      kinds: [...new Set(events.map(({ kind }) => kind))],
      places: packTiles(events.flatMap(({ at }) => at ?? [])),
    };
  }
}

/**
 * The first change, and how many more there are. A change of the kind of player shows in the players' names.
 */
function changeSummary(parent: RunRecord, fork: RunRecord): string {
  const changes = changesOf(parent, fork).filter(({ what }) => !what.endsWith('.controller.kind'));
  const [first] = changes;
  if (first === undefined) return '';
  const others = changes.length === 1 ? '' : ` and ${changes.length - 1} more`;
  return `${changeText(first, VALUE_CHARACTERS)}${others}`;
}

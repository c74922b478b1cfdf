/**
 * One run as parts of a page: its head, then its steps as they come, a few ticks at a time, so that a long run neither fills the memory nor
 * holds up whoever waits. In: a run's source and the page's tables; out: what is new. The worlds are made again from the log.
 */
import { wordsForPeople } from '../environment/own-failure.js';
import { LIMITS } from '../base/limits.js';
import type { Scene } from '../environment/scene.js';
import type { ActRecord, StepRecord } from '../log/records.js';
import { saidIn } from '../replay/film-speech.js';
import { ticksOf } from '../replay/ticks.js';
import type { Tick } from '../replay/ticks.js';
import { walksOf } from '../replay/walks.js';
import { CallPacker } from './page-call.js';
import type { PageAct, PageRunHead, PageRunPart, PageScenes, PageStep } from './page-data.js';
import type { RunSource } from './run-source.js';
import type { PageTables } from './tables.js';

export class RunPacker {
  readonly #source: RunSource;
  readonly #tables: PageTables;
  readonly #calls: CallPacker;
  readonly #tileset: number;
  #next = 1;
  #isOpened = false;
  /** As it was told last. */
  #end = '';

  /** `tileset`: its place in the page's table. */
  constructor(source: RunSource, tables: PageTables, tileset: number) {
    this.#source = source;
    this.#tables = tables;
    this.#tileset = tileset;
    this.#calls = new CallPacker(source, tables);
  }

  /** The next ticks, at most so many; null where nothing is new. A tick that may still grow waits, unless all that is there is wanted. */
  part({
    ticks,
    isAll,
  }: {
    readonly ticks: number;
    readonly isAll: boolean;
  }): (PageRunPart & { readonly hasMore: boolean }) | null {
    const { reader, run } = this.#source;
    // In this order: what is written meanwhile belongs to the next part.
    const end = reader.end(run.runId);
    const { read, hasMore } = this.#read(ticks, isAll || end !== null);
    const steps = read.flatMap((tick) => this.#steps(tick));
    const told = end === null || hasMore ? null : { status: end.status, reason: end.reason };
    const isNew = !this.#isOpened || steps.length > 0 || JSON.stringify(told) !== this.#end;
    if (!isNew) return null;
    const head = this.#isOpened ? {} : { head: this.#head() };
    this.#isOpened = true;
    this.#end = JSON.stringify(told);
    return { id: run.runId, ...head, steps, end: told, hasMore };
  }

  #read(most: number, isWhole: boolean): { readonly read: readonly Tick[]; readonly hasMore: boolean } {
    const { reader, run } = this.#source;
    const read: Tick[] = [];
    const { order } = run.scenario.turns;
    for (const tick of ticksOf(reader.steps(run.runId, { from: this.#next }), order)) {
      if (read.length === most) return { read, hasMore: true };
      read.push(tick);
    }
    if (!isWhole && order !== 'sequential') read.pop();
    return { read, hasMore: false };
  }

  #head(): PageRunHead {
    const { run, file } = this.#source;
    const { scenario } = run;
    return {
      id: run.runId,
      file,
      title: scenario.title,
      seed: run.seed,
      parent: run.parent === undefined ? null : { run: run.parent.runId, step: run.parent.step },
      agents: scenario.agents.map(({ id, name }) => ({ id, name, controller: nameOf(run.controllers[id]) })),
      tileset: this.#tileset,
      skin: scenario.render.skin,
      cell: scenario.render.tilePixels,
      ruler: scenario.render.ruler,
      start: this.#scenes(0).scenes,
    };
  }

  #scenes(step: number): { readonly scenes: PageScenes; readonly asLogged: boolean } {
    const { states, environment, run } = this.#source;
    const { state, isAsLogged } = states.at(step);
    const place = (scene: Scene | null) => (scene === null ? null : this.#tables.scene(scene));
    const map = environment.scene(state, null);
    const isShown = map !== null && map.width * map.height <= LIMITS.pageMapTiles;
    return {
      asLogged: isAsLogged,
      scenes: {
        // The map's marks are the names of its rooms, which would lie over what is to be seen.
        map: isShown ? place({ ...map, marks: [] }) : null,
        eyes: run.scenario.agents.map(({ id }) => place(environment.scene(state, id))),
      },
    };
  }

  #steps(tick: Tick): readonly PageStep[] {
    const [first] = tick;
    const last = tick.at(-1) ?? first;
    this.#next = last.step + 1;
    const { scenes, asLogged } = this.#scenes(last.step);
    return tick.map((record) => ({ ...this.#step(record), tick: first.step, ...scenes, asLogged }));
  }

  #step(record: StepRecord): Omit<PageStep, 'tick' | 'map' | 'eyes' | 'asLogged'> {
    const { reader, run } = this.#source;
    const { step, turn, agent, acts, events } = record;
    return {
      step,
      turn,
      agent,
      acts: acts.map(pageAct),
      calls: reader.calls(run.runId, step).map((call) => this.#calls.pack(call)),
      walks: walksOf([record]).map(({ actor, path }) => ({
        actor,
        path: path.flatMap(({ x, y }) => [x, y]),
      })),
      said: saidIn([record]),
      events: events.map(({ kind }) => kind).filter((kind) => kind !== 'said' && kind !== 'moved'),
    };
  }
}

function nameOf(controller: unknown): string {
  if (typeof controller !== 'object' || controller === null || !('name' in controller)) return '';
  return String(controller.name);
}

function pageAct({ call, reading, intent, result, insteadOf }: ActRecord): PageAct {
  const asked = intent === null ? '' : [intent.action, ...Object.values(intent.args)].join(' ');
  const span = reading?.span ?? null;
  return {
    call,
    words: reading?.ok === true ? reading.words : asked,
    rung: reading?.rung ?? null,
    span: span === null ? null : [span.start, span.end],
    ok: result.ok,
    message: result.ok ? result.message : wordsForPeople(result.problem),
    problem: result.ok ? null : result.problem.code,
    insteadOf: insteadOf === null ? null : `${insteadOf.code}: ${insteadOf.message}`,
  };
}

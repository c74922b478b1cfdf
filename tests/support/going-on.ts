/**
 * A run cut off where a kill would cut it: copies of its log as it lies on the disk after each thing that the loop does, and the run going on
 * from such a copy. In: a scenario; out: paths of logs, and how a run that goes on from one ends.
 */
import { copyFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { known } from '../../src/base/assert.js';
import type { Controller } from '../../src/agent/controller.js';
import { MODULES } from '../../src/worlds/registry.js';
import type { EnvironmentModule } from '../../src/worlds/environment-module.js';
import type { OpenedScenario } from '../../src/assembly/opened-scenario.js';
import { openLogged } from '../../src/assembly/open-logged.js';
import type { OpenLoggedOptions } from '../../src/assembly/open-logged.js';
import { prepare } from '../../src/assembly/play.js';
import type { PlayOptions } from '../../src/assembly/play.js';
import { stageOpener } from '../../src/assembly/stage.js';
import { LogReader } from '../../src/log/reader.js';
import type { RunEnd, RunRecord } from '../../src/trajectory/records.js';
import type { RunSink } from '../../src/trajectory/sink.js';
import { LogWriter } from '../../src/log/writer.js';
import { ownPast } from '../../src/replay/restored-history.js';
import { TurnOrchestrator } from '../../src/orchestrator/turn-orchestrator.js';
import { folderPerFile } from './folder.js';
import { NEVER_STOPPED, partsFor } from './play.js';
import type { PlayOptions as PartsOptions } from './play.js';

const folder = folderPerFile();
let files = 0;

export function newLog(): string {
  files += 1;
  return join(folder(), `going-on-${files}.sqlite`);
}

export interface CutOff {
  end: RunEnd;
  /** The log of the whole run. */
  path: string;
  /** Logs as a kill would leave them: after the first thing that was written, the second … */
  cuts: readonly string[];
  /** The log as it was when its end had just been written. */
  ended: string;
}

/** Plays to the end, and keeps what a kill would have left at each moment, but for the first `skipped`. */
export async function cutOff(text: string, options: PartsOptions = {}, skipped = 0): Promise<CutOff> {
  const path = newLog();
  const writer = new LogWriter(path);
  const cuts: string[] = [];
  let written = 0;
  const cut = (): void => {
    written += 1;
    if (written > skipped) cuts.push(copyOf(path));
  };
  let ended = '';
  const sink: RunSink = {
    ...after(writer, cut),
    end: (runId, record) => {
      writer.end(runId, record);
      ended = copyOf(path);
    },
  };
  const end = await new TurnOrchestrator(await partsFor(text, sink, options)).run(NEVER_STOPPED);
  writer.close();
  return { end, path, cuts, ended };
}

/** What lies on the disk just now. */
export function copyOf(path: string): string {
  const copy = newLog();
  for (const suffix of ['', '-wal'])
    if (existsSync(path + suffix)) copyFileSync(path + suffix, copy + suffix);
  return copy;
}

/** Passes everything on, and calls `then` after it. */
function after(sink: RunSink, then: () => void): RunSink {
  const tap =
    <A extends unknown[]>(call: (...args: A) => void) =>
    (...args: A): void => {
      call(...args);
      then();
    };
  return {
    begin: tap((...args) => sink.begin(...args)),
    resume: tap((...args) => sink.resume(...args)),
    request: tap((...args) => sink.request(...args)),
    reply: tap((...args) => sink.reply(...args)),
    probe: tap((...args) => sink.probe(...args)),
    outside: tap((...args) => sink.outside(...args)),
    step: tap((...args) => sink.step(...args)),
    flush: tap(() => sink.flush()),
    end: (runId, end) => sink.end(runId, end),
    onDurable: (listener) => sink.onDurable(listener),
  };
}

export interface GoOnOptions extends Omit<PlayOptions, 'goesOn'> {
  modules?: readonly EnvironmentModule[];
  root?: string;
  /** Called after each thing that is written. */
  onWrite?: () => void;
}

/** Scenarios that were opened before: the cuts of a run are all of the same one. */
const opened = new Map<string, Promise<OpenedScenario>>();

function openedOnce(run: RunRecord, options: OpenLoggedOptions): Promise<OpenedScenario> {
  const known = opened.get(run.runId) ?? openLogged(run, options);
  opened.set(run.runId, known);
  return known;
}

/** Goes on with the only run of a log, from the log alone. */
export async function goOn(path: string, options: GoOnOptions = {}): Promise<RunEnd> {
  const { modules = MODULES, root, onWrite = () => undefined } = options;
  const writer = new LogWriter(path);
  const reader = new LogReader(path);
  try {
    const { runId } = known(reader.runs().at(-1), 'a run');
    const run = reader.run(runId);
    const open = stageOpener({ modules });
    const past = ownPast({ reader, runId, open: (one) => open(one).environment });
    const prepared = await prepare(await openedOnce(run, { modules, root }), {
      ...options,
      goesOn: {
        past,
        kept: run.kept,
        adopt: ({ versions, controllers, startedAt }) => ({ ...run, versions, controllers, startedAt }),
      },
    });
    return await prepared.play(after(writer, onWrite));
  } finally {
    reader.close();
    writer.close();
  }
}

/** Answers in order, by the agent's memory of how many it gave: so it goes on where it was. */
export function remembering(answers: readonly string[], isRemote: boolean, asked: () => void): Controller {
  return {
    name: 'remembering',
    isRemote,
    decide: async ({ memory }) => {
      asked();
      const given = typeof memory === 'number' ? memory : 0;
      return { reply: replyOf(answers[given] ?? 'ACTION: WAIT'), memory: given + 1 };
    },
    answer: async () => {
      asked();
      return replyOf('what was said');
    },
  };
}

function replyOf(content: string) {
  return { ...EMPTY_REPLY, content };
}

const EMPTY_REPLY = {
  reasoning: null,
  toolCalls: [],
  finishReason: 'stop',
  model: null,
  usage: {
    promptTokens: 10,
    completionTokens: 5,
    cachedTokens: null,
    imageTokens: null,
    reasoningTokens: null,
  },
  raw: null,
  adaptations: [],
  latencyMs: 0,
  tries: [],
};

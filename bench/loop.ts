/**
 * The whole loop, measured from inside: `TurnOrchestrator` plays with the scripted controller into a real log, and every part that
 * it calls is wrapped by a stage's clock. In: a scenario's path, how many steps, and whether each is followed by its floors, which makes all else
 * slower. Out: the clock and the pace. What is played first warms up and is not counted.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { canonicalJson } from '../src/base/canonical.js';
import { WORLD_ID } from '../src/base/ids.js';
import type { Environment } from '../src/environment/environment.js';
import type { RunSink } from '../src/trajectory/sink.js';
import { LogWriter } from '../src/log/writer.js';
import type { Message } from '../src/model/chat.js';
import type { Painter, Seat } from '../src/orchestrator/run-context.js';
import { TurnOrchestrator } from '../src/orchestrator/turn-orchestrator.js';
import { drawFrame } from '../src/render/draw.js';
import { encodePng } from '../src/render/png.js';
import { median } from './figures.js';
import { bareContent, bareHash, bareObservation, barePixels, barePng, bareText } from './floors.js';
import { BareLog } from './log-floor.js';
import type { SetUp } from './set-up.js';
import { setUp } from './set-up.js';
import { StageClock } from './stage-clock.js';

export interface LoopFigures {
  readonly clock: StageClock;
  /** Steps of agents and of the world, over the time from the first to the last commit, opening and closing the log apart: by the wall. */
  readonly stepsPerSecond: number;
  /** Of the same steps, by mean: a busy machine does not stretch it, but it leaves out the wait for the disk. */
  readonly processorUs: number;
  readonly logBytesPerStep: number;
  /** What a run costs once, each by median: opening a new log, keeping the run's beginning in it, closing it. */
  readonly onceMs: Once;
}

interface Once {
  readonly open: number;
  readonly begin: number;
  readonly close: number;
}

export interface LoopAmounts {
  readonly steps: number;
  readonly warmUp: number;
  readonly withFloors: boolean;
}

/** Plays runs of different seeds until `steps` steps were measured, after as many as `warmUp` that were not. `folder` gets the logs. */
export async function measureLoop(
  path: string,
  { steps, warmUp, withFloors }: LoopAmounts,
  folder: string,
): Promise<LoopFigures> {
  const clock = new StageClock({ withFloors });
  const unused = new StageClock({ withFloors });
  const logOf = (run: string) => join(folder, `${withFloors ? 'beside' : 'alone'}-${run}.sqlite`);
  for (let run = 1; unused.steps < warmUp; run++)
    await play(await setUp(path, `warm-${run}`), { clock: unused, withFloors, log: logOf(`warm-${run}`) });
  let [played, milliseconds, cpuMs, bytes] = [0, 0, 0, 0];
  const once: Once[] = [];
  for (let run = 1; clock.steps < steps; run++) {
    const log = logOf(String(run));
    const one = await play(await setUp(path, String(run)), { clock, withFloors, log });
    played += one.steps;
    milliseconds += one.milliseconds;
    cpuMs += one.cpuMs;
    bytes += statSync(log).size;
    once.push(one.once);
  }
  return {
    clock,
    stepsPerSecond: (played / milliseconds) * 1000,
    processorUs: (cpuMs / played) * 1000,
    logBytesPerStep: bytes / played,
    onceMs: {
      open: median(once.map(({ open }) => open)),
      begin: median(once.map(({ begin }) => begin)),
      close: median(once.map(({ close }) => close)),
    },
  };
}

interface PlayOptions {
  readonly clock: StageClock;
  readonly withFloors: boolean;
  readonly log: string;
}

async function play(from: SetUp, { clock, withFloors, log }: PlayOptions) {
  const { scenario } = from;
  const bareLog = withFloors ? new BareLog(`${log}.bare`) : null;
  const [writer, open] = timed(() => new LogWriter(log));
  let begin = 0;
  const sink: RunSink = {
    ...timedSink(writer, clock, bareLog),
    begin: (run, initialState) => {
      [, begin] = timed(() => writer.begin(run, initialState));
      bareLog?.again()();
      // Once a run, and no step's.
      clock.beginStep();
    },
  };
  const parts = {
    run: from.recordOf('bench'),
    scenario,
    environment: timedEnvironment(from.environment, clock),
    seats: from.seats.map((seat) => timedSeat(seat, clock)),
    painter: timedPainter(from, clock),
    effectHandlers: {},
    sink,
    clock: { now: () => Date.now() },
    watcher: {},
  };
  const never = new AbortController().signal;
  const [began, cpuBegan] = [performance.now(), process.cpuUsage()];
  const { steps } = await new TurnOrchestrator(parts).run({ soft: never, hard: never });
  const milliseconds = performance.now() - began;
  const { user, system } = process.cpuUsage(cpuBegan);
  clock.dropStep();
  const [, close] = timed(() => writer.close());
  bareLog?.close();
  return { steps, milliseconds, cpuMs: (user + system) / 1000, once: { open, begin, close } };
}

/** What the work gives, and the milliseconds that it takes. */
function timed<T>(work: () => T): [T, number] {
  const from = performance.now();
  return [work(), performance.now() - from];
}

function timedEnvironment<S>(world: Environment<S>, clock: StageClock): Environment<S> {
  return {
    ...world,
    observe: (state, agent) => {
      const observation = clock.time('observe', () => world.observe(state, agent));
      clock.size('observe', () => canonicalJson(observation).length);
      clock.floor('observe', () => bareObservation(observation));
      clock.floor('log', () => bareContent(observation));
      return observation;
    },
    check: (state, intent) => clock.time('advance', () => world.check(state, intent)),
    advance: (state, intents) => {
      const advance = clock.time('advance', () => world.advance(state, intents));
      clock.size('advance', () => canonicalJson(advance.state).length);
      clock.floor('hash', () => bareHash(advance.state));
      return advance;
    },
    parts: (state) => clock.time('hash', () => world.parts(state)),
  };
}

function timedSeat(seat: Seat, clock: StageClock): Seat {
  const { composer, controller, protocol } = seat;
  return {
    ...seat,
    composer: {
      ...composer,
      turnText: (observation, problem) => {
        const text = clock.time('prompt', () => composer.turnText(observation, problem));
        clock.floor('prompt', () => bareText(text));
        return text;
      },
      messages: (past, text, picture) => {
        const messages = clock.time('prompt', () => composer.messages(past, text, picture));
        clock.size('prompt', () => textBytes(messages));
        return messages;
      },
    },
    controller: {
      ...controller,
      decide: (input, signal) => clock.timeAsync('decide', () => controller.decide(input, signal)),
    },
    protocol: {
      ...protocol,
      read: (reply, vocabulary) => {
        clock.size('parse', () => Buffer.byteLength(reply.content));
        return clock.time('parse', () => protocol.read(reply, vocabulary));
      },
    },
  };
}

function textBytes(messages: readonly Message[]): number {
  const texts = messages.flatMap(({ parts }) => parts.map((part) => (part.kind === 'text' ? part.text : '')));
  return Buffer.byteLength(texts.join(''));
}

function timedPainter({ scenario, tileset: own }: SetUp, clock: StageClock): Painter {
  const options = { cell: scenario.render.tilePixels, ruler: scenario.render.ruler };
  const tileset = own.skinned(scenario.render.skin);
  const files = new Map<string, Uint8Array>();
  return {
    describe: (name) => tileset.describe(name),
    paint: (scene) => {
      const frame = clock.time('draw', () => drawFrame(scene, tileset, options));
      const known = files.get(frame.hash);
      // As the painter of a run does: what was sent lately is not encoded again.
      const png = clock.time('encode', () => known ?? encodePng(frame));
      clock.floor('draw', () => barePixels(frame));
      if (known === undefined) clock.floor('encode', () => barePng(png));
      files.set(frame.hash, png);
      clock.size('draw', () => frame.indices.byteLength);
      clock.size('encode', () => png.length);
      return { png, hash: frame.hash };
    },
  };
}

function timedSink(sink: RunSink, clock: StageClock, bareLog: BareLog | null): RunSink {
  return {
    begin: (run, initialState) => sink.begin(run, initialState),
    resume: (run, firstStep) => sink.resume(run, firstStep),
    request: (call, durable) => clock.time('log', () => sink.request(call, durable)),
    reply: (runId, call, end, durable) => clock.time('log', () => sink.reply(runId, call, end, durable)),
    probe: (record) => clock.time('log', () => sink.probe(record)),
    outside: (record) => clock.time('log', () => sink.outside(record)),
    step: (record) => {
      clock.time('log', () => sink.step(record));
      if (bareLog !== null) clock.floor('log', () => bareLog.again());
      // A step ends where the next begins: its commit is the next one's first, as that one's is of the step after. The world's own is none.
      if (record.agent === WORLD_ID) clock.dropStep();
      else clock.endStep();
      clock.beginStep();
    },
    flush: () => clock.time('log', () => sink.flush()),
    end: (runId, end) => sink.end(runId, end),
    onDurable: (listener) => sink.onDurable(listener),
  };
}

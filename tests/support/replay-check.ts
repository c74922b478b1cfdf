/**
 * A run played again from its log alone: definition, seed and intents are read back, the world is opened anew, and whatever the log says of
 * a step is made again and compared: chain, observation, messages, frame, parts. Gives the first difference in words, or null.
 */
import { aided } from '../../src/agent/aids.js';
import { openMemory } from '../../src/agent/memories/open-memory.js';
import type { Memory } from '../../src/agent/memory.js';
import { notesOf } from '../../src/orchestrator/settle.js';
import { nudge, repeated } from '../../src/orchestrator/repeats.js';
import type { Repeats } from '../../src/orchestrator/repeats.js';
import { probeMessages, probesAt } from '../../src/orchestrator/probe.js';
import { readProbe } from '../../src/agent/probes/probes.js';
import { reflectionMessages } from '../../src/orchestrator/reflect.js';
import { canonicalJson } from '../../src/base/canonical.js';
import { known } from '../../src/base/assert.js';
import { quoted } from '../../src/base/text.js';
import type { Intent } from '../../src/environment/action.js';
import type { Environment } from '../../src/environment/environment.js';
import type { Observation } from '../../src/environment/observation.js';
import { stateHash } from '../../src/environment/state-hash.js';
import { moduleOf } from '../../src/assembly/environments.js';
import { environmentOf } from '../../src/assembly/open.js';
import { framePainter } from '../../src/assembly/painter.js';
import { seatsFor } from '../../src/assembly/seats.js';
import type { EnvironmentModule } from '../../src/assembly/environments.js';
import { messagesHash, stepChain, stepContent } from '../../src/log/chain.js';
import type { LoggedProbe } from '../../src/log/read-rows.js';
import { LogReader } from '../../src/log/reader.js';
import type { LoggedCall } from '../../src/log/reader.js';
import { WORLD_ID } from '../../src/base/ids.js';
import type { ActRecord, RunEnd, RunRecord, StepRecord } from '../../src/log/records.js';
import { systemDependencies } from '../../src/model/dependencies.js';
import type { Painter, Seat } from '../../src/orchestrator/parts.js';
import { repairMessages } from '../../src/orchestrator/repair.js';
import type { Broken } from '../../src/orchestrator/repair.js';
import type { Scenario } from '../../src/scenario/scenario.js';
import { loadTileset } from '../../src/render/tileset.js';

export interface Replayed {
  readonly steps: number;
  readonly frames: number;
  readonly difference: string | null;
}

interface Table {
  readonly environment: Environment<unknown>;
  readonly seats: readonly Seat[];
  readonly painter: Painter | null;
  readonly kept: RunRecord['kept'];
  readonly scenario: Scenario;
  readonly probes: readonly LoggedProbe[];
  readonly freeActs: number;
  readonly repeats: Scenario['turns']['repeats'];
}

/** Replays the only run of a log. */
export async function replayed(path: string, modules: readonly EnvironmentModule[]): Promise<Replayed> {
  const reader = new LogReader(path);
  try {
    const [summary] = reader.runs();
    const runId = known(summary, 'a run').runId;
    const run = reader.run(runId);
    const table = await tableFor(reader, runId, modules);
    const game = new Replay(table, run.seed, run.genesisHash);
    let steps = 0;
    for (const tick of ticksOf([...reader.steps(runId)], run.scenario.turns.order)) {
      const difference = game.play(tick.map((step) => ({ step, calls: reader.calls(runId, step.step) })));
      if (difference !== null) return { steps, frames: game.frames, difference };
      steps += tick.length;
    }
    const end = reader.end(runId);
    if (end !== null && canonicalJson(end.finalState) !== canonicalJson(game.state))
      return { steps, frames: game.frames, difference: 'the final state' };
    const difference = end === null ? null : game.lookBack(reader.asides(runId), end);
    return { steps, frames: game.frames, difference };
  } finally {
    reader.close();
  }
}

async function tableFor(
  reader: LogReader,
  runId: string,
  modules: readonly EnvironmentModule[],
): Promise<Table> {
  const { scenario, tileset, kept } = reader.run(runId);
  const environment = environmentOf(moduleOf(modules, scenario.environment), scenario);
  const hasPicture = environment.scene(environment.create(scenario.seed), null) !== null;
  const painter = hasPicture ? framePainter(scenario, await loadTileset(tileset, 'the log')) : null;
  const dependencies = systemDependencies(() => undefined);
  const { seats } = seatsFor({ scenario, environment, hasPicture: painter !== null, dependencies });
  return {
    environment,
    seats,
    painter,
    kept,
    scenario,
    probes: reader.probes(runId),
    ...scenario.turns,
  };
}

/** Steps that were decided from one state: each alone, or all agents of a turn. */
function ticksOf(steps: readonly StepRecord[], order: 'sequential' | 'simultaneous'): StepRecord[][] {
  const ticks: StepRecord[][] = [];
  for (const step of steps) {
    const last = ticks.at(-1)?.[0];
    const isSameTick =
      order === 'simultaneous' &&
      last !== undefined &&
      last.turn === step.turn &&
      last.agent !== WORLD_ID &&
      step.agent !== WORLD_ID;
    if (isSameTick) ticks.at(-1)?.push(step);
    else ticks.push([step]);
  }
  return ticks;
}

interface Logged {
  readonly step: StepRecord;
  readonly calls: readonly LoggedCall[];
}

class Replay {
  state: unknown;
  frames = 0;
  readonly #table: Table;
  readonly #pasts = new Map<string, Memory>();
  readonly #repeats = new Map<string, Repeats>();
  /** The free acts that a step's agent did, in order. */
  readonly #free = new Map<number, readonly Intent[]>();
  #chain: string;

  constructor(table: Table, seed: string, genesis: string) {
    this.#table = table;
    this.#chain = genesis;
    this.state = table.environment.create(seed);
  }

  play(tick: readonly Logged[]): string | null {
    for (const logged of tick) {
      const difference = this.#asked(logged);
      if (difference !== null) return `step ${logged.step.step}: ${difference}`;
    }
    this.#settle(tick);
    for (const { step, calls } of tick) {
      const parts = this.#table.environment.parts(this.state);
      if (canonicalJson(parts) !== canonicalJson(step.parts)) return `step ${step.step}: parts`;
      if (stateHash(parts) !== step.stateHash) return `step ${step.step}: state hash`;
      const listed = calls.filter(({ request }) => step.calls.includes(request.call));
      this.#chain = stepChain(this.#chain, stepContent(step, listed));
      if (this.#chain !== step.chain) return `step ${step.step}: chain`;
    }
    return null;
  }

  /** Every question after the end, made again. */
  lookBack(asides: readonly LoggedCall[], end: RunEnd): string | null {
    const { environment, seats, scenario, painter } = this.#table;
    for (const { request } of asides.filter(({ request: { purpose } }) => purpose === 'reflection')) {
      const seat = known(
        seats.find(({ spec }) => spec.id === request.agent),
        'a seat',
      );
      const observation = aided(environment.observe(this.state, request.agent), scenario, painter);
      if (canonicalJson(observation) !== canonicalJson(request.observation)) return 'a last observation';
      const messages = reflectionMessages(seat, this.#past(seat), end);
      if (messagesHash(messages) !== messagesHash(request.messages)) return 'a reflection';
    }
    return null;
  }

  #settle(tick: readonly Logged[]): void {
    const { environment } = this.#table;
    if (tick[0]?.step.agent === WORLD_ID) {
      this.state = environment.endTurn(this.state).state;
      return;
    }
    for (const { step } of tick)
      for (const intent of this.#free.get(step.step) ?? [])
        this.state = environment.advance(this.state, [intent]).state;
    const intents = tick.map(({ step }) => known(known(step.acts.at(-1), 'an act').intent, 'an intent'));
    this.state = environment.advance(this.state, intents).state;
  }

  /** The intent of a free act that the loop let happen on `view`, after `done` others; the record holds what came of it later. */
  #doneFreely(view: unknown, act: ActRecord | undefined, done: number): Intent | null {
    const { environment, freeActs } = this.#table;
    const intent = act?.intent ?? null;
    if (intent === null || environment.actions.get(intent.action)?.cost !== 'free') return null;
    return environment.check(view, intent) === undefined && done < freeActs ? intent : null;
  }

  /** Every request of a step, made again. */
  #asked({ step, calls }: Logged): string | null {
    const { environment, seats, painter, scenario } = this.#table;
    const seat = seats.find(({ spec }) => spec.id === step.agent);
    if (seat === undefined) return null;
    let view = this.state;
    let trouble = this.#nudge(step.agent);
    let text = '';
    let broken: Broken | null = null;
    const free: Intent[] = [];
    this.#recollect(seat, calls);
    const difference = this.#probed(seat, step, calls, trouble);
    if (difference !== null) return difference;
    for (const { request, end } of calls.filter(inTheGame)) {
      if (request.purpose === 'summary') {
        const past = this.#past(seat);
        if (messagesHash(past.wish() ?? []) !== messagesHash(request.messages)) return 'summary';
        this.#pasts.set(step.agent, past.digest(end?.kind === 'replied' ? end.reply.content : null));
        continue;
      }
      const observation = aided(environment.observe(view, step.agent), scenario, painter);
      if (canonicalJson(observation) !== canonicalJson(request.observation)) return 'observation';
      const picture =
        painter === null || observation.scene === null ? null : painter.paint(observation.scene);
      if ((picture?.hash ?? null) !== request.frameHash) return 'frame';
      if (picture !== null) this.frames += 1;
      const isRepair = request.purpose === 'repair';
      if (!isRepair) text = seat.composer.turnText(observation, trouble);
      const past = this.#past(seat).messages();
      const messages = isRepair
        ? repairMessages(known(broken, 'what is repaired'), seat.protocol)
        : seat.composer.messages(past, text, picture);
      if (messagesHash(messages) !== messagesHash(request.messages)) return 'messages';
      const act = step.acts.find(({ call }) => call === request.call);
      const reply = end?.kind === 'replied' ? end.reply.content : '';
      const intent = this.#doneFreely(view, act, free.length);
      trouble = act === undefined || intent !== null ? null : told(reply, act);
      broken = brokenBy(messages, end, act);
      if (intent === null) continue;
      free.push(intent);
      view = environment.advance(view, [intent]).state;
    }
    this.#free.set(step.step, free);
    this.#remember(seat, step, {
      text,
      reply: calls.findLast(inTheGame)?.end ?? null,
      observation: calls.findLast(inTheGame)?.request.observation,
    });
    return null;
  }

  /** Every question about what the agent sees, made again; those whose call failed were not kept. */
  #probed(seat: Seat, step: StepRecord, calls: readonly LoggedCall[], problem: string | null): string | null {
    const { environment, painter, scenario, probes } = this.#table;
    const asked = calls.filter(({ request }) => request.purpose === 'probe');
    if (asked.length === 0) return null;
    const observation = aided(environment.observe(this.state, step.agent), scenario, painter);
    const picture = painter === null || observation.scene === null ? null : painter.paint(observation.scene);
    const moment = { observation, step: step.step, hasPicture: picture !== null };
    const text = seat.composer.turnText(observation, problem);
    const made = probesAt(scenario, moment);
    if (made.length !== asked.length) return 'probes';
    for (const [i, probe] of made.entries()) {
      const { request, end } = known(asked[i], 'a probe');
      const messages = probeMessages(seat, { text, picture, probe });
      if (messagesHash(messages) !== messagesHash(request.messages)) return 'a probe';
      if (end?.kind !== 'replied') continue;
      const {
        runId,
        step: at,
        turn,
        agent,
        ...kept
      } = known(
        probes.find(({ call }) => call === request.call),
        `the probe of call ${request.call}`,
      );
      const again = { call: request.call, ...probe, ...readProbe(probe, end.reply) };
      if (canonicalJson(again) !== canonicalJson(kept))
        return `a probe of ${agent} in run ${runId}, ${turn}/${at}`;
    }
    return null;
  }

  #remember(
    seat: Seat,
    step: StepRecord,
    asked: {
      readonly text: string;
      readonly reply: LoggedCall['end'];
      readonly observation: Observation | undefined;
    },
  ): void {
    const { text, reply } = asked;
    if (reply?.kind !== 'replied') return;
    const last = known(step.acts.at(-1), 'an act');
    const replyText = seat.composer.replyText(last.reading);
    const turn = { turn: step.turn, text, reply: replyText, notes: notesOf(step.acts.slice(0, -1)) };
    this.#pasts.set(step.agent, this.#past(seat).remember(turn));
    if (last.intent !== null && asked.observation !== undefined && this.#table.repeats !== null)
      this.#repeats.set(step.agent, repeated(this.#repeats.get(step.agent), asked.observation, last.intent));
  }

  #nudge(agent: string): string | null {
    const { repeats } = this.#table;
    const now = this.#repeats.get(agent);
    return repeats !== null && now !== undefined && now.times >= repeats.times ? nudge(now).message : null;
  }

  /** A memory that wished for words and got none did without. */
  #recollect(seat: Seat, calls: readonly LoggedCall[]): void {
    const past = this.#past(seat);
    const got = calls.some(({ request }) => request.purpose === 'summary');
    if (past.wish() !== null && !got) this.#pasts.set(seat.spec.id, past.digest(null));
  }

  #past({ spec }: Seat): Memory {
    return this.#pasts.get(spec.id) ?? openMemory(spec.memory, this.#table.kept[spec.id] ?? null);
  }
}

/** Whether a call shaped its step; others only looked on. */
function inTheGame({ request }: LoggedCall): boolean {
  return ['act', 'repair', 'summary'].includes(request.purpose);
}

function brokenBy(
  messages: Broken['messages'],
  end: LoggedCall['end'],
  act: ActRecord | undefined,
): Broken | null {
  if (end?.kind !== 'replied' || act === undefined || act.result.ok) return null;
  return { messages, reply: end.reply, problem: act.result.problem };
}

function told(reply: string, act: ActRecord): string {
  const message = act.result.ok ? '' : act.result.problem.message;
  return reply.trim() === '' ? message : `You answered ${quoted(reply.slice(-600), 300)}. ${message}`;
}

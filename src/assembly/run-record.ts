/**
 * The record of a run before its first step: scenario, seed, versions, controllers, models. `prepareModels`
 * asks the models' servers over the network; everything else is computed from the parts of the run.
 */
import { randomBytes } from 'node:crypto';
import { PROMPT_VERSION } from '../agent/prompt.js';
import type { Json } from '../base/json.js';
import { LIMITS } from '../base/limits.js';
import { lookUp } from '../base/look-up.js';
import type { Environment } from '../environment/environment.js';
import { genesis } from '../trajectory/chain.js';
import type { RunRecord } from '../trajectory/records.js';
import { LOG_VERSION } from '../log/log-version.js';
import { FREE_FORM } from '../model/chat.js';
import type { OpenChatModel } from '../model/openai.js';
import type { Seat } from '../orchestrator/run-context.js';
import { PARSER_VERSION } from '../parse/protocols.js';
import { RENDER_VERSION } from '../render/draw.js';
import type { TilesetSource } from '../render/tileset.js';
import type { Scenario } from '../scenario/scenario.js';
import { isPartOfWorld } from '../scenario/world-part.js';
import { PROGRAM_VERSION } from './version.js';

/** Asks each model's server what it serves, before anything is logged. */
export async function prepareModels(
  models: ReadonlyMap<string, OpenChatModel>,
  signal: AbortSignal,
): Promise<Readonly<Record<string, { model: string; server: string | null }>>> {
  const entries: [string, { model: string; server: string | null }][] = [];
  for (const [name, model] of models) entries.push([name, await model.prepare(signal)]);
  return Object.fromEntries(entries);
}

export interface RunRecordOptions {
  scenario: Scenario;
  source: string;
  environment: Environment<unknown>;
  tileset: TilesetSource;
  seats: readonly Seat[];
  prepared: Awaited<ReturnType<typeof prepareModels>>;
  /** Memories from earlier runs, by agent. */
  kept: RunRecord['kept'];
  now: number;
  /** Null: an id that no other run has. */
  runId: string | null;
  /**
   * The name of the player of each agent without fixed replies; null: named after its model or controller.
   */
  player: string | null;
  /** By agent, the names of different players; absent for one. */
  seatPlayers?: Readonly<Record<string, string>> | undefined;
}

export function runRecord(options: RunRecordOptions): RunRecord {
  const { scenario, source, environment, tileset, seats, kept } = options;
  return {
    runId: options.runId ?? `${truncateName(scenario.name)}-${randomBytes(4).toString('hex')}`,
    source,
    scenario,
    seed: scenario.seed,
    versions: {
      program: PROGRAM_VERSION,
      log: LOG_VERSION,
      rules: environment.rulesVersion,
      parser: PARSER_VERSION,
      prompt: PROMPT_VERSION,
      render: RENDER_VERSION,
      node: process.version,
    },
    tileset,
    controllers: Object.fromEntries(seats.map((seat) => [seat.spec.id, controllerRecord(seat, options)])),
    kept,
    startedAt: options.now,
    genesisHash: genesis({
      scenario,
      seed: scenario.seed,
      rules: environment.rulesVersion,
      log: LOG_VERSION,
    }),
  };
}

/** Files are named after runs. */
export function truncateName(name: string): string {
  const { read } = new TextEncoder().encodeInto(name, new Uint8Array(LIMITS.fileNameBytes));
  return name.slice(0, read);
}

/** Everything that shapes the answers, so that a continued run can be compared with it. */
function controllerRecord(seat: Seat, { prepared, scenario, player, seatPlayers }: RunRecordOptions): Json {
  const { controller } = seat.spec;
  // A controller from the options replaces the scenario's model, which is then not asked.
  const model = controller.kind === 'model' ? controller.model : '';
  const preparedModel = lookUp(prepared, model);
  const guided = preparedModel === undefined ? 'off' : (lookUp(scenario.models, model)?.guided ?? 'off');
  const settings = seat.controller.settings?.(FREE_FORM) ?? null;
  const customParts = {
    ...(seat.protocol.name === seat.spec.protocol ? {} : { protocol: seat.protocol.name }),
    ...(seat.memory === undefined ? {} : { memory: 'own' }),
  };
  const answerSettings = {
    ...(settings === null ? {} : { settings }),
    ...(guided === 'off' ? {} : { guided }),
  };
  const seatPlayer = lookUp(seatPlayers, seat.spec.id);
  const names = seatPlayer === undefined ? { player } : { player: seatPlayer, lineup: player };
  const playerName = player === null || isPartOfWorld(seat.spec) ? {} : names;
  const part = seat.spec.part === undefined ? {} : { part: seat.spec.part };
  return {
    name: seat.controller.name,
    ...part,
    ...playerName,
    ...preparedModel,
    ...answerSettings,
    ...customParts,
  };
}

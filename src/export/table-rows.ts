/**
 * Rows of the tables about agents: where they are, what they did, its results, and what was said.
 */
import { canonicalJson } from '../base/canonical.js';
import { WORLD_ID } from '../base/ids.js';
import { lookUp } from '../base/look-up.js';
import type { Intent } from '../environment/action.js';
import type { Environment, InventoryItem } from '../environment/environment.js';
import type { Scene } from '../environment/scene.js';
import { BODY_LAYER } from '../environment/shared-tiles.js';
import { spokenIn } from '../environment/spoken.js';
import type { ActRecord } from '../trajectory/act.js';
import type { RunRecord, StepRecord } from '../trajectory/records.js';
import type { DeltaPosition } from './scene-deltas.js';
import type { TableRow } from './table-columns.js';

/** Bits of `status_bits`. */
const ON_THE_MAP = 1;
const IN_PLAY = 2;
const IDLE = 4;
const ASLEEP = 8;
const INCAPACITATED = 16;

export interface ActorMoment {
  run: RunRecord;
  turn: number;
  environment: Environment<unknown>;
  state: unknown;
  /** The scene of the whole map; null if the world has no picture. */
  scene: Scene | null;
  /** Where bodies faced after their last move, for worlds that do not say where they face. */
  walked: ReadonlyMap<string, number>;
}

/** Agents first, in the scenario's order, then other bodies in the order of the scene. */
export function actorRows({
  run,
  turn,
  environment,
  state,
  scene,
  walked,
}: ActorMoment): readonly TableRow<'actor_state'>[] {
  const active = environment.active(state);
  const agents = run.scenario.agents.map(({ id }) => id);
  const bodies = scene?.things.filter(({ layer }) => layer === BODY_LAYER) ?? [];
  const others = bodies.map(({ id }) => id).filter((id) => !agents.includes(id));
  return [...agents, ...others].map((id) => {
    const body = bodies.find((one) => one.id === id);
    const facing = environment.facing?.(state, id) ?? walked.get(id) ?? null;
    const bits =
      (body === undefined ? 0 : ON_THE_MAP) + (active.includes(id) ? IN_PLAY : 0) + signBits(scene, id);
    return {
      run_id: run.runId,
      tick_id: BigInt(turn),
      actor_id: id,
      x: body === undefined ? null : BigInt(body.x + (scene?.origin.x ?? 0)),
      y: body === undefined ? null : BigInt(body.y + (scene?.origin.y ?? 0)),
      status_bits: BigInt(bits),
      facing: facing === null ? null : BigInt(facing),
      name: body?.name ?? null,
      look: body?.sprite ?? null,
    };
  });
}

/** The state that the sign over a body shows. */
function signBits(scene: Scene | null, id: string): number {
  const has = (sign: string): boolean =>
    scene?.things.some((thing) => thing.id === `${id}-${sign}` && thing.sprite === `fx/${sign}`) === true;
  return (has('idle') ? IDLE : 0) + (has('asleep') ? ASLEEP : 0) + (has('incapacitated') ? INCAPACITATED : 0);
}

/** Who holds what, and how many are left: a row for each thing whose amount, name or holder changed. */
export class ItemChanges {
  readonly #runId: string;
  #known: ReadonlyMap<string, InventoryItem> = new Map();

  constructor(runId: string) {
    this.#runId = runId;
  }

  /** The changes since the tick before; a thing that is used up has the amount 0. */
  rows(turn: number, inventory: readonly InventoryItem[]): readonly TableRow<'items'>[] {
    const before = this.#known;
    this.#known = new Map(inventory.map((item) => [item.id, item]));
    const gone = [...before.values()].filter(({ id }) => !this.#known.has(id));
    return [...inventory, ...gone.map((item) => ({ ...item, amount: 0, holder: null }))]
      .filter(({ id, name, amount, holder }) => {
        const known = before.get(id);
        return known?.name !== name || known.amount !== amount || known.holder !== holder;
      })
      .map(({ id, name, amount, holder }) => ({
        run_id: this.#runId,
        tick_id: BigInt(turn),
        item_id: id,
        name,
        amount: BigInt(amount),
        holder_id: holder,
      }));
  }
}

/** Every action, including each refused attempt. */
export function actionRows(
  { runId, turn }: DeltaPosition,
  steps: readonly StepRecord[],
): readonly TableRow<'action_results'>[] {
  return steps
    .filter(({ agent }) => agent !== WORLD_ID)
    .flatMap(({ step, agent, acts, events }) =>
      acts.map((act) => ({
        run_id: runId,
        tick_id: BigInt(turn),
        step: BigInt(step),
        actor_id: agent,
        action_type: act.intent?.action ?? null,
        target_id: act.intent === null ? null : targetOf(act.intent),
        ok: act.result.ok,
        reason: act.result.ok ? null : act.result.problem.code,
        effects_json: effectsOf(act, act === acts.at(-1) ? events : []),
      })),
    );
}

/** Every payment, at the step in which it was made. */
export function rewardRows(
  { runId, turn }: DeltaPosition,
  steps: readonly StepRecord[],
): readonly TableRow<'rewards'>[] {
  return steps.flatMap(({ step, rewards }) =>
    Object.entries(rewards?.paid ?? {}).map(([agent, reward]) => ({
      run_id: runId,
      tick_id: BigInt(turn),
      step: BigInt(step),
      actor_id: agent,
      reward,
    })),
  );
}

const TARGET_SLOTS = ['target', 'thing', 'door', 'item', 'who'];

/** The id of the action's target; null if it had none. */
function targetOf({ args }: Intent): string | null {
  for (const slot of TARGET_SLOTS) {
    const value = lookUp(args, slot);
    if (typeof value === 'string') return value;
  }
  return null;
}

/**
 * Arguments, the message to the agent, the tiles walked, and the events of the step with the action that
 * settled it.
 */
function effectsOf({ intent, result }: ActRecord, events: StepRecord['events']): string {
  return canonicalJson({
    args: intent?.args ?? null,
    message: result.ok ? result.message : result.problem.message,
    path: result.ok ? result.path : null,
    events: events.map(({ kind, actor, at, data }) => ({ kind, actor, at, data })),
  });
}

/** With the speaker's position at the end of the turn, if it is on the map. */
export function utteranceRows(
  { runId, turn }: DeltaPosition,
  steps: readonly StepRecord[],
  scene: Scene | null,
): readonly TableRow<'utterances'>[] {
  return steps.flatMap(({ step, events }) =>
    events.flatMap((event) => {
      const spoken = spokenIn(event);
      if (spoken === null) return [];
      const { speaker, text } = spoken;
      const { channel } = event.data;
      const body = scene?.things.find(({ id }) => id === speaker);
      const position =
        event.at ??
        (body === undefined || scene === null
          ? null
          : { x: body.x + scene.origin.x, y: body.y + scene.origin.y });
      return [
        {
          run_id: runId,
          tick_id: BigInt(turn),
          step: BigInt(step),
          actor_id: speaker,
          channel: typeof channel === 'string' ? channel : null,
          text,
          x: position === null ? null : BigInt(position.x),
          y: position === null ? null : BigInt(position.y),
        },
      ];
    }),
  );
}

/** Follows a served world's list of entities for the runner, and notices whether the world can be reached. */
import { setTimeout as wait } from 'node:timers/promises';
import { UsageError } from '../../base/errors.js';
import { withEither } from '../../model/abort.js';
import type { Runner } from '../../runner/runner.js';
import { WorldGate } from '../../runner/world-gate.js';
import type { GateClock, WorldEvent } from '../../runner/world-gate.js';
import { mayRecover } from '../../serve/client/world-client.js';
import type { WorldClient } from '../../serve/client/world-client.js';
import { Control, RunState } from '../../serve/gen/orchestrate/world/v1/world_pb.js';
import type { Entity } from '../../serve/gen/orchestrate/world/v1/world_pb.js';

export interface WatchedWorld {
  client: WorldClient;
  run: string;
  clock: GateClock;
  onEvent: (event: WorldEvent) => void;
  /** Ends the watch. */
  signal: AbortSignal;
}

export class WorldWatch {
  readonly gate: WorldGate;
  readonly #client: WorldClient;
  readonly #run: string;
  readonly #signal: AbortSignal;
  readonly #over = new AbortController();
  #stream = new AbortController();

  constructor({ client, run, clock, onEvent, signal }: WatchedWorld) {
    this.#client = client;
    this.#run = run;
    this.#signal = signal;
    const ended = AbortSignal.any([signal, this.#over.signal]);
    this.gate = new WorldGate({
      ping: () => this.#ping(),
      onEvent: (event) => {
        onEvent(event);
        // If the world is gone, its stream may stay silent for a long time, so it is opened again; but not at once, because
        // the end of the run may be on its way.
        const stream = this.#stream;
        if (event.kind === 'world-gone') void clock.sleep(REOPEN_MS, ended).then(() => stream.abort());
      },
      signal: ended,
      clock,
    });
  }

  /**
   * Follows the entities until the run is over. A server that was killed may come back (`serve LOG
   * --resume`); meanwhile, the programs of its entities keep running. Throws if it does not come back in time,
   * or ends the list before the run.
   */
  async follow(runner: Pick<Runner, 'update'>): Promise<void> {
    const signal = this.#signal;
    for (;;) {
      this.#stream = new AbortController();
      try {
        await withEither([signal, this.#stream.signal], (either) => this.#reportEntities(runner, either));
        break;
      } catch (error) {
        if (signal.aborted) return;
        if (!mayRecover(error)) throw error;
        if (await this.gate.answers()) await wait(REOPEN_MS, undefined, { signal });
        else await this.gate.back();
      }
    }
    this.#over.abort();
    // A server whose last run is over answers no more.
    const world = await this.#client.world(this.#run, this.#signal).catch(() => null);
    if (world !== null && UNENDED.includes(world.state))
      throw new UsageError('the served world ended the list of its entities before the run was over');
  }

  async #reportEntities(runner: Pick<Runner, 'update'>, signal: AbortSignal): Promise<void> {
    for await (const { entity } of this.#client.entities(this.#run, signal))
      if (entity !== undefined) runner.update(entityState(entity));
  }

  /** A permanent refusal counts as an answer: the stream gets the same refusal and ends the runner. */
  async #ping(): Promise<void> {
    try {
      await this.#client.world(this.#run, this.#signal);
    } catch (error) {
      if (mayRecover(error)) throw error;
    }
  }
}

const REOPEN_MS = 500;

const UNENDED: readonly RunState[] = [RunState.WAITING, RunState.RUNNING, RunState.PAUSED];

export function entityState({ entity, tags, control }: Entity) {
  return { id: entity, tags, isControllable: control === Control.FREE || control === Control.HELD };
}

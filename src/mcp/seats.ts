/** The seats of a served world's MCP clients: who calls for which entity of which run, and the seat that answers. */
import { withEither } from '../model/abort.js';
import { OVER } from '../serve/clock.js';
import { harnessController } from '../trajectory/player-names.js';
import { requireControl } from '../serve/identity.js';
import type { Principal } from '../serve/identity.js';
import { ServeError } from '../serve/serve-error.js';
import type { ApiOptions } from '../serve/services/api-options.js';
import type { ServedRun } from '../serve/served-run.js';
import { McpSeat } from './seat.js';

/** Who calls, and for which entity: a client's requests are known by these, not by a connection. */
export interface McpCaller {
  run: ServedRun;
  entity: string;
  principal: string;
  /** As the client calls itself: `NAME/VERSION`. */
  client: string;
  /** The model that decides within the client, where its configuration says so. */
  model: string | null;
  /** Whether it acts with whole replies in the entity's protocol, instead of a tool for each action. */
  isReply: boolean;
}

export class McpSeats {
  readonly #options: ApiOptions;
  readonly #seats = new Map<string, McpSeat>();
  /** Calls in progress, for a cancellation that comes as a request of its own. */
  readonly #calls = new Map<string, AbortController>();

  constructor(options: ApiOptions) {
    this.#options = options;
  }

  /**
   * The run and the entity of a request. A client without a run's name stays in its run until it knows that it is over. Throws
   * ServeError.
   */
  placeOf(principal: Principal, named: { entity: string; run: string }): { run: ServedRun; entity: string } {
    const { world } = this.#options;
    const newest = world.run(named.run);
    const entity = named.entity === '' ? onlyEntity(principal, newest) : named.entity;
    requireControl(principal, entity);
    newest.gate(entity);
    if (named.run !== '') return { run: newest, entity };
    const playing = world.runs.find(
      (run) => this.#seats.get(keyOf(run, entity, principal.name))?.isPlaying === true,
    );
    return { run: playing ?? newest, entity };
  }

  /** The caller's seat; null if it has not taken it, or has left it. */
  of({ run, entity, principal }: McpCaller): McpSeat | null {
    const seat = this.#seats.get(keyOf(run, entity, principal));
    return seat === undefined || seat.hasLeft ? null : seat;
  }

  /**
   * The same, taking it first if necessary, with which a run begins that has not. Another client of the same identity takes its
   * place. Throws ServeError.
   */
  async take(caller: McpCaller): Promise<McpSeat> {
    const { run, entity, principal, client, model } = caller;
    await run.begin();
    const { clock, ttlMs, world } = this.#options;
    const controller = harnessController(client, model);
    const current = this.of(caller);
    if (current !== null && (current.holder.controller === controller || current.hasEnded)) return current;
    current?.leave();
    for (const [key, seat] of this.#seats)
      if (seat.hasLeft || !world.runs.includes(seat.holder.run)) this.#seats.delete(key);
    const seat = new McpSeat({ run, entity, controller, principal, ttlMs, clock });
    this.#seats.set(keyOf(run, entity, principal), seat);
    return seat;
  }

  /** Runs a call with a signal for its cancellation by its id, or by the end of its connection. */
  async cancellable<T>(
    caller: McpCaller,
    { id, signal }: { id: string | number; signal: AbortSignal },
    run: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const key = callKey(caller, id);
    const cancel = new AbortController();
    this.#calls.set(key, cancel);
    try {
      return await withEither([signal, cancel.signal], run);
    } finally {
      if (this.#calls.get(key) === cancel) this.#calls.delete(key);
    }
  }

  cancel(caller: McpCaller, id: unknown): void {
    this.#calls.get(callKey(caller, id))?.abort(OVER);
  }

  /** Resolves once every client knows that its run is over, or after a limited time: a client may never call again. */
  async untilTold(): Promise<void> {
    const { clock } = this.#options;
    const until = clock.monotonicMs() + LAST_CALL_MS;
    const owed = (): boolean => [...this.#seats.values()].some((seat) => seat.isPlaying);
    while (owed() && clock.monotonicMs() < until) await clock.sleep(CHECK_MS, NEVER);
  }
}

const LAST_CALL_MS = 300_000;
const CHECK_MS = 50;
const NEVER = new AbortController().signal;

function keyOf(run: ServedRun, entity: string, principal: string): string {
  return JSON.stringify([run.record.runId, entity, principal]);
}

function callKey({ entity, principal, client }: McpCaller, id: unknown): string {
  return JSON.stringify([entity, principal, client, id]);
}

function onlyEntity({ entities }: Principal, { served }: ServedRun): string {
  const possible = served.filter((entity) => entities === null || entities.includes(entity));
  const [only, other] = possible;
  if (only !== undefined && other === undefined) return only;
  throw new ServeError(
    'ENTITY_NOT_FOUND',
    `name the entity in the path: ${possible.map((one) => `/mcp/${one}`).join(', ')}`,
  );
}

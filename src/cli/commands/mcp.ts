/**
 * `mcp`: lets an agent harness (Claude Code, Codex, Cursor, any client of the Model Context Protocol) play one entity, over
 * this process's standard streams: of a scenario that this process serves and plays, or of a world that is
 * already served.
 */
import { UsageError } from '../../base/errors.js';
import type { ExitCode } from '../../base/errors.js';
import { meantOf } from '../../base/nearest.js';
import type { SeatAddress } from '../../mcp/stdio.js';
import { aborted } from '../../model/abort.js';
import type { Scenario } from '../../scenario/scenario.js';
import { WorldClient, worldUrl } from '../../serve/client/world-client.js';
import type { WorldAddress } from '../../serve/client/world-client.js';
import { Control } from '../../serve/gen/orchestrate/world/v1/world_pb.js';
import { ServedLogs } from '../../serve/served-logs.js';
import type { EnvironmentModule } from '../../worlds/environment-module.js';
import { KEYS } from '../options/allow-options.js';
import { command } from '../options/command-line.js';
import { loadOwnParts, MODULES } from '../options/modules.js';
import { anyText, flag, required, single, whole } from '../options/option.js';
import type { Chosen } from '../options/option.js';
import { CHANGES } from '../options/run-options.js';
import type { ServeOptions } from '../options/serve-options.js';
import { GUIDED, ROOT, SEED } from '../options/shared-options.js';
import { WORLD, worldAddress } from '../options/world-options.js';
import { keptAgents } from '../play/kept-agents.js';
import { OWN_RUN, serveUntilEnd } from '../play/serve-until-end.js';
import { openServed, openServedScenario } from '../play/served-runs.js';
import type { ServeHost } from '../play/served-runs.js';
import { listenForInterrupts } from '../terminal/interrupt.js';
import type { Io } from '../terminal/io.js';

const ARGUMENTS = { scenario: anyText('Scenario file (YAML) to serve and play; without it, give --world') };

const FOR_SCENARIO = {
  wait: single(
    'Other players come in over the network, too: how many entities must be held before the first turn, or all',
  ),
  listen: single('Address and port for them (127.0.0.1 and any free port by default)'),
  window: whole('How long a turn waits for its players, in ms (3600000 by default)', 1, 86_400_000),
  model: single('Model that plays the other agents'),
  'base-url': single('Address of the model server for the other agents'),
  ...GUIDED,
  ...KEYS,
  ...CHANGES,
  ...MODULES,
  ...ROOT,
  ...SEED,
  out: single('Path of the log (runs/… by default)'),
};

const { world: _address, ...ACCESS } = WORLD;
const FOR_WORLD = { run: single('Id of the run on the served world (default: the newest)'), ...ACCESS };

const OPTIONS = {
  as: required('The entity that the client plays'),
  reply: flag(
    'One tool, act, that takes a whole reply in the reply format of the entity, instead of a tool for each action',
  ),
  'harness-model': single('The model that decides within the client, for the log: clients do not tell'),
  world: single('Address of a served world, instead of a scenario: HOST:PORT, or a URL'),
  ...FOR_WORLD,
  ...FOR_SCENARIO,
};

type McpOptions = Chosen<typeof ARGUMENTS & typeof OPTIONS>;

const WINDOW_MS = 3_600_000;

export function mcpCommand(modules: readonly EnvironmentModule[]) {
  return command({
    examples: [
      [
        '$0 mcp scenarios/brass-key.yaml --as ranger',
        'serve it and play the ranger; the others play themselves',
      ],
      ['$0 mcp --world 127.0.0.1:50051 --as knight', 'play the knight of a world that is served'],
    ],
    arguments: ARGUMENTS,
    options: OPTIONS,
    run: async (options, io) => {
      const { scenario, world, as } = options;
      if (scenario !== undefined && world !== undefined)
        throw new UsageError('a served world has its own scenario: give a scenario or --world, not both');
      if (scenario === undefined && world === undefined)
        throw new UsageError(
          'mcp needs a scenario to serve and play, or --world with the address of a served world',
        );
      const [how, others] = world === undefined ? ['without', FOR_WORLD] : ['with', FOR_SCENARIO];
      const given: Readonly<Record<string, unknown>> = options;
      const foreign = Object.keys(others).find((name) => given[name] !== undefined);
      if (foreign !== undefined) throw new UsageError(`--${foreign} has no effect ${how} --world`);
      if (scenario === undefined) return playServed(options, io);
      const serveOptions: ServeOptions = {
        ...options,
        scenario,
        listen: options.listen ?? '127.0.0.1:0',
        pace: 'lockstep',
        tick: undefined,
        window: options.window ?? WINDOW_MS,
        ttl: undefined,
        staleness: undefined,
        keep: undefined,
        runs: 1,
        resume: false,
        'allow-host': undefined,
        tokens: undefined,
      };
      // The agent's texts name tools where tools are what it has.
      const change = (one: Scenario): Scenario => ({
        ...one,
        agents: one.agents.map((agent) =>
          agent.id === as && !options.reply && options.protocol === undefined
            ? { ...agent, protocol: 'tools' }
            : agent,
        ),
      });
      const parts = await loadOwnParts(options.modules, io, modules);
      // Standard output belongs to the protocol.
      const base = {
        options: options.wait === undefined ? { ...serveOptions, only: as } : serveOptions,
        io: { ...io, out: io.err },
        parts,
        logs: new ServedLogs(),
        change,
      };
      const opened = await openServedScenario(base, OWN_RUN);
      const kept = keptAgents(opened.scenario, serveOptions);
      requireSeat(
        opened.scenario.agents.map(({ id }) => ({ id, isOpen: !kept.includes(id) })),
        as,
      );
      return playOwn(options, { ...base, opened }, io);
    },
  });
}

/** Serves the scenario from the client's first message until the client has gone; its first call of a tool begins the run. */
async function playOwn(options: McpOptions, host: ServeHost, io: Io): Promise<ExitCode> {
  let serving: Promise<ExitCode> = Promise.resolve(0);
  const gone = new AbortController();
  const stopListening = io.onOutputClosed(() => gone.abort());
  const open = (): Promise<SeatAddress> =>
    new Promise((resolve, reject) => {
      serving = serveUntilEnd(
        host,
        (signal) => (request) => openServed(host, request, signal),
        async (address, signal) => {
          resolve(seatAddress(options, { address, token: null }));
          await Promise.race([aborted(signal), aborted(gone.signal)]);
        },
      );
      serving.catch(reject).finally(() => gone.abort());
    });
  try {
    await relay(open, io, gone.signal);
    gone.abort();
    return await serving;
  } finally {
    stopListening();
  }
}

async function playServed(options: McpOptions, io: Io): Promise<ExitCode> {
  const interrupts = listenForInterrupts(io, () => undefined);
  const listening = [io.onTerminate(interrupts.stopSoftly), io.onOutputClosed(interrupts.stopSoftly)];
  const signal = interrupts.stop.soft;
  try {
    const world = worldAddress({ ...options, world: options.world ?? '' }, io);
    // The user is told now whether there is such a world and such an entity: a client's own messages say less.
    const entities = await new WorldClient(world).listEntities(options.run ?? '', signal);
    requireSeat(
      entities.map(({ entity, control }) => ({ id: entity, isOpen: control !== Control.SERVER })),
      options.as,
    );
    await relay(() => Promise.resolve(seatAddress(options, world)), io, signal);
    return signal.aborted ? 130 : 0;
  } finally {
    for (const stopListening of listening) stopListening();
    interrupts.close();
  }
}

function requireSeat(entities: readonly { id: string; isOpen: boolean }[], as: string): void {
  const open = entities.flatMap(({ id, isOpen }) => (isOpen ? [id] : []));
  if (open.includes(as)) return;
  if (entities.some(({ id }) => id === as))
    throw new UsageError(`"${as}" is played by the server itself`, [`clients can play ${open.join(', ')}`]);
  throw new UsageError(`there is no entity "${as}" for --as`, [meantOf(as, open, 'the entities')]);
}

function seatAddress(
  { as, run, reply, 'harness-model': model }: McpOptions,
  world: WorldAddress,
): SeatAddress {
  const url = new URL(`mcp/${encodeURIComponent(as)}`, `${worldUrl(world)}/`);
  if (run !== undefined) url.searchParams.set('run', run);
  if (model !== undefined) url.searchParams.set('model', model);
  if (reply) url.searchParams.set('reply', '');
  return { url, world };
}

async function relay(open: () => Promise<SeatAddress>, io: Io, signal: AbortSignal): Promise<void> {
  const { relayStdio } = await import('../../mcp/stdio.js');
  await relayStdio({ open, input: io.stdin, write: (text) => io.out.write(text) }, signal);
}

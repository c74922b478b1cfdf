/**
 * `agent`: plays one entity of a served world, on this machine or another, with a model or a built-in player.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { UsageError } from '../../base/errors.js';
import type { ExitCode } from '../../base/errors.js';
import { openChatModel } from '../../model/openai.js';
import { systemDependencies } from '../../model/dependencies.js';
import { defaultModel } from '../../scenario/settings.js';
import type { ModelSpec } from '../../scenario/scenario.js';
import { playRemotely, modelPlayer } from '../../serve/client/remote-agent.js';
import type { Player } from '../../serve/client/remote-agent.js';
import { isLeaseExpired, usageError } from '../../serve/client/world-client.js';
import { scriptedPlayer } from '../../serve/client/scripted-player.js';
import { RunState } from '../../serve/gen/orchestrate/world/v1/world_pb.js';
import type { IntentAck, Observation } from '../../serve/gen/orchestrate/world/v1/world_pb.js';
import { oneLine } from '../../base/text.js';
import { scriptedController } from '../../worlds/scripted-controller.js';
import { command } from '../options/command-line.js';
import { KEYS } from '../options/allow-options.js';
import { oneOfOr, flag, single } from '../options/option.js';
import type { Chosen } from '../options/option.js';
import { confirmedAddresses } from '../options/server-keys.js';
import { BASE_URL, GUIDED } from '../options/shared-options.js';
import { variablesOf } from '../options/variables.js';
import { WORLD, worldClient } from '../options/world-options.js';
import { listenForInterrupts } from '../terminal/interrupt.js';
import type { Io } from '../terminal/io.js';
import { LineInput } from '../terminal/line-input.js';

const OPTIONS = {
  ...KEYS,
  ...WORLD,
  entity: () => ({
    type: 'string' as const,
    demandOption: true as const,
    describe: 'The entity to play',
    coerce: String,
  }),
  run: single('Id of the run on the server (default: the newest)'),
  name: single('Name under which the agent takes the lease'),
  controller: oneOfOr('model', ['model', 'scripted'], 'Who decides: a model, or the built-in player'),
  model: single('The model'),
  ...BASE_URL,
  ...GUIDED,
  quiet: flag('Print only the outcome'),
};

type AgentOptions = Chosen<typeof OPTIONS>;

export const agentCommand = command({
  examples: [
    ['$0 agent --entity knight --base-url http://localhost:8000/v1', 'a model plays the knight'],
    [
      '$0 agent --world 10.0.0.5:50051 --entity wizard --controller scripted',
      'the built-in player, on another machine',
    ],
  ],
  arguments: {},
  options: OPTIONS,
  run: playEntity,
});

/** A server whose leases end at once is not asked without a pause. */
const ACQUIRE_AGAIN_MS = 500;

/** Acquires a lease of the entity and plays until the run ends; if a lease expires, with a new one. */
async function playEntity(options: AgentOptions, io: Io): Promise<ExitCode> {
  const interrupts = listenForInterrupts(io, () => undefined);
  // A signal to terminate, as from a runner, also releases the lease at once.
  const stopListening = io.onTerminate(interrupts.stopSoftly);
  const signal = interrupts.stop.soft;
  const client = worldClient(options, io);
  const { entity, name, controller, model } = options;
  try {
    const world = await client.world(options.run ?? '', signal);
    const player = await openPlayer(options, io, signal);
    const playerName = controller === 'model' ? `model:${model ?? 'default'}` : controller;
    const onAck = (ack: IntentAck, observation: Observation): void => {
      if (!options.quiet) {
        // The server's text is untrusted: it is printed on one line, without control characters.
        const { accepted, action, message, problem, tick } = ack;
        const stale =
          tick > observation.tick ? ` (based on the observation of tick ${observation.tick})` : '';
        const outcome = accepted ? action : `${problem === '' ? 'refused' : problem}: ${message}`;
        io.out.write(`${oneLine(`T${tick}${stale} ${outcome}`)}\n`);
      }
    };
    for (;;) {
      const lease = await client.acquire({ run: world.run, entity, controller: name ?? playerName }, signal);
      io.out.write(
        `${oneLine(`${world.title}, run ${world.run}: playing ${entity} (lease ${lease.epoch})`)}\n`,
      );
      const leaseLost = new AbortController();
      const playEnded = new AbortController();
      const stop = AbortSignal.any([signal, leaseLost.signal]);
      client.keepAlive(lease, (error) => leaseLost.abort(error), AbortSignal.any([stop, playEnded.signal]));
      try {
        const { state, reason } = await playRemotely({ client, lease, player, onAck }, stop);
        io.out.write(`${oneLine(reason)}\n`);
        return state === RunState.SUCCEEDED || state === RunState.ENDED ? 0 : 1;
      } catch (error) {
        const cause: unknown = leaseLost.signal.aborted ? leaseLost.signal.reason : usageError(error);
        if (!isLeaseExpired(cause)) throw cause;
      } finally {
        // Otherwise the next renewal would keep the process alive.
        playEnded.abort();
        await client.release(lease).catch(() => undefined);
      }
      io.out.write('the lease expired; acquiring a new one\n');
      await wait(ACQUIRE_AGAIN_MS, undefined, { signal });
    }
  } catch (error) {
    if (signal.aborted) return 130;
    throw error;
  } finally {
    stopListening();
    interrupts.close();
  }
}

async function openPlayer(options: AgentOptions, io: Io, signal: AbortSignal): Promise<Player> {
  const { controller, model, 'base-url': baseUrl, guided, key } = options;
  if (controller === 'scripted') {
    if (model !== undefined || baseUrl !== undefined)
      throw new UsageError('--controller scripted plays without a model', [
        'leave out --model and --base-url',
      ]);
    return scriptedPlayer(scriptedController(), options.entity);
  }
  const defaultSpec = defaultModel();
  const spec: ModelSpec = {
    ...defaultSpec,
    baseUrl: baseUrl ?? defaultSpec.baseUrl,
    model: model ?? defaultSpec.model,
    guided: guided ?? defaultSpec.guided,
  };
  const keyAddresses = await confirmedAddresses(
    [spec],
    { key, baseUrl },
    { io, lines: new LineInput(io.stdin), signal },
  );
  const chatModel = openChatModel(spec, systemDependencies(variablesOf(io), keyAddresses));
  await chatModel.prepare(signal);
  return modelPlayer(chatModel);
}

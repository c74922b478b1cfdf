/**
 * The promises of a controller, as checks: it answers in time with a complete reply, keeps its state as JSON,
 * and stops on abort.
 */
import type { Controller, ControllerInput, Decision } from '../agent/controller.js';
import type { ScenarioSource } from '../scenario/folder.js';
import type { Json } from '../base/json.js';
import type { Reply } from '../model/chat.js';
import type { ProtocolName } from '../scenario/scenario.js';
import type { ConformanceCheck } from './check.js';
import { demand, demandSame, jsonOf, once, frozen } from './check.js';
import { parsedReply, replyContextOf } from './command-forms.js';
import { inTime } from './time-limit.js';
import { openScenario } from '../assembly/open.js';
import { framePainter } from '../assembly/painter.js';
import { scenarioFile } from '../scenario/folder.js';
import { seatsFor } from '../assembly/seats.js';
import { known } from '../base/assert.js';
import { systemDependencies } from '../model/dependencies.js';
import type { ReplyContext } from './command-forms.js';

// A small situation for a controller: an agent in a room with a key, as a run would present it, including the
// picture.

const ROOM: ScenarioSource = {
  title: 'A room with a key',
  map: '######\n#A..k#\n#....#\n######\n',
  legend: { A: { agent: 'ranger' }, k: { thing: 'key' } },
  rooms: { hall: { name: 'hall', from: [1, 1] } },
  things: { key: { name: 'brass key', kind: 'key' } },
  agents: [{ id: 'ranger', goals: ['Take the brass key.'] }],
};

/** The first turn of a scenario's first agent. */
async function sampleOf(source: ScenarioSource): Promise<{ input: ControllerInput; context: ReplyContext }> {
  const { scenario, environment, loaded, hasPicture } = await openScenario(scenarioFile(source));
  const painter = hasPicture ? framePainter(scenario, loaded.tileset) : null;
  const dependencies = systemDependencies(() => undefined);
  const { seats } = seatsFor({ scenario, environment, hasPicture: painter !== null, dependencies });
  const { spec, composer } = known(seats[0], 'an agent');
  const observation = environment.observe(environment.create(scenario.seed), spec.id);
  const picture = observation.scene === null ? null : (painter?.paint(observation.scene) ?? null);
  const messages = composer.messages([], composer.turnText(observation, null), picture);
  const form = composer.form(observation);
  const input = { agent: spec.id, turn: 1, attempt: 1, observation, messages, form, memory: null };
  // A picture's bytes can't be frozen, unlike everything else.
  return {
    input: { ...input, observation: frozen(observation), form: frozen(form) },
    context: replyContextOf(environment, observation),
  };
}

/** A controller to check. */
export interface ControllerUnderTest {
  /** Creates a new controller, whose only state is its memory. */
  open: () => Controller;
  /** The controller's protocol; by default `command`. */
  protocol?: ProtocolName;
  /**
   * The situation in which it has to decide: the first turn of the first agent. Default: a room with a key.
   */
  scenario?: ScenarioSource;
  /** The time limit for an answer; by default 10,000. */
  timeoutMs?: number;
  /** Whether the same question and memory always give the same answer. Default: yes, unless it is remote. */
  isRepeatable?: boolean;
}

const TIMEOUT_MS = 10_000;

/** The checks that every controller must pass. Each calls it once or twice. */
export function controllerSuite(spec: ControllerUnderTest): readonly ConformanceCheck[] {
  const sample = once(() => sampleOf(spec.scenario ?? ROOM));
  const timeoutMs = spec.timeoutMs ?? TIMEOUT_MS;
  const ask = (controller: Controller, input: ControllerInput): Promise<Decision> =>
    inTime(timeoutMs, 'the controller did not answer', (signal) => controller.decide(input, signal));
  return [
    {
      name: 'it gives a complete reply',
      run: async () => demandReply((await ask(spec.open(), (await sample()).input)).reply),
    },
    {
      name: 'its answer is understood',
      run: async () => {
        const { input, context } = await sample();
        const { reply } = await ask(spec.open(), input);
        const { problem } = parsedReply(reply.content, spec.protocol ?? 'command', context);
        demand(problem === null, `"${reply.content}" is not understood: ${problem?.message ?? ''}`);
      },
    },
    {
      name: 'its memory is JSON, and it keeps no other state',
      run: async () => checkMemory(spec, (await sample()).input, ask),
    },
    {
      name: 'it does not change its input',
      run: async () => {
        const { input } = await sample();
        const before = jsonOf(input.observation, 'an observation');
        await ask(spec.open(), input);
        demand(
          jsonOf(input.observation, 'an observation') === before,
          'the controller changed its observation',
        );
      },
    },
    {
      name: 'it stops when it is aborted',
      run: async () => checkAbort(spec.open(), (await sample()).input, timeoutMs),
    },
  ];
}

async function checkMemory(
  spec: ControllerUnderTest,
  input: ControllerInput,
  ask: (controller: Controller, input: ControllerInput) => Promise<Decision>,
): Promise<void> {
  const controller = spec.open();
  const first = await ask(controller, input);
  const memory = JSON.parse(jsonOf(first.memory, 'the memory is not JSON that a log can hold')) as Json;
  if (!(spec.isRepeatable ?? !controller.isRemote)) return;
  const continued = await ask(controller, { ...input, turn: 2, memory: first.memory });
  const restored = await ask(spec.open(), { ...input, turn: 2, memory });
  demandSame(
    restored.reply.content,
    continued.reply.content,
    'with the same memory, a new controller answers differently',
  );
  demandSame(
    restored.memory,
    continued.memory,
    'with the same memory, a new controller returns a different memory',
  );
}

/** It may still answer, or reject, but it must not run forever. */
async function checkAbort(controller: Controller, input: ControllerInput, timeoutMs: number): Promise<void> {
  const stop = new AbortController();
  await inTime(timeoutMs, 'the controller does not stop when it is aborted', async () => {
    const deciding = controller.decide(input, stop.signal).then(
      () => undefined,
      () => undefined,
    );
    stop.abort();
    await deciding;
  });
}

/** Throws if a reply lacks something that the loop and the log need. */
export function demandReply(reply: Reply): void {
  const isText = (value: unknown): boolean => value === null || typeof value === 'string';
  demand(typeof reply.content === 'string', 'the reply has no content; use "" for an empty reply');
  demand(
    isText(reply.reasoning) && isText(reply.raw) && isText(reply.model),
    'reasoning, raw and model must be text or null',
  );
  demand(
    reply.finishReason === 'stop' || reply.finishReason === 'tool_calls',
    `the finish reason is ${String(reply.finishReason)}; it must be stop or tool_calls`,
  );
  const calls = Array.isArray(reply.toolCalls) ? reply.toolCalls : null;
  demand(
    calls !== null &&
      calls.every((call) => typeof call.name === 'string' && typeof call.arguments === 'string'),
    'a tool call must have a name, and its arguments as text',
  );
  demand(
    Array.isArray(reply.adaptations) && Array.isArray(reply.tries),
    'adaptations and tries must be lists',
  );
  const counts = [...Object.values(reply.usage), reply.latencyMs];
  demand(
    counts.every((count) => count === null || (Number.isSafeInteger(count) && count >= 0)),
    'tokens and milliseconds must be whole numbers; tokens may be null',
  );
}

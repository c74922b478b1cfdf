/**
 * Models that think: what they answer is a function of what they are sent, when they answer is up to the test. So a run may be played with and
 * without asking ahead, and must come to the same. In: a run's parts; out: the same parts with such models at every seat.
 */
import { setImmediate as nextRound } from 'node:timers/promises';
import type { Controller, ControllerInput } from '../../src/agent/controller.js';
import { embeddedReply } from '../../src/agent/controllers/embedded-reply.js';
import { randomController } from '../../src/agent/controllers/random.js';
import { nextBelow, stream } from '../../src/base/rng.js';
import { messagesHash } from '../../src/trajectory/chain.js';
import type { CallRequest } from '../../src/trajectory/records.js';
import type { RunSink } from '../../src/trajectory/sink.js';
import { passThroughSink } from '../../src/trajectory/passing-sink.js';
import type { RunContext } from '../../src/orchestrator/run-context.js';

export interface ThinkOptions {
  /** Rounds of the event loop that a call takes, by its place among all calls and whether it is made ahead. */
  rounds?: (call: number, isEarly: boolean) => number;
  /** What is answered; by default something offered, now and then words that are no action, or speech. */
  answer?: (agent: string, turn: number) => string | null;
  /** Whether a call fails that is made ahead, by its place among all calls. */
  fails?: (call: number) => boolean;
  /** Hears of each call when it begins. */
  hears?: (input: ControllerInput, isEarly: boolean) => void;
  /** Agents that may not be asked ahead. */
  never?: readonly string[];
}

export interface Thinking {
  parts: RunContext<unknown>;
  /** By agent. */
  controllers: Readonly<Record<string, Controller>>;
  /** Every request in order. */
  requests: readonly CallRequest[];
  /** Calls that were being answered at the same time, at the most. */
  most: () => number;
}

export function thinking(parts: RunContext<unknown>, options: ThinkOptions = {}): Thinking {
  const { rounds = () => 3, answer = () => null, fails = () => false, never = [], hears } = options;
  const requests: CallRequest[] = [];
  let [now, most, calls] = [0, 0, 0];
  const vocabulary = parts.environment.actions.list();
  const controllerOf = (agent: string): Controller => ({
    name: 'thinking',
    isRemote: true,
    mayBeAskedAhead: !never.includes(agent),
    decide: async (input, signal) => {
      const call = (calls += 1);
      // Unknown where the controllers are seated elsewhere.
      const isEarly = requests.at(-1)?.purpose === 'speculation';
      hears?.(input, isEarly);
      now += 1;
      most = Math.max(most, now);
      try {
        const long = rounds(call, isEarly);
        for (let i = 0; i < long; i++) await nextRound(undefined, { signal });
        if (isEarly && fails(call)) throw new Error('the server said no');
        const said = answer(agent, input.turn) ?? (await anything(input));
        return { reply: { ...embeddedReply(said), usage: USAGE }, memory: input.memory };
      } finally {
        now -= 1;
      }
    },
  });
  const anything = async (input: Parameters<Controller['decide']>[0]): Promise<string> => {
    const seed = messagesHash(input.messages);
    const { value } = nextBelow(stream(seed, 'what'), 20);
    if (value === 0) return 'hm';
    if (value === 1) return 'ACTION: GO TO the moon';
    if (value < 4) return 'ACTION: SPEAK "Who is there?"';
    const random = randomController(seed, input.agent, vocabulary);
    const { reply } = await random.decide({ ...input, memory: null }, new AbortController().signal);
    return reply.content;
  };
  const sink: RunSink = {
    ...passThroughSink(parts.sink),
    request: (call, durable) => {
      requests.push(call);
      parts.sink.request(call, durable);
    },
  };
  const seats = parts.seats.map((seat) => ({ ...seat, controller: controllerOf(seat.spec.id) }));
  const controllers = Object.fromEntries(seats.map(({ spec, controller }) => [spec.id, controller]));
  return { parts: { ...parts, sink, seats }, controllers, requests, most: () => most };
}

const USAGE = {
  promptTokens: 10,
  completionTokens: 5,
  cachedTokens: null,
  imageTokens: null,
  reasoningTokens: null,
};

/** As many agents, each in a room of its own, or all in one. */
export function rooms(count: number, isOne: boolean, turns = 'max: 3'): string {
  const ids = Array.from({ length: count }, (_, i) => `a${i + 1}`);
  const wall = isOne ? '.' : '#';
  const row = (inner: (i: number) => string): string => `  #${ids.map((_, i) => inner(i)).join('')}#`;
  const edge = row(() => '####');
  const legend = ids.map((id, i) => `  ${String.fromCharCode(65 + i)}: { agent: ${id} }`);
  const areas = isOne
    ? [`  hall: { area: [1, 1, ${count * 4}, 2] }`]
    : ids.map((id, i) => `  of-${id}: { area: [${1 + i * 4}, 1, 3, 2] }`);
  return `title: Rooms
map: |
${edge}
${row((i) => `.${String.fromCharCode(65 + i)}.${wall}`)}
${row(() => `...${wall}`)}
${edge}
legend:
${legend.join('\n')}
rooms:
${areas.join('\n')}
agents:
${ids.map((id) => `  - { id: ${id}, sprite: figure/knight }`).join('\n')}
rules: { movement: tile }
turns: { ${turns} }
`;
}

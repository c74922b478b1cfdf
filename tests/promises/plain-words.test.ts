/**
 * With `rules.refusals: plain`, the default where only the picture is sent: two worlds that differ only in what it shows give an agent the same
 * words for the same replies, until an act of its own turns out differently: prompts, refusals, results, offers and forms, what is heard and
 * what happened, history, and the questions of probes.
 */
import { expect, it } from 'vitest';
import type { Controller, ControllerInput } from '../../src/agent/controller.js';
import { probesFor, probeText } from '../../src/agent/probes/probes.js';
import { PROBE_KINDS } from '../../src/scenario/scenario.js';
import type { ProbeKind } from '../../src/scenario/scenario.js';
import { embeddedReply } from '../../src/agent/controllers/embedded-reply.js';
import { TurnOrchestrator } from '../../src/orchestrator/turn-orchestrator.js';
import { MemorySink } from '../../src/trajectory/memory-sink.js';
import { NEVER_STOPPED, partsFor } from '../support/play.js';
import { SIZED, grouped, reached, sizeOf } from '../support/sizes.js';
import { picturedPair } from './pictured-pair.js';
import type { PicturedPair } from './pictured-pair.js';

interface Moment {
  /** All that is told in words, and how one may answer. */
  words: string;
  /** What the agent holds, which is told and shows what came of an act. */
  holds: string;
  /** By kind, the question that a probe would ask; none where the moment has no answer. */
  probes: Readonly<Record<string, string | undefined>>;
  /** Whether the reply was refused, tried in vain, or carried out. */
  outcome: string;
}

function wordsOf({ messages, form }: ControllerInput): string {
  const parts = messages.flatMap((message) => message.parts);
  const text = parts.flatMap((part) => (part.kind === 'text' ? [part.text] : []));
  const tools = form.tools.map((tool) => [tool.parameters, tool.guidedParameters]);
  return [...text, JSON.stringify([form.guided, tools])].join('\n');
}

function probesOf({ observation, turn, attempt }: ControllerInput): Moment['probes'] {
  const draw = (kind: ProbeKind) =>
    probesFor(
      { observation, hasPicture: true },
      { kinds: [kind], each: 1 },
      { seed: '1', label: `${turn}/${attempt}` },
    );
  return Object.fromEntries(PROBE_KINDS.map((kind) => [kind, draw(kind).map(probeText)[0]]));
}

async function momentsOf(
  yaml: string,
  replies: PicturedPair['replies'],
  set: readonly string[],
): Promise<readonly Moment[]> {
  const told: Omit<Moment, 'outcome'>[] = [];
  const kinds: string[] = [];
  const saying = (agent: 'ann' | 'bob'): Controller => {
    let next = 0;
    return {
      name: 'saying',
      isRemote: false,
      decide: async (input) => {
        if (agent === 'ann')
          told.push({
            words: wordsOf(input),
            holds: JSON.stringify(Object(input.observation.facts['self']).holds),
            probes: probesOf(input),
          });
        // What bob says must not depend on what he could do.
        const which = agent === 'ann' ? next++ : input.turn;
        return { reply: embeddedReply(replies[agent][which] ?? 'ACTION: WAIT'), memory: null };
      },
      judged: ({ kind }) => {
        if (agent === 'ann') kinds.push(kind);
      },
    };
  };
  const sink = new MemorySink();
  const parts = await partsFor(yaml, sink, { controllers: { ann: saying('ann'), bob: saying('bob') }, set });
  // Nobody looks, so nothing is painted.
  await new TurnOrchestrator({ ...parts, painter: null }).run(NEVER_STOPPED);
  const acts = sink.steps.filter(({ agent }) => agent === 'ann').flatMap((step) => step.acts);
  const own = acts.filter(({ call }) => call !== null);
  return told.map((moment, i) => ({ ...moment, outcome: `${kinds[i]} ${own[i]?.result.ok}` }));
}

/** Where the words part before the outcomes do; and how many moments were compared. */
async function comparePair(seed: number, set: readonly string[] = []) {
  const { scenarios, replies } = picturedPair(seed);
  const [one, other] = await Promise.all(scenarios.map((yaml) => momentsOf(yaml, replies, set)));
  let compared = 0;
  const asked: string[] = [];
  for (const [i, moment] of (one ?? []).entries()) {
    const same = other?.[i];
    if (same === undefined || same.holds !== moment.holds) break;
    compared += 1;
    if (same.words !== moment.words)
      return { leak: `pair ${seed}, call ${i}: ${difference(moment.words, same.words)}`, compared, asked };
    for (const kind of PROBE_KINDS) {
      const [question, another] = [moment.probes[kind], same.probes[kind]];
      if (question === undefined || another === undefined) continue;
      asked.push(kind);
      if (question !== another)
        return {
          leak: `pair ${seed}, call ${i}, ${kind}: ${difference(question, another)}`,
          compared,
          asked,
        };
    }
    if (same.outcome !== moment.outcome) break;
  }
  return { leak: null, compared, asked };
}

function difference(one: string, other: string): string {
  let place = 0;
  while (one[place] === other[place]) place += 1;
  const around = (text: string) => text.slice(Math.max(0, place - 150), place + 150);
  return `\n${around(one)}\n--\n${around(other)}`;
}

async function leaksIn(pairs: number, set: readonly string[] = []) {
  const found = { leaks: [] as string[], compared: 0, asked: [] as string[] };
  for (let seed = 0; seed < pairs && found.leaks.length < 3; seed++) {
    const { leak, compared, asked } = await comparePair(seed, set);
    if (leak !== null) found.leaks.push(leak);
    found.compared += compared;
    found.asked.push(...asked);
  }
  return found;
}

it('words tell nothing that only the picture shows', SIZED, async () => {
  const pairs = sizeOf('picturedPairs');
  const { leaks, compared, asked } = await leaksIn(pairs);
  expect(leaks).toEqual([]);
  expect(compared).toBeGreaterThan(3 * pairs);
  // A kind that nobody was asked in both worlds would prove nothing.
  for (const kind of PROBE_KINDS) expect(asked, kind).toContain(kind);
  reached('7 no leaks, words', `${grouped(pairs)} pairs of worlds, ${grouped(compared)} requests, 0 differ`);
});

it('full refusals tell it, so the pairs are worlds apart', async () => {
  expect((await leaksIn(20, ['rules.refusals=full'])).leaks).not.toEqual([]);
});

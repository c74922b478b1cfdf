/** Summaries and notes within a run: asked for beside the game, logged, part of the chain, told again in the next prompt. */
import { describe, expect, it } from 'vitest';
import { MemorySink } from '../../src/trajectory/memory-sink.js';
import type { CallRequest } from '../../src/trajectory/records.js';
import type { Message } from '../../src/model/chat.js';
import { partsFor, play } from '../support/play.js';
import { teller } from '../support/teller.js';
import type { Teller } from '../support/teller.js';
import { corridor } from './two-agents.js';

const memory = (kind: string): readonly string[] =>
  [`kind=${kind}`, 'turns_max=2', 'turns_kept=1'].map((one) => `agents.ann.memory.${one}`);

async function played(kind: string, ann: Teller): Promise<MemorySink> {
  const controllers = { ann, bob: teller({ words: null }) };
  return (await play(corridor('max: 6'), { controllers, set: memory(kind) })).sink;
}

function requests(sink: MemorySink): readonly CallRequest[] {
  return sink.entries.flatMap((entry) => (entry.kind === 'request' ? [entry.call] : []));
}

function texts(messages: readonly Message[] | undefined): string {
  return (messages ?? [])
    .flatMap(({ parts }) => parts.map((part) => (part.kind === 'text' ? part.text : '')))
    .join('\n');
}

describe('a summary', () => {
  it('is asked for when the history is over its limit, and stands in the next prompts', async () => {
    const ann = teller({ words: 'I stood in a hall.' });
    await played('summary', ann);
    expect(ann.asked).toHaveLength(2);
    expect(ann.acted.map((messages) => texts(messages).includes('I stood in a hall.'))).toEqual([
      false,
      false,
      false,
      true,
      true,
      true,
    ]);
  });

  it('is a call of its step with a purpose of its own, and its words are part of the chain', async () => {
    const [one, other] = [
      await played('summary', teller({ words: 'I stood.' })),
      await played('summary', teller({ words: 'I sat.' })),
    ];
    const summaries = requests(one).filter(({ purpose }) => purpose === 'summary');
    expect(summaries.map(({ step, turn, agent }) => [step, turn, agent])).toEqual([
      [10, 4, 'ann'],
      [16, 6, 'ann'],
    ]);
    for (const { step, call } of summaries)
      expect(one.steps.find((record) => record.step === step)?.calls).toContain(call);
    expect(one.steps[8]?.chain).toBe(other.steps[8]?.chain);
    expect(one.steps[9]?.chain).not.toBe(other.steps[9]?.chain);
  });

  it('that nobody can give leaves the run as a plain history would', async () => {
    const ann = teller({ words: null });
    const sink = await played('summary', ann);
    expect(requests(sink).every(({ purpose }) => purpose === 'act')).toBe(true);
    expect(texts(ann.acted.at(-1))).not.toContain('summary');
  });
});

describe('a note', () => {
  it('is read back every turn from then on, by the one who wrote it alone', async () => {
    const reply = (turn: number): string => (turn === 1 ? 'ACTION: NOTE "the coin is mine"' : 'ACTION: WAIT');
    const ann = teller({ words: null, reply });
    const { environment } = await partsFor(corridor(), new MemorySink());
    expect(environment.actions.get('NOTE')).toBeUndefined();
    let asked = 0;
    const once: Teller = {
      ...ann,
      decide: async (input, signal) => {
        asked += 1;
        return asked === 1 ? ann.decide(input, signal) : ann.decide({ ...input, turn: 0 }, signal);
      },
    };
    const bob = teller({ words: null });
    await play(corridor('max: 3'), { controllers: { ann: once, bob }, set: memory('notes') });
    const told = ann.acted.map((messages) => texts(messages).includes('- "the coin is mine"'));
    expect(told).toEqual([false, false, true, true]);
    // The same request again would be answered with the same note.
    expect(texts(ann.acted[1])).toContain('You wrote it down');
    expect(bob.acted.some((messages) => texts(messages).includes('the coin is mine'))).toBe(false);
  });
});

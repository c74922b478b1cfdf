/** Memory and requests: each request begins with the bytes of the one before, save where a block of the past is dropped. */
import { describe, expect, it } from 'vitest';
import { pastMessages, remembered } from '../../src/agent/memory.js';
import type { Past } from '../../src/agent/memory.js';

const SPEC = { kind: 'history', turnsMax: 5, turnsKept: 2 } as const;

/** The past before each of so many turns, as text. */
function requests(turns: number): readonly string[] {
  const texts: string[] = [];
  let past: readonly Past[] = [];
  for (let n = 1; n <= turns; n++) {
    past = remembered(SPEC, past, { text: `turn ${n}`, reply: `ACTION: WAIT ${n}` });
    texts.push(JSON.stringify(pastMessages(past)).slice(0, -1));
  }
  return texts;
}

describe('the past', () => {
  it('keeps its beginning between trims, and each trim pays for several turns', () => {
    const texts = requests(17);
    const cold = texts.slice(1).flatMap((text, i) => (text.startsWith(texts[i] ?? '') ? [] : [i + 2]));
    expect(cold).toEqual([6, 10, 14]);
  });

  it('holds text alone, what was asked before what was answered, and the same objects each time', () => {
    const past: readonly Past[] = [{ text: 'turn 1', reply: 'ACTION: WAIT' }];
    const messages = pastMessages(past);
    expect(messages).toEqual([
      { role: 'user', parts: [{ kind: 'text', text: 'turn 1' }] },
      { role: 'assistant', parts: [{ kind: 'text', text: 'ACTION: WAIT' }] },
    ]);
    expect(pastMessages([...past])[0]).toBe(messages[0]);
  });
});

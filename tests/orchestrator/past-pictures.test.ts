/** What an agent is shown of past turns: pictures in its memory, and those that it asks for with RECALL, with the pixels that were sent then. */
import { describe, expect, it } from 'vitest';
import type { Message } from '../../src/model/chat.js';
import { logged, verified } from '../replay/support.js';
import { LogReader } from '../../src/log/reader.js';
import { known } from '../../src/base/assert.js';
import { remembering } from '../support/going-on.js';
import { corridor } from './two-agents.js';

/** The requests to ann, in order: of each, the turn, and its parts as the log has them. */
async function requests(answers: readonly string[], set: readonly string[]) {
  const controllers = {
    ann: remembering(answers, false, () => undefined),
    bob: remembering(['ACTION: WAIT'], false, () => undefined),
  };
  const { path } = await logged(corridor('max: 4, free_acts: 3'), { controllers, set });
  expect((await verified(path)).difference).toBeNull();
  const reader = new LogReader(path);
  const { runId } = known(reader.runs()[0], 'a run');
  const calls = [...reader.steps(runId)].flatMap(({ step }) => reader.outlines(runId, step));
  const found = calls
    .filter(({ agent, purpose }) => agent === 'ann' && purpose === 'act')
    .map((outline) => outline.request())
    .map(({ turn, messages, frameHash }) => ({ turn, frameHash, messages }));
  reader.close();
  return found;
}

function told(messages: readonly Message[]): readonly string[] {
  return messages.flatMap(({ role, parts }) =>
    role === 'user' ? parts.map((part) => (part.kind === 'image' ? part.frameHash : part.text)) : [],
  );
}

const WALK = ['ACTION: GO EAST', 'ACTION: GO NORTH', 'ACTION: GO EAST', 'ACTION: GO NORTH'];

describe('pictures of past turns', () => {
  it('are sent again with the newest turns of the memory', async () => {
    const sent = await requests(WALK, ['agents.ann.memory.pictures=2']);
    // A turn may take several requests: what was sent last is what is remembered.
    const byTurn = new Map(sent.map(({ turn, frameHash }) => [turn, frameHash]));
    expect([...byTurn.keys()]).toEqual([1, 2, 3, 4]);
    expect(new Set(byTurn.values()).size).toBeGreaterThan(1);
    for (const { turn, frameHash, messages } of sent) {
      const shown = messages.flatMap(({ parts }) => parts.filter(({ kind }) => kind === 'image'));
      const past = [turn - 2, turn - 1].flatMap((one) => byTurn.get(one) ?? []);
      expect(shown.map((part) => part.kind === 'image' && part.frameHash)).toEqual([...past, frameHash]);
    }
  });

  it('are shown before the present one where the agent looks back, the newest where there are more', async () => {
    const back = ['ACTION: RECALL 1', 'ACTION: RECALL 2', 'ACTION: WAIT'];
    const sent = await requests(['ACTION: WAIT', 'ACTION: WAIT', ...back], ['agents.ann.memory.recalls=1']);
    const [first, second, third, again, last] = sent;
    const parts = (one: (typeof sent)[number] | undefined) => told(one?.messages.slice(-1) ?? []).slice(1);
    expect(parts(third)).toEqual([third?.frameHash]);
    expect(parts(again)).toEqual([
      'What you saw in turn 1:',
      first?.frameHash,
      'What you see now:',
      again?.frameHash,
    ]);
    expect(parts(last)).toEqual([
      'What you saw in turn 2:',
      second?.frameHash,
      'What you see now:',
      last?.frameHash,
    ]);
  });
});

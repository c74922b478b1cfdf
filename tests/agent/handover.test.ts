/** An agent that changes hands: who is asked, under which name, and what the own controller finds when it is asked again. */
import { describe, expect, it } from 'vitest';
import { handover } from '../../src/agent/controllers/handover.js';
import { humanController } from '../../src/agent/controllers/human.js';
import { embeddedReply } from '../../src/agent/controllers/embedded-reply.js';
import type { Controller } from '../../src/agent/controller.js';
import { corridor } from '../orchestrator/two-agents.js';
import { play } from '../support/play.js';

describe('a controller that a person may stand in for', () => {
  it('is asked in all other turns, and goes on where its memory was', async () => {
    const found: unknown[] = [];
    const own: Controller = {
      name: 'own',
      isRemote: false,
      decide: async ({ turn, memory }) => {
        found.push([turn, memory]);
        return { reply: embeddedReply('ACTION: WAIT'), memory: turn };
      },
      answer: async () => embeddedReply('words'),
    };
    let turn = 0;
    const person = { answer: async () => 'wait', hasTaken: () => turn === 2 };
    const ann = handover(own, humanController(person), () => person.hasTaken());
    const names: string[] = [];
    await play(corridor('max: 4'), {
      controllers: { ann },
      watcher: {
        turnStarted: (now) => {
          turn = now;
          names.push(`${ann.name} ${ann.isRemote} ${ann.answer === undefined}`);
        },
      },
    });
    expect(found).toEqual([
      [1, null],
      [3, 1],
      [4, 3],
    ]);
    expect(names).toEqual(['own false false', 'human true true', 'own false false', 'own false false']);
  });
});

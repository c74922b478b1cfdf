/**
 * Asking ahead as a user has it: the program over real HTTP, calls counted where the server sees them, killed and interrupted while some are
 * under way. Calls in flight are counted, never timed.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startFakeServer } from '../fake-server/server.mjs';
import { orchestrate } from '../support/captured-io.js';
import { answersOf } from '../support/chat-script.js';
import { runProgram } from '../support/children.js';
import { temporaryFolder } from '../support/folder.js';
import { playWithKills } from '../support/kills.js';
import { play } from '../support/play.js';
import { rooms } from '../support/thinkers.js';

const folder = temporaryFolder();

interface Document {
  chain_hash: string;
  steps: number;
  usage: { calls: number; wasted_calls: number };
}

/** Answers nobody before so many are here. */
function gathering(size: number): () => Promise<string> {
  let waiting: (() => void)[] = [];
  return async () => {
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
      if (waiting.length < size) return;
      for (const release of waiting) release();
      waiting = [];
    });
    return 'ACTION: WAIT';
  };
}

async function ran(reply: () => Promise<string>, speculate: string): Promise<Document> {
  const path = join(folder, 'rooms.yaml');
  writeFileSync(path, rooms(8, false, 'max: 3'));
  const server = await startFakeServer({ reply, images: 'any' });
  try {
    const out = ['--out', join(folder, `rooms-${speculate}.sqlite`), '--json'];
    const words = ['--base-url', server.baseUrl, '--set', `turns.speculate=${speculate}`, ...out];
    return JSON.parse((await runProgram(['run', path, ...words])).out) as Document;
  } finally {
    await server.close();
  }
}

describe('eight agents in rooms of their own', () => {
  it(
    'are at the server together, and the run is that of one after the other',
    { tags: ['long'] },
    async () => {
      const [ahead, plain] = [await ran(gathering(8), 'true'), await ran(gathering(1), 'false')];
      expect(ahead.usage).toMatchObject({ calls: 24, wasted_calls: 0 });
      expect(ahead.chain_hash).toBe(plain.chain_hash);
      const log = join(folder, 'rooms-true.sqlite');
      const verified = await orchestrate(['verify', log]);
      expect(verified.code, verified.err).toBe(0);
      const diff = await orchestrate(['diff', log, join(folder, 'rooms-false.sqlite'), '--json']);
      expect(JSON.parse(diff.out)).toMatchObject({ parting: null, told: null, answered: null });
    },
  );
});

describe('a run that asks ahead, in which some calls are in vain', { tags: ['long'] }, () => {
  const scenario = join(folder, 'crypt.yaml');
  const text = readFileSync('scenarios/crypt.yaml', 'utf8');
  writeFileSync(scenario, text.replace('turns: { max: 80 }', 'turns: { max: 80, speculate: true }'));

  it.each(['SIGKILL', 'SIGINT'] as const)(
    'and is stopped by %s again and again, ends as one that nobody touched',
    async (signal) => {
      const whole = await play(scenario);
      const answer = answersOf(whole.sink);
      const log = join(folder, `${signal}.sqlite`);
      const killed = await playWithKills({ scenario, log, answer, kills: 6, seed: signal, signal });
      expect(killed.kills).toBe(6);
      expect(JSON.parse(killed.ended.out)).toMatchObject({ chain_hash: whole.end.chain });
      const verified = await orchestrate(['verify', log]);
      expect(verified.code, verified.out + verified.err).toBe(0);
      const report = await orchestrate(['report', log]);
      expect(report.out).toMatch(/speculative calls? discarded, \d+ used/);
    },
  );
});

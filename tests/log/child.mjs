// A process of its own for the log's tests: writes tiny steps as fast as it can and prints "durable N CHAIN" once
// each is committed. Usage: node child.mjs LOG RUN_ID STEPS remote|embedded; needs the built package in dist/.
import { writeSync } from 'node:fs';
import { sha256 } from '../../dist/modules/base/canonical.js';
import { stepChain, stepContent } from '../../dist/modules/trajectory/chain.js';
import { LogWriter } from '../../dist/modules/log/writer.js';

const [path, runId, steps, mode] = process.argv.slice(2);
const isRemote = mode === 'remote';
const texts = { name: 'tiny', title: 'Tiny', description: '', seed: '1', environment: 'none' };
const scenario = {
  ...texts,
  agents: [
    {
      id: 'nyla',
      name: 'Nyla',
      persona: '',
      goals: [],
      controller: { kind: 'scripted' },
      protocol: 'command',
      memory: { kind: 'none', turnsMax: 1, turnsKept: 0, charactersMax: 100, notesMax: 1 },
      reflection: { when: 'never', question: null },
    },
  ],
  models: {},
  definition: {},
  turns: {
    order: 'sequential',
    max: 1,
    attempts: 1,
    givenUp: 'wait',
    freeActs: 0,
    repair: false,
    repeats: null,
  },
  budget: { steps: null, tokens: null, seconds: null, cost: null },
  render: {
    tilePixels: 16,
    columns: 3,
    rows: 3,
    tileset: null,
    channel: 'text',
    marks: false,
    legend: false,
    ruler: false,
    skin: 0,
  },
  prompt: { templates: {}, rules: '', offers: false, snapshot: false },
  probes: null,
};
const writer = new LogWriter(path);
writer.onDurable((step) => writeSync(1, `durable ${step.step} ${step.chain}\n`));

let chain = sha256('genesis');
writer.begin(
  {
    runId,
    source: '',
    scenario,
    seed: '1',
    versions: { program: '0', log: 2, rules: 1, parser: 1, prompt: 1, render: 1, node: '20' },
    tileset: { manifest: '', images: {} },
    controllers: {},
    kept: {},
    startedAt: 0,
    genesisHash: chain,
  },
  { n: 0 },
);
writeSync(1, 'begun\n');

for (let n = 1; n <= Number(steps); n++) {
  const call = {
    runId,
    call: n,
    step: n,
    turn: n,
    agent: 'nyla',
    attempt: 1,
    purpose: 'act',
    controller: mode,
    observation: {
      agent: 'nyla',
      turn: n,
      sections: [],
      scope: [],
      offered: [],
      nouns: [],
      facts: {},
      scene: null,
    },
    messages: [{ role: 'user', parts: [{ kind: 'text', text: `turn ${n} ${'x'.repeat((n * 37) % 3000)}` }] }],
    settings: null,
    frameHash: null,
    startedAt: 0,
  };
  const reply = {
    content: `ACTION: GO ${n}`,
    reasoning: null,
    toolCalls: [],
    finishReason: 'stop',
    model: null,
    usage: {},
    raw: null,
    adaptations: [],
    latencyMs: 0,
    tries: [],
  };
  const end = { kind: 'replied', reply, memory: null };
  writer.request(call, isRemote);
  writer.reply(runId, n, end, isRemote);
  const step = {
    runId,
    step: n,
    turn: n,
    agent: 'nyla',
    calls: [n],
    acts: [],
    events: [],
    stateHash: sha256(`state ${n}`),
    parts: {},
    chain: '',
    finishedAt: 0,
  };
  chain = stepChain(chain, stepContent(step, [{ request: call, end }]));
  writer.step({ ...step, chain });
}
writer.flush();
writeSync(1, 'written\n');
// Keeps the claim until it is told to stop.
process.stdin.once('data', () => {
  writer.close();
  process.exit(0);
});

/** Traces of runs that were not played in one go by this program: cut off at any moment and resumed, and played by harnesses of others over MCP. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LogReader } from '../../src/log/reader.js';
import { ROOM, harness, playOut } from '../mcp/harness.js';
import { corridor } from '../orchestrator/two-agents.js';
import { orchestrate } from '../support/captured-io.js';
import { temporaryFolder } from '../support/folder.js';
import { cutOff, goOn, remembering } from '../support/going-on.js';
import { servedWorld } from '../support/served-world.js';
import { SIZED, someOf } from '../support/sizes.js';
import { filesIn, jsonLines } from './runs.js';
import { documentsIn, messagesIn, textIn } from './trace-files.js';
import type { Atif } from './trace-files.js';

const cwd = temporaryFolder();
let outs = 0;

/** The files of both formats. */
async function exported(log: string) {
  const filesAs = async (format: string): Promise<Readonly<Record<string, Buffer>>> => {
    const out = `${format}-${outs++}`;
    const args = ['export', log, '--format', format, '--out', out];
    expect((await orchestrate(args, { cwd })).err).toBe('');
    return filesIn(join(cwd, out));
  };
  return { atif: await filesAs('atif'), traces: await filesAs('agent-traces') };
}

/** What a reader gets, but for the times. */
async function tracesOf(log: string) {
  const { atif, traces } = await exported(log);
  const untimed = (key: string, value: unknown): unknown => (key === 'timestamp' ? undefined : value);
  return {
    documents: JSON.parse(JSON.stringify(documentsIn(atif), untimed)) as Readonly<Record<string, Atif>>,
    sessions: ['ann', 'bob'].map((agent) =>
      JSON.stringify(jsonLines(traces[`train-00001-${agent}.jsonl`]), untimed),
    ),
    pictures: Object.entries({ ...traces, ...atif }).flatMap(([name, bytes]) =>
      name.startsWith('images/') ? [[name, bytes.toString('base64')]] : [],
    ),
  };
}

/** Every picture that a document names, as it lies beside it. */
function picturesOf(
  { steps }: Atif,
  files: Readonly<Record<string, Buffer>>,
): readonly (Buffer | undefined)[] {
  return steps.flatMap(({ message }) =>
    typeof message === 'string'
      ? []
      : message.flatMap(({ source }) => (source === undefined ? [] : [files[source.path]])),
  );
}

/** The pictures that an agent was sent, in order. */
function sentTo(log: string, agent: string): readonly Buffer[] {
  const reader = new LogReader(log);
  const runId = reader.runs()[0]?.runId ?? '';
  const steps = [...reader.steps(runId, { agent })];
  const sent = steps
    .flatMap(({ step }) => reader.calls(runId, step))
    .filter(({ request }) => request.agent === agent && request.purpose === 'act')
    .flatMap(({ request }) => request.messages.at(-1)?.parts ?? [])
    .flatMap((part) => (part.kind === 'image' ? [Buffer.from(part.png)] : []));
  reader.close();
  return sent;
}

describe('the trace of a resumed run', () => {
  it(
    'is that of the run that was not cut off: each message and each reply once, in order',
    SIZED,
    async () => {
      const controllers = {
        ann: remembering(
          ['hm', 'ACTION: GO EAST', 'ACTION: TAKE coin', 'ACTION: WAIT'],
          true,
          () => undefined,
        ),
        bob: remembering(['ACTION: READ sign', 'ACTION: WAIT', '???', 'ACTION: WAIT'], true, () => undefined),
      };
      const { cuts, path } = await cutOff(corridor('max: 3'), { controllers });
      const whole = await tracesOf(path);
      const [ann] = Object.values(whole.documents);
      const replies = ann?.steps.filter(({ source }) => source === 'agent').map(({ message }) => message);
      expect(replies).toEqual(['hm', 'ACTION: GO EAST', 'ACTION: TAKE coin', 'ACTION: WAIT']);
      expect(whole.pictures.length).toBeGreaterThan(4);
      const chosen = someOf(cuts, 'cuts');
      expect(chosen.length).toBeGreaterThan(5);
      let askedAgain = 0;
      for (const [i, cut] of chosen.entries()) {
        await goOn(cut, { controllers });
        expect(await tracesOf(cut), `cut ${i}`).toEqual(whole);
        const reader = new LogReader(cut);
        const runId = reader.runs()[0]?.runId ?? '';
        expect(reader.sessions(runId)).toHaveLength(2);
        const calls = [...reader.steps(runId)].flatMap(({ step }) => reader.outlines(runId, step));
        askedAgain += calls.filter(({ end }) => end === null).length;
        reader.close();
      }
      // Some of the cuts left a request without an answer, which was sent again.
      expect(askedAgain).toBeGreaterThan(0);
    },
  );
});

describe('the trace of a harness', () => {
  it('names it as the agent, and has its calls and the pictures that it was sent', async () => {
    const world = await servedWorld(ROOM, {
      waitFor: 2,
      pace: { kind: 'lockstep', periodMs: 0, windowMs: 1e9 },
      ttlMs: 1e9,
    });
    const ann = await harness(world.address, 'ann?model=lab/seer', { name: '@makers/coder' });
    const bob = await harness(world.address, 'bob', { name: 'other-coder' });
    const plan = [['go', { direction: 'south' }], ['go', { direction: 'north' }], ['wait']] as const;
    let next = 0;
    await Promise.all([playOut(ann, () => plan[next++] ?? ['wait']), playOut(bob, () => ['wait'])]);
    await world.run.ended;
    const { atif, traces } = await exported(world.log);
    const [named, other] = ['ann', 'bob'].map((agent) => documentsIn(atif)[`train-00001-${agent}.json`]);
    const version = expect.stringMatching(/^\d+\.\d+\.\d+/) as string;
    expect(named).toMatchObject({
      agent: { name: '@makers/coder', version: '1.2', model_name: 'lab/seer' },
      extra: { orchestrate: { player: 'mcp:@makers/coder/1.2 with lab/seer', program_version: version } },
    });
    expect(other?.agent).toMatchObject({ name: 'other-coder', version: '1.2' });
    const steps = named?.steps ?? [];
    expect(steps.map(({ step_id: id }) => id)).toEqual(steps.map((_, i) => i + 1));
    const said = steps.filter(({ source }) => source === 'agent');
    expect(said.flatMap(({ tool_calls: calls }) => calls?.map((call) => call.function_name))).toEqual([
      'GO',
      'GO',
      'WAIT',
      'WAIT',
    ]);
    // Nobody knows how many models it asked.
    expect(said.flatMap(({ llm_call_count: count }) => count ?? [])).toEqual([]);
    const turns = steps.filter(({ source }) => source === 'user').map((step) => textIn(step).split('.')[0]);
    expect(turns).toEqual(['Turn 1', 'Turn 2', 'Turn 3', 'Turn 4']);
    const sent = sentTo(world.log, 'ann');
    expect(sent).toHaveLength(4);
    expect(named === undefined ? [] : picturesOf(named, atif)).toEqual(sent);

    const session = traces['train-00001-ann.jsonl'];
    expect(jsonLines(session)[0]).toMatchObject({
      type: 'session',
      harness: '@makers/coder',
      orchestrate: { player: 'mcp:@makers/coder/1.2 with lab/seer', program_version: version },
    });
    const told = messagesIn(session).filter(({ role }) => role === 'user');
    const linked = told.flatMap(({ content }) => /!\[picture\]\(([^)]*)\)/.exec(content)?.[1] ?? []);
    expect(linked.map((path) => traces[path])).toEqual(sent);
  });
});

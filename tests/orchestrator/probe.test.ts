/** Probes within a run: when they are asked, with what, that the log keeps how they went, and that nothing else changes. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { at } from '../../src/base/assert.js';
import { ModelError } from '../../src/base/errors.js';
import { LogReader } from '../../src/log/reader.js';
import { LogWriter } from '../../src/log/writer.js';
import type { MemorySink } from '../../src/trajectory/memory-sink.js';
import type { CallRequest } from '../../src/trajectory/records.js';
import { TurnOrchestrator } from '../../src/orchestrator/turn-orchestrator.js';
import { LIBRARY_YAML } from '../support/library-scenario.js';
import { libraryModule } from '../support/library-world.js';
import { orchestrate } from '../support/captured-io.js';
import { temporaryFolder } from '../support/folder.js';
import { NEVER_STOPPED, partsFor, play } from '../support/play.js';
import { verified } from '../replay/support.js';
import { teller, textOf } from '../support/teller.js';
import { corridor } from './two-agents.js';

const folder = temporaryFolder();
const EVERY = ['probes.every=2', 'probes.each=3'];
const two = (words: string | null = 'no') => ({ ann: teller({ words }), bob: teller({ words: null }) });

function probes(sink: MemorySink): readonly CallRequest[] {
  return sink.entries.flatMap((entry) =>
    entry.kind === 'request' && entry.call.purpose === 'probe' ? [entry.call] : [],
  );
}

describe('probes', () => {
  it.each(['sequential', 'simultaneous'])('leave steps, state and chain as they are: %s', async (order) => {
    const set = [`turns.order=${order}`, 'turns.max=5'];
    const plain = await play(corridor(), { controllers: two(), set });
    const probed = await play(corridor(), { controllers: two(), set: [...set, ...EVERY] });
    expect(probes(probed.sink).length).toBeGreaterThan(5);
    expect(probed.end).toEqual(plain.end);
    const chains = (sink: MemorySink) => sink.steps.map(({ chain }) => chain);
    expect(chains(probed.sink)).toEqual(chains(plain.sink));
    expect(probed.parts.run.genesisHash).toBe(plain.parts.run.genesisHash);
  });

  it('are asked in the turns and at the steps that the scenario says, of agents that can answer', async () => {
    const asked = async (probing: string) =>
      probes((await play(`${corridor('max: 5')}probes: {${probing}}\n`, { controllers: two() })).sink).map(
        ({ turn, agent }) => [turn, agent],
      );
    expect(await asked('every: 2')).toEqual([1, 3, 5].map((turn) => [turn, 'ann']));
    expect(await asked('steps: [4, 5, 13]')).toEqual([2, 5].map((turn) => [turn, 'ann']));
  });

  it('show the text and picture of the call that follows, without past and answer format, and are not remembered', async () => {
    const controllers = two();
    const { sink } = await play(corridor('max: 3'), { controllers, set: EVERY });
    const [, , , later] = probes(sink);
    const acting = sink.entries.flatMap((entry) => (entry.kind === 'request' ? [entry.call] : []));
    const act = at(
      acting.filter((call) => call.step === later?.step && call.purpose === 'act'),
      0,
    );
    expect(later?.frameHash).toBe(act.frameHash);
    expect(later?.messages.map(({ role }) => role)).toEqual(['system', 'user']);
    expect(later?.messages.at(-1)?.parts.map(({ kind }) => kind)).toEqual(['text', 'text', 'image']);
    expect(later?.messages.at(-1)?.parts[0]).toEqual(act.messages.at(-1)?.parts[0]);
    expect(textOf(later?.messages.slice(0, 1))).not.toContain('ACTION:');
    expect(acting.indexOf(act)).toBeGreaterThan(acting.findIndex((call) => call === later));
    for (const messages of controllers.ann.acted) expect(textOf(messages)).not.toContain('Answer with');
    expect(sink.steps.flatMap(({ calls }) => calls)).not.toContain(later?.call);
  });

  it('whose model fails leave the run alone', async () => {
    const ann = teller({
      words: () => {
        throw new ModelError('too long', { isRetryable: false });
      },
    });
    const { end, sink } = await play(corridor('max: 2'), { controllers: { ann, bob: ann }, set: EVERY });
    expect(end.status).toBe('ended');
    expect(sink.entries.some(({ kind }) => kind === 'probe')).toBe(false);
  });

  it('work in a world without a picture', async () => {
    const text = LIBRARY_YAML.replace(/ {4}replies:[\s\S]*/, '').concat('probes: { every: 1, each: 7 }\n');
    const reader = teller({ words: 'unknown', reply: () => 'ACTION: ANSWER "blue"' });
    const { sink } = await play(text, { controllers: { reader }, modules: [libraryModule()] });
    const kinds = sink.entries.flatMap((entry) => (entry.kind === 'probe' ? [entry.record.kind] : []));
    expect([...kinds].toSorted()).toEqual(['named', 'unknowable']);
  });

  it('are in the log with question, expected answer, answer and verdict; show counts them; all of it replays', async () => {
    const path = join(folder, 'probed.sqlite');
    const writer = new LogWriter(path);
    const parts = await partsFor(corridor('max: 6'), writer, {
      controllers: { ann: teller({ words: 'no' }), bob: teller({ words: 'unknown' }) },
      set: [
        'probes.every=1',
        'probes.each=4',
        'agents.ann.memory.kind=summary',
        'agents.ann.memory.turns_max=2',
        'agents.ann.memory.turns_kept=1',
      ],
    });
    const end = await new TurnOrchestrator(parts).run(NEVER_STOPPED);
    writer.close();
    const reader = new LogReader(path);
    const kept = reader.probes(parts.run.runId);
    reader.close();
    expect(kept.length).toBeGreaterThan(30);
    for (const { options, answer, expected, verdict } of kept) {
      const isOption = options?.includes(answer) === true;
      expect(verdict).toBe(isOption ? (answer === expected ? 'right' : 'wrong') : 'unreadable');
    }
    expect(new Set(kept.map(({ verdict }) => verdict))).toEqual(new Set(['right', 'wrong', 'unreadable']));
    expect(await verified(path)).toMatchObject({ difference: null, steps: end.steps });
    const { out } = await orchestrate(['show', path]);
    const right = kept.filter(({ verdict }) => verdict === 'right').length;
    expect(out).toContain(`questions about what agents see: ${right} of ${kept.length} right`);

    const [first] = kept;
    const ofStep = kept.filter(({ step }) => step === first?.step);
    const page = (await orchestrate(['show', path, '--step', String(first?.step)])).out;
    for (const { verdict, expected } of ofStep)
      expect(page).toContain(verdict === 'right' ? '→ right' : `→ ${verdict}; the answer is: ${expected}`);
    const whole = (await orchestrate(['show', path, '--step', String(first?.step), '--json'])).out;
    expect(JSON.parse(whole)).toMatchObject({ probes: ofStep });
  });

  it('are asked again with a grey picture of the same size, which counts for nothing else', async () => {
    const path = join(folder, 'grey.sqlite');
    const writer = new LogWriter(path);
    const yaml = `${corridor('max: 3')}probes: { every: 1, ask: [{ about: coin, kind: side }], grey: true }\n`;
    const sent: string[] = [];
    const ann = teller({
      words: (messages) => {
        sent.push(textOf(messages));
        return sent.length % 2 === 1 ? 'level' : 'unknown';
      },
    });
    const parts = await partsFor(yaml, writer, { controllers: { ann, bob: teller({ words: null }) } });
    await new TurnOrchestrator(parts).run(NEVER_STOPPED);
    writer.close();
    const reader = new LogReader(path);
    const { runId } = parts.run;
    const kept = reader.probes(runId);
    expect(kept.map(({ turn, picture }) => [turn, picture])).toEqual(
      [1, 2, 3].flatMap((turn) => [
        [turn, undefined],
        [turn, 'grey'],
      ]),
    );
    // Nobody moves: the coin lies one tile to the east and one to the south of Ann.
    for (const { expected, question } of kept)
      expect(expected).toBe(question.includes('west') ? 'east' : 'south');
    const frames = kept.map(({ call }) => reader.call(runId, call)?.request.frameHash ?? '');
    const sizes = frames.map((hash) => [reader.frame(hash)?.width, reader.frame(hash)?.height]);
    expect(new Set(frames).size).toBe(2);
    expect(frames[0]).not.toBe(frames[1]);
    expect(new Set(sizes.map(String)).size).toBe(1);
    expect(sent.filter((_, i) => i % 2 === 0)).toEqual(sent.filter((_, i) => i % 2 === 1));
    const { agents = [] } = reader.keptFigures(runId) ?? {};
    expect(agents.find(({ agent }) => agent === 'ann')).toMatchObject({ probes: 3, probesRight: 0 });
    reader.close();
    expect(await verified(path)).toMatchObject({ difference: null });
    expect((await orchestrate(['show', path])).out).toContain(
      'questions about what agents see: 0 of 3 right\n  side        0 of 3 right\n  with grey   0 of 3 right\n',
    );
    const { totals } = JSON.parse((await orchestrate(['report', path, '--questions', '--json'])).out) as {
      totals: readonly { kinds: readonly { asked: number }[] }[];
    };
    expect(totals[0]?.kinds.map(({ asked }) => asked)).toEqual([3]);
  });

  it('are asked once where every picture is grey', async () => {
    const set = ['probes.every=1', 'probes.grey=true', 'render.blank=true'];
    const { sink } = await play(corridor('max: 1'), { controllers: two(), set });
    expect(probes(sink)).toHaveLength(1);
  });
});

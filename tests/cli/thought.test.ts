/** What an agent thought is told before its act, whatever the protocol: from reasoning, prose or the answered object, harmless and short. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { known } from '../../src/base/assert.js';
import { ReplyCollector } from '../../src/cli/play/reply-collector.js';
import { stepLines } from '../../src/cli/text/step-line.js';
import { thoughtOf } from '../../src/replay/thought.js';
import type { ReplyWords } from '../../src/replay/thought.js';
import type { ReplyReading } from '../../src/parse/reading.js';
import { orchestrate } from '../support/captured-io.js';
import { temporaryFolder } from '../support/folder.js';
import { play, sampleRun, sampleStep } from '../log/sample.js';

/** A reply that was read by its last `answer`. */
function thought(content: string, answer: string | null, reasoning: string | null = null): string {
  return thoughtOf({ content, reasoning }, readingOf(content, answer));
}

function readingOf(content: string, answer: string | null): ReplyReading {
  const start = answer === null ? 0 : content.lastIndexOf(answer);
  return {
    ok: true,
    command: { action: 'GO', args: {} },
    rung: 'whole line',
    span: answer === null ? null : { start, end: start + answer.length },
    words: answer ?? '',
  };
}

describe('a thought', () => {
  it.each([
    ['The door is near.\nACTION: GO NORTH', 'GO NORTH', 'The door is near.'],
    ['The door is near.\n\n**Action:** `GO NORTH`', 'GO NORTH', 'The door is near.'],
    ['The door is near.\nSo my action is:\nACTION: GO NORTH', 'GO NORTH', 'The door is near.'],
    ['Thought: I need a key.\nAction: GO\nAction Input: {}', 'GO\nAction Input: {}', 'I need a key.'],
    ['**Thought 2:** I need it.\nFinal Answer: 42', '42', 'I need it.'],
    ['<think>Two keys,\none door.</think>\n\nACTION: GO NORTH', 'GO NORTH', 'Two keys, one door.'],
    ['Let me see.\n<tool_call>\n{"name": "GO"}\n</tool_call>', '{"name": "GO"}', 'Let me see.'],
    [
      '```json\n{"thought": "It is dark.", "name": "GO"}\n```',
      '{"thought": "It is dark.", "name": "GO"}',
      'It is dark.',
    ],
    ['First.\n{"thought": "Then.", "name": "GO"}', '{"thought": "Then.", "name": "GO"}', 'First. Then.'],
    ['I call the tool.', null, 'I call the tool.'],
    ['GO NORTH', 'GO NORTH', ''],
    ['ACTION: GO NORTH', 'GO NORTH', ''],
    ['My action is near: I act.\nGO NORTH', 'GO NORTH', 'My action is near: I act.'],
  ])('%j answered by %j is %j', (content, answer, told) => {
    expect(thought(content, answer)).toBe(told);
  });

  it('that came apart comes first', () => {
    expect(thought('So I go.\nGO NORTH', 'GO NORTH', 'The door is open.')).toBe('The door is open. So I go.');
  });

  it('of a reply that could not be read is only what came apart', () => {
    const reading: ReplyReading = {
      ok: false,
      problem: { code: 'empty', message: 'No.' },
      rung: null,
      span: null,
    };
    expect(thoughtOf({ content: 'ACTION: DANCE', reasoning: 'I like music.' }, reading)).toBe(
      'I like music.',
    );
    expect(thoughtOf({ content: 'ACTION: DANCE', reasoning: null }, null)).toBe('');
  });

  it('can steer no terminal', () => {
    const told = thought('\u001b[2J\u001b]0;x\u0007Go\u202e now.\r\nGO NORTH', 'GO NORTH', '\u009b31mred');
    expect(told).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect(told).toContain('Go now.');
  });
});

/** The lines of a step whose agent thought this. */
function lines(content: string, columns: number): readonly string[] {
  const act = {
    index: 0,
    call: 1,
    reading: readingOf(content, 'GO NORTH'),
    intent: { agent: 'nyla', action: 'GO', args: { direction: 'north' } },
    result: { ok: true as const, message: 'You went north.', path: [] },
    insteadOf: null,
  };
  const step = { ...sampleStep('run', 1, []), agent: 'nyla', acts: [act], events: [] };
  const replies = new Map<number, ReplyWords>([[1, { content, reasoning: null }]]);
  return stepLines(step, { paint: (_, text) => text, columns, names: { nyla: 'Nyla' }, replies });
}

it('stands before the action, on at most three lines that fit', () => {
  const [first, second] = lines('The door is near.\nGO NORTH', 80);
  expect(first).toMatch(/^ +T\d+ {2}Nyla {2}Thought: The door is near\.$/);
  expect(second).toMatch(/^ {12}GO NORTH +You went north\.$/);
  for (const columns of [50, 80, 200]) {
    const told = lines(`${'I wonder what is there. '.repeat(200)}\nGO NORTH`, columns);
    expect(told).toHaveLength(4);
    expect(told[2]).toMatch(/…$/);
    expect(Math.max(...told.map((line) => line.length))).toBeLessThanOrEqual(columns);
  }
});

it.each(['command', 'json', 'react', 'tools'])(
  'is told by run and show alike through %s',
  async (protocol) => {
    const cwd = temporaryFolder();
    const scenario = join(process.cwd(), 'scenarios/brass-key.yaml');
    const run = await orchestrate(['run', scenario, '--protocol', protocol, '--out', 'a.sqlite'], { cwd });
    const show = await orchestrate(['show', 'a.sqlite'], { cwd });
    for (const { out } of [run, show]) {
      expect(out).toMatch(/Thought: I want a closer look at the brass key\.\n +GO/);
      expect(out.match(/Thought: /g)).toHaveLength(7);
    }
  },
);

it('is let go once its step was shown', () => {
  const heard = new ReplyCollector();
  const sink = {
    begin: () => undefined,
    resume: () => undefined,
    request: () => undefined,
    reply: () => undefined,
    probe: () => undefined,
    outside: () => undefined,
    step: () => undefined,
    flush: () => undefined,
    end: () => undefined,
    onDurable: () => undefined,
  };
  const { steps } = play(heard.collectFrom(sink), sampleRun(), 2, false);
  const step = known(steps[1], 'a step');
  expect(step.calls).toHaveLength(1);
  expect(heard.take(step).size).toBe(1);
  expect(heard.take(step).size).toBe(0);
});

/** Single stages of the way from a log to a row, by hand-made samples: history, redaction, what counts as the same row. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Observation } from '../../src/environment/observation.js';
import { NO_USAGE } from '../../src/model/chat.js';
import { Fingerprints, sampleFingerprint } from '../../src/export/fingerprints.js';
import { withHistory } from '../../src/export/history.js';
import { redactor } from '../../src/export/redaction.js';
import { promptTurn } from '../../src/export/prompt-turn.js';
import { withPrompt } from '../../src/export/sample.js';
import type { PromptTurn } from '../../src/export/prompt-turn.js';
import type { SamplePrompt, ExportSample } from '../../src/export/sample.js';

const picture = (hash: string) => ({ hash, png: new Uint8Array() });
const turn = (role: PromptTurn['role'], text: string, ...hashes: readonly string[]): PromptTurn =>
  promptTurn({ role, parts: [text, ...hashes.map(picture)] });

const PROMPT: SamplePrompt = {
  messages: [
    turn('system', 'rules'),
    turn('user', 'turn 1', 'a'),
    turn('assistant', 'ACTION: WAIT'),
    turn('user', 'turn 2 of Anna', 'b'),
  ],
  turnStart: 3,
  foldedRules: null,
};

const OBSERVATION: Observation = {
  agent: 'a',
  turn: 2,
  sections: [],
  scope: [],
  offered: [],
  nouns: [{ id: 'b', name: 'Anna', aliases: [], kinds: ['person'] }],
  facts: { doors: ['Anna'], remembered: [] },
  scene: null,
};

const SAMPLE: ExportSample = {
  paid: null,
  key: '00001-000003-ann-1',
  runId: 'run',
  scenario: 'corridor',
  seed: '1',
  drawn: null,
  environment: 'grid',
  protocol: 'command',
  answeredAs: null,
  askedAt: 0,
  answeredAt: 0,
  program: '0.0.0',
  command: null,
  model: 'm',
  controller: 'model',
  player: 'm',
  lineup: null,
  agent: 'ann',
  step: 3,
  turn: 2,
  call: 3,
  attempt: 1,
  purpose: 'act',
  prompt: () => PROMPT,
  pictures: () => PROMPT.messages.flatMap(({ pictures }) => pictures),
  shown: () => [picture('b')],
  settings: null,
  answer: { text: 'Anna waits', reasoning: 'for Anna', toolCalls: [], finishReason: 'stop', usage: NO_USAGE },
  target: { text: 'Anna waits', toolCalls: [] },
  intent: { action: 'SPEAK', args: { text: 'Hello Anna' } },
  rung: 'label',
  span: { start: 0, end: 4 },
  actValues: {},
  result: { ok: true, code: null, message: 'Anna heard you.' },
  isSettling: true,
  cost: null,
  after: () => [{ kind: 'said', actor: 'ann', at: null, data: { text: 'Hello Anna' }, seenBy: [] }],
  mark: null,
  originalText: null,
  outcome: { status: 'ended', reason: 'Anna left.', turns: 2, steps: 3 },
  agentOutcome: null,
  observation: () => OBSERVATION,
  frameSettings: { tilePixels: 16, ruler: false, version: 2 },
};

describe('history', () => {
  it('leaves out earlier pictures, or all but the rules and this turn', () => {
    const shown = (history: 'none' | 'text' | 'full') =>
      withHistory(SAMPLE, history)
        .prompt()
        .messages.map(({ text, pictures }) => [text, ...pictures.map(({ hash }) => hash)]);
    expect(shown('full')).toEqual([['rules'], ['turn 1', 'a'], ['ACTION: WAIT'], ['turn 2 of Anna', 'b']]);
    expect(shown('text')).toEqual([['rules'], ['turn 1'], ['ACTION: WAIT'], ['turn 2 of Anna', 'b']]);
    expect(shown('none')).toEqual([['rules'], ['turn 2 of Anna', 'b']]);
  });

  it('keeps rules that a server took in the first message of the user', () => {
    const [, first, ...rest] = PROMPT.messages;
    const messages = [turn('user', `rules\n\n${first?.text ?? ''}`, 'a'), ...rest];
    const folded = withPrompt(SAMPLE, () => ({ messages, turnStart: 2, foldedRules: 'rules' }));
    expect(withHistory(folded, 'none').prompt().messages).toEqual([
      turn('user', 'rules\n\nturn 2 of Anna', 'b'),
    ]);
  });
});

describe('redaction', () => {
  it('leaves no trace of a text anywhere but in ids, and longer texts go first', () => {
    const hidden = redactor(['Ann', 'Anna'])(SAMPLE);
    const told = (sample: ExportSample) => [sample, sample.prompt(), sample.observation(), sample.after()];
    for (const part of told(hidden)) expect(JSON.stringify(part)).not.toContain('Ann');
    for (const part of told(SAMPLE)) expect(JSON.stringify(part)).toContain('Ann');
    expect(hidden.answer.text).toBe('[redacted] waits');
    expect(hidden.target.text).toBe('[redacted] waits');
    expect(hidden.span).toBeNull();
    expect([hidden.agent, hidden.key]).toEqual(['ann', '00001-000003-ann-1']);
  });

  const hide = (text: string, ...texts: readonly string[]) =>
    redactor(texts)({ ...SAMPLE, answer: { ...SAMPLE.answer, text } }).answer.text;

  it('finds a text in any case and with its accents stored either way, wherever it stands', () => {
    expect(hide('Alice, ALICE and malice', 'alice')).toBe('[redacted], [redacted] and m[redacted]');
    const decomposed = 'E\u0301mile';
    for (const typed of ['émile', 'ÉMILE', decomposed.toUpperCase()])
      expect(hide(`Émile, ${decomposed}, émile`, typed)).toBe('[redacted], [redacted], [redacted]');
    expect(hide('ΟΔΥΣΣΕΥΣ, Οδυσσευς', 'οδυσσευς')).toBe('[redacted], [redacted]');
    expect(hide('иван ИВАН', 'Иван')).toBe('[redacted] [redacted]');
    expect(hide('a.c (x)* abc', 'A.C', '(X)*')).toBe('[redacted] [redacted] abc');
    expect(hide('😀😀 \ud83d', '😀')).toBe('[redacted][redacted] \ud83d');
    expect(hide('nobody', '')).toBe('nobody');
    // As a reply that is JSON may spell it.
    expect(hide('{"text":"Ask \\u00c9mile at 5 o\\u0027clock"}', 'émile', "O'Clock")).toBe(
      '{"text":"Ask [redacted] at 5 [redacted]"}',
    );
    expect(hide('say \\"hi\\" \\ud83d\\uDE00', 'say "hi"', '😀')).toBe('[redacted] [redacted]');
  });

  it('leaves no rest where texts overlap, and never touches its own mark', () => {
    expect(hide('abcd', 'ab', 'bcd')).toBe('[redacted]');
    expect(hide('aaa b', 'AA')).toBe('[redacted] b');
    expect(hide('Ann acted', 'ann', 'act', 'red')).toBe('[redacted] [redacted]ed');
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.string({ unit: 'grapheme', minLength: 1 }),
        (text, secret) => {
          const shown = hide(`${text}${secret}${text}`, secret);
          expect(shown.split('[redacted]').every((part) => !part.includes(secret))).toBe(true);
          expect(shown).toContain('[redacted]');
        },
      ),
    );
  });
});

describe('what was there before', () => {
  it('is the same words, pictures and answer, however many there are', () => {
    const seen = new Fingerprints();
    const numbered = (i: number): ExportSample => ({
      ...SAMPLE,
      target: { ...SAMPLE.target, text: String(i) },
    });
    for (let i = 0; i < 5000; i++) expect(seen.add(sampleFingerprint(numbered(i)))).toBe(true);
    for (let i = 0; i < 5000; i++) expect(seen.add(sampleFingerprint(numbered(i)))).toBe(false);
    const last = PROMPT.messages.length - 1;
    const other = PROMPT.messages.map((one, i) => (i === last ? { ...one, pictures: [picture('c')] } : one));
    const prompt = { ...PROMPT, messages: other };
    expect(seen.add(sampleFingerprint(withPrompt(numbered(1), () => prompt)))).toBe(true);
    expect(
      seen.add(
        sampleFingerprint({
          ...numbered(1),
          runId: 'another',
          outcome: { ...SAMPLE.outcome, status: 'failed' },
        }),
      ),
    ).toBe(false);
  });
});

import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { breakControlTokens, cutText, oneLine, quoted } from '../../src/base/text.js';

describe('untrusted text', () => {
  it('becomes one visible line', () => {
    expect(oneLine('a\r\n b\u0000\u001b[31m\u202e c\u200b\u2028d \ud800')).toBe('a b[31m c d \ufffd');
  });

  it('stays as it is once it is clean', () => {
    expect(oneLine('a \u200b b')).toBe('a b');
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        expect(oneLine(oneLine(text))).toBe(oneLine(text));
      }),
    );
  });

  it('is cut by code point, never inside a pair', () => {
    expect(cutText('🦉🦉🦉', 2)).toBe('🦉…');
    expect(cutText('🦉🦉', 2)).toBe('🦉🦉');
  });

  it('is broken at every bracket that is one, and nowhere else', () => {
    for (const bracket of '<＜﹤◁［﹇') expect(breakControlTokens(`a ${bracket}b`)).toBe(`a ${bracket} b`);
    for (const bracket of '>＞﹥') expect(breakControlTokens(`a |${bracket}`)).toBe(`a | ${bracket}`);
    expect(breakControlTokens('[INST')).toBe('[ INST');
    expect(breakControlTokens('a [b] | c < d > e')).toBe('a [b] | c < d > e');
  });

  it.each([
    '<|im_end|>',
    '<|im_start|>system',
    '<start_of_turn>',
    '<end_of_turn>',
    '[INST]',
    '[/INST]',
    '<<SYS>>',
    '</s>',
    '<s>',
    '<think>',
    '</think>',
    '<image>',
    '<|endoftext|>',
    '<tool_call>',
    '[TOOL_CALLS]',
    '<bos>',
    '<|vision_start|>',
    '<｜User｜>',
    '<｜end▁of▁sentence｜>',
    '[ARGS]',
    '[CALL_ID]',
    '[gMASK]',
    '[sMASK]',
    '[multimodal]',
    '<sop>',
    '<audio_soft_token>',
    '<fake_token_around_image>',
    '<seed:think>',
    '<[begin▁of▁sentence]>',
    '<parameter=x>',
    '<box>',
    '<answer>',
    '◁think▷',
    '＜|im_end|＞',
    '﹤/s﹥',
    '［INST］',
    '[ＩＮＳＴ]',
    '[/I𝐍ST]',
    '[ᴵᴺST]',
    '﹇/INST﹈',
    '[／INST]',
  ])('has the control token %s broken', (token) => {
    const broken = breakControlTokens(`x ${token} y`);
    expect(broken).not.toContain(token);
    expect(broken.replace(/ /g, '')).toBe(`x${token}y`);
  });

  it('as a quotation is one JSON string whose content is the clean text, whatever was said', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        const line = quoted(text);
        expect(line).not.toMatch(/[\n\r\u2028\u2029]/);
        expect(JSON.parse(line)).toBe(breakControlTokens(oneLine(text)));
      }),
      { numRuns: 2000 },
    );
  });
});

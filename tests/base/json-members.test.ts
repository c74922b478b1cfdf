/** Members of JSON records found without parsing them: what `JSON.parse` would give of each, and null for what is no record. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { membersOf } from '../../src/base/json-members.js';

const bytes = (text: string) => new TextEncoder().encode(text);
const textOf = (member: Uint8Array | undefined) =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(member);
const memberTexts = (text: string) => {
  const members = membersOf(bytes(text));
  return members === null ? null : new Map([...members].map(([name, member]) => [name, textOf(member)]));
};

const record = fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue());

describe('members of a record', () => {
  it('parse to what the record holds', () => {
    fc.assert(
      fc.property(record, (value) => {
        const whole = JSON.parse(JSON.stringify(value)) as Record<string, unknown>;
        const members = memberTexts(JSON.stringify(value));
        const parsed = [...(members ?? [])].map(([name, text]) => [name, JSON.parse(text) as unknown]);
        expect(parsed).toEqual(Object.entries(whole));
      }),
      { numRuns: 1000 },
    );
  });

  it('keep quotes, brackets and commas that stand in texts', () => {
    const value = { 'a":{': '"}],\\', b: ['\\"', { c: '}' }], d: -1.5e3 };
    const members = memberTexts(JSON.stringify(value));
    expect([...(members ?? [])].map(([name, text]) => [name, JSON.parse(text) as unknown])).toEqual(
      Object.entries(value),
    );
  });

  it('of two with one name the last is told', () => {
    expect(memberTexts('{"a":1,"a":2}')?.get('a')).toBe('2');
  });

  it.each([
    '',
    '[]',
    '1',
    '{',
    '{"a"}',
    '{"a":}',
    '{"a":1',
    '{"a":1}}',
    '{"a":1} ',
    '{ "a":1}',
    '{"a":1,}',
    '{"\\x":1}',
    '{"a":"',
    '{,}',
  ])('are none in %j', (text) => {
    expect(memberTexts(text)).toBeNull();
  });

  it('never stumble over any text, and never take long', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('{', '}', '[', ']', '"', ',', ':', '\\', 'a', '1') }),
        (text) => {
          const members = memberTexts(text);
          if (members === null) return;
          for (const [name, member] of members) expect(text).toContain(member === '' ? name : member);
        },
      ),
      { numRuns: 2000 },
    );
    expect(memberTexts(`{"a":"${'\\'.repeat(500_000)}`)).toBeNull();
    expect(memberTexts(`{"a":${'['.repeat(500_000)}`)).toBeNull();
  });
});

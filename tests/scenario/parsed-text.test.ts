/** A text that was parsed before is not parsed again: the same tree and findings come out, of another text or file others do. */
import { expect, it } from 'vitest';
import { parsedText } from '../../src/scenario/load.js';
import { sourceOf } from '../../src/scenario/source.js';

const of = (file: string, text: string) => parsedText(sourceOf(file, text));

it('keeps what the texts read last came to, each with its own mistakes', () => {
  const wrong = of('a.yaml', 'title: A\ntitle: B\n');
  expect(wrong.findings).toHaveLength(1);
  expect(of('a.yaml', 'title: A\ntitle: B\n')).toBe(wrong);
  expect(of('b.yaml', 'title: A\ntitle: B\n').findings).toMatchObject([{ file: 'b.yaml' }]);
  expect(of('a.yaml', 'title: A\n')).toMatchObject({ findings: [], tree: { value: { title: 'A' } } });
  expect(of('a.yaml', 'title: A\ntitle: B\n')).toBe(wrong);
});

it('forgets those read long ago, and reads them again alike', () => {
  const first = of('a.yaml', 'title: 0\n');
  for (let i = 1; i < 10; i++) of('a.yaml', `title: ${i}\n`);
  const again = of('a.yaml', 'title: 0\n');
  expect(again).not.toBe(first);
  expect(again.tree.value).toEqual(first.tree.value);
});

it('throws each time for a text that is no YAML', () => {
  for (let i = 0; i < 2; i++) expect(() => of('a.yaml', 'title: [')).toThrow();
});

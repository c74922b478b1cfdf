/** One name, one meaning: how many type names are declared in more than one file. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const DECLARATION = /^(?:export )?(?:abstract )?(?:interface|type|class|enum) ([A-Z]\w*)/gm;

/** Type names of a folder's sources, each with the files that declare it. */
function declarations(folder: string): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!path.endsWith('.ts')) continue;
    for (const [, name = ''] of readFileSync(join(folder, path), 'utf8').matchAll(DECLARATION))
      found.set(name, [...(found.get(name) ?? []), path]);
  }
  return found;
}

it('names fewer than one type in twenty twice', () => {
  const all = declarations('src');
  const twice = [...all].filter(([, files]) => files.length > 1);
  expect(all.size).toBeGreaterThan(1000);
  expect(
    twice.length / all.size,
    twice.map(([name, files]) => `${name}: ${files.join(', ')}`).join('\n'),
  ).toBeLessThan(0.05);
});

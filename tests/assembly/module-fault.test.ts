/**
 * Where a module is at fault: looked for in so many files and no more.
 * @module-tag long
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { faultPlace } from '../../src/assembly/module-fault.js';
import { LIMITS } from '../../src/base/limits.js';
import { temporaryFolder } from '../support/folder.js';

const folder = temporaryFolder();
const file = (name: string): string => join(folder, name);

/** A module that imports `count` others, of which the last can't be read. */
function importing(count: number): string {
  const names = Array.from({ length: count }, (_, i) => `part-${i}.mjs`);
  for (const [i, name] of names.entries()) writeFileSync(file(name), i === count - 1 ? '\nlet 1;' : '');
  writeFileSync(file('all.mjs'), names.map((name) => `import './${name}';`).join('\n'));
  return file('all.mjs');
}

it('is found in the last file that is looked through, and told by nothing beyond', { tags: ['long'] }, () => {
  const others = LIMITS.checkedModules - 1;
  const found = faultPlace(new SyntaxError('oh'), importing(others));
  expect(found).toMatchObject({ file: file(`part-${others - 1}.mjs`), line: 2 });
  expect(faultPlace(new SyntaxError('oh'), importing(others + 1))).toBeNull();
});

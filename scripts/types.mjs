// Copies the declarations that the package's entry points reach from dist/modules/ to dist/types/: those are what a user's compiler reads, a fifth of all.
import { cpSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const entries = Object.values(exports).flatMap(({ types }) =>
  types === undefined ? [] : [join(root, types)],
);

/** @type {(path: string) => string} */
const compiled = (path) => path.replace(join(root, 'dist', 'types'), join(root, 'dist', 'modules'));

const reached = new Set(entries);
// Adding to a set while it is walked: what is added is walked too.
for (const path of reached) {
  const declarations = readFileSync(compiled(path), 'utf8');
  for (const [, specifier] of declarations.matchAll(/\b(?:from|import)\s*\(?\s*'(\.[^']+)\.js'/g))
    reached.add(join(dirname(path), `${specifier}.d.ts`));
}
for (const path of reached) cpSync(compiled(path), path);

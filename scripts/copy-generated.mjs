// Copies the generated code of the wire (src/serve/gen, JavaScript with declarations) to what was compiled, which the compiler does not do: to dist/modules/, or to the folder that is named.
import { cpSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const [compiled = 'dist/modules'] = process.argv.slice(2);
cpSync(resolve(root, 'src/serve/gen'), resolve(root, compiled, 'serve/gen'), { recursive: true });

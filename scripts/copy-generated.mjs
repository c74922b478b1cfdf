// Copies the generated code of the wire (src/serve/gen, JavaScript with declarations) to dist/, which the compiler does not do.
import { cpSync } from 'node:fs';

cpSync(new URL('../src/serve/gen', import.meta.url), new URL('../dist/serve/gen', import.meta.url), {
  recursive: true,
});

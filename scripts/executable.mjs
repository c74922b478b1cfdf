// Makes the built program executable, as npm does only when it installs: projects that take it from this folder go on running it.
import { chmodSync } from 'node:fs';

chmodSync(new URL('../dist/cli/main.js', import.meta.url), 0o755);

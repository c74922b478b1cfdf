/**
 * What the tests keep of the current version of the log, after a build: the hash of its tables, in tests/fixtures/logs/tables.json, and a log of it,
 * v….sqlite.gz beside it; and the version that the Python reader understands. Refuses if the tables of that version were others before: a change is
 * a new version.
 */
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { runScenario } from '../dist/modules/assembly/run-scenario.js';
import { LOG_VERSION } from '../dist/modules/log/log-version.js';
import { expectedObjects } from '../dist/modules/log/schema.js';

const logs = fileURLToPath(new URL('../tests/fixtures/logs/', import.meta.url));
const pinned = JSON.parse(readFileSync(`${logs}tables.json`, 'utf8'));
const hash = createHash('sha256').update(expectedObjects(LOG_VERSION).join('\n')).digest('hex');
if ((pinned[LOG_VERSION] ?? hash) !== hash) {
  process.stderr.write(
    `the tables of version ${LOG_VERSION} changed: what is new needs \`later(${LOG_VERSION + 1}, …)\`\n`,
  );
  process.exit(1);
}
writeFileSync(`${logs}tables.json`, `${JSON.stringify({ ...pinned, [LOG_VERSION]: hash }, null, 2)}\n`);

const reader = fileURLToPath(new URL('../python/src/orchestrate_agent/logs.py', import.meta.url));
const python = readFileSync(reader, 'utf8');
writeFileSync(reader, python.replace(/^_VERSION = \d+$/m, `_VERSION = ${LOG_VERSION}`));

const folder = mkdtempSync(join(tmpdir(), 'log-version-'));
try {
  const log = join(folder, 'run.sqlite');
  await runScenario(readFileSync(`${logs}every-key.yaml`, 'utf8'), { log });
  writeFileSync(`${logs}v${LOG_VERSION}.sqlite.gz`, gzipSync(readFileSync(log), { level: 9 }));
} finally {
  rmSync(folder, { recursive: true });
}

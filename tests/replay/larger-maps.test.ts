/** Maps have had a larger limit: a log with such a map stays readable by every command that reads logs. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isRecord } from '../../src/base/json.js';
import type { Json } from '../../src/base/json.js';
import { LIMITS } from '../../src/base/limits.js';
import { answering } from '../support/controllers.js';
import { orchestrate } from '../support/captured-io.js';
import { temporaryFolder } from '../support/folder.js';
import { logged, verified } from './support.js';

const cwd = temporaryFolder();
/** Beyond the limit, and beyond one region of chunks. */
const SIDE = 260;

/** The map with floor to the south and east of it. */
function widened(definition: Json, side: number): Json {
  if (!isRecord(definition) || !Array.isArray(definition['rows'])) throw new Error('a grid');
  const rows = definition['rows'].map((row) => String(row).padEnd(side, '.'));
  const more = Array.from({ length: side - rows.length }, () => '.'.repeat(side));
  return { ...definition, size: { width: side, height: side }, rows: [...rows, ...more] };
}

test('a log with a map larger than a scenario may have is verified, shown, viewed and exported', async () => {
  expect(SIDE).toBeGreaterThan(LIMITS.mapSideTiles);
  expect(SIDE).toBeLessThan(LIMITS.coordinateTiles);
  const { path, end } = await logged(
    'title: Wide\nseed: 1\nmap: |\n  A....\nlegend:\n  A: { agent: ann }\nagents:\n  - { id: ann, sprite: figure/knight, sight: 3 }\nrules: { movement: tile }\nturns: { max: 4 }\n',
    {
      controllers: { ann: answering(Array<string>(4).fill('ACTION: GO EAST')) },
      definition: (checked) => widened(checked, SIDE),
    },
  );
  expect(end?.status).toBe('ended');
  expect((await verified(path)).difference).toBeNull();
  const shown = await orchestrate(['show', path], { cwd });
  expect(shown.out).toContain('GO EAST');
  expect((await orchestrate(['view', path, '--out', 'page.html'], { cwd })).code).toBe(0);
  const exported = await orchestrate(['export', path, '--format', 'tables', '--out', 'tables'], {
    cwd,
  });
  expect(exported.code).toBe(0);
  expect(existsSync(join(cwd, 'tables'))).toBe(true);
  expect((await orchestrate(['view', 'tables', '--out', 'tables.html'], { cwd })).err).toContain(
    `more than ${LIMITS.pageMapTiles} tiles`,
  );
});

/** A shipped scenario asks the model that won it to explain its decisions, and the explanation is kept. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { startFakeServer } from '../fake-server/server.mjs';
import { orchestrate } from '../support/captured-io.js';
import { temporaryFolder } from '../support/folder.js';

it('three-keys asks after a success', async () => {
  const { replies } = parse(readFileSync('tests/fixtures/golden/three-keys.yaml', 'utf8')) as {
    replies: Record<string, readonly string[]>;
  };
  const left = [...(Object.values(replies)[0] ?? [])];
  const server = await startFakeServer({ images: 'any', reply: () => left.shift() ?? 'Two keys were sure.' });
  try {
    const cwd = temporaryFolder();
    const words = ['--base-url', server.baseUrl, '--out', 'won.sqlite', '--json'];
    const { out } = await orchestrate(['run', resolve('scenarios/three-keys.yaml'), ...words], { cwd });
    expect(JSON.parse(out)).toMatchObject({ status: 'succeeded' });
    expect((await orchestrate(['show', 'won.sqlite'], { cwd })).out).toContain('Two keys were sure.');
  } finally {
    await server.close();
  }
});

/** `--controller recorded:<log>`: another run's replies play a scenario; where one is missing the run stops and says whose. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { corridor } from '../orchestrator/two-agents.js';
import { orchestrate } from '../support/captured-io.js';
import { temporaryFolder } from '../support/folder.js';

const cwd = temporaryFolder();
let chain = '';

async function run(...words: string[]) {
  const { code, out, err } = await orchestrate(['run', 'corridor.yaml', '--json', ...words], { cwd });
  const document = out === '' ? null : (JSON.parse(out) as Record<string, unknown>);
  return { code, err, document };
}

beforeAll(async () => {
  writeFileSync(join(cwd, 'corridor.yaml'), corridor('max: 4'));
  const { document } = await run('--controller', 'random', '--out', 'first.sqlite');
  chain = String(document?.['chain_hash']);
});

describe('a recording as controller', () => {
  it('plays the same scenario to the same chain, and its log verifies', async () => {
    const { code, document } = await run('--controller', 'recorded:first.sqlite', '--out', 'second.sqlite');
    expect([code, document?.['chain_hash']]).toEqual([0, chain]);
    expect((await orchestrate(['verify', 'second.sqlite'], { cwd })).code).toBe(0);
  });

  it('stops where a reply is missing, and says whose; what it has no use for is passed over', async () => {
    const longer = await run('--controller', 'recorded:first.sqlite', '--max-turns', '9');
    expect(longer.code).toBe(2);
    expect(longer.err).toMatch(/the recording corridor-\w+ holds no reply of ann for turn 5, attempt 1/);
    expect(longer.document).toMatchObject({ status: 'error', turns: 4 });
    const shorter = await run('--controller', 'recorded:first.sqlite', '--max-turns', '2');
    expect(shorter.document).toMatchObject({ status: 'ended', turns: 2 });
  });

  it('must be a log, and hold the agents', async () => {
    expect((await run('--controller', 'recorded:none.sqlite')).code).toBe(2);
    writeFileSync(join(cwd, 'other.yaml'), corridor('max: 1').replaceAll('ann', 'eve'));
    const { code, err } = await orchestrate(['run', 'other.yaml', '--controller', 'recorded:first.sqlite'], {
      cwd,
    });
    expect(code).toBe(2);
    expect(err).toContain('has no agent "eve"');
    const wrong = await run('--controller', 'scriptd');
    expect(wrong.err).toContain('did you mean scripted?');
  });
});

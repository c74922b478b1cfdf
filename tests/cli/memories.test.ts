/** `run --memories`: what an agent notes in one run it reads in the next, and the log alone makes both again. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { at } from '../../src/base/assert.js';
import { LogReader } from '../../src/log/reader.js';
import { orchestrate } from '../support/captured-io.js';
import { temporaryFolder } from '../support/folder.js';
import { verified } from '../replay/support.js';
import { textOf } from '../support/teller.js';
import { corridor } from '../orchestrator/two-agents.js';

const cwd = temporaryFolder();
const note = (text: string): string =>
  corridor('max: 1').replace(
    'id: ann,',
    `id: ann, memory: { kind: file }, replies: ['ACTION: NOTE "${text}"', 'ACTION: WAIT'],`,
  );
writeFileSync(join(cwd, 'one.yaml'), note('the coin is mine'));

function firstRequest(log: string): { text: string; kept: unknown } {
  const reader = new LogReader(join(cwd, log));
  const { runId } = at(reader.runs(), 0);
  const text = textOf(at(reader.calls(runId, 1), 0).request.messages);
  const { kept } = reader.run(runId);
  reader.close();
  return { text, kept };
}

describe('a memory that lasts', () => {
  it('is empty at first, lies in a folder of its own, and stands in the next run’s first request', async () => {
    await orchestrate(['run', 'one.yaml', '--out', 'a.sqlite', '--quiet'], { cwd });
    expect(readFileSync(join(cwd, 'memories', 'one.ann.json'), 'utf8')).toBe('[\n  "the coin is mine"\n]\n');
    await orchestrate(['run', 'one.yaml', '--out', 'b.sqlite', '--quiet'], { cwd });
    expect(firstRequest('a.sqlite')).toMatchObject({ kept: {} });
    expect(firstRequest('a.sqlite').text).not.toContain('- "the coin is mine"');
    expect(firstRequest('b.sqlite').kept).toEqual({ ann: ['the coin is mine'] });
    expect(firstRequest('b.sqlite').text).toContain('- "the coin is mine"');
  });

  it('is read from the log by whoever plays the run again, not from the folder', async () => {
    const set = ['--memories', 'elsewhere', '--quiet'];
    await orchestrate(['run', 'one.yaml', '--out', 'c.sqlite', ...set], { cwd });
    await orchestrate(['run', 'one.yaml', '--out', 'd.sqlite', ...set], { cwd });
    writeFileSync(join(cwd, 'elsewhere', 'one.ann.json'), '["another"]');
    expect(await verified(join(cwd, 'd.sqlite'))).toMatchObject({ difference: null, steps: 3 });
    expect(existsSync(join(cwd, 'elsewhere', 'one.bob.json'))).toBe(false);
  });

  it('that is damaged refuses the run before there is a log', async () => {
    mkdirSync(join(cwd, 'damaged'));
    writeFileSync(join(cwd, 'damaged', 'one.ann.json'), '["half');
    const args = ['run', 'one.yaml', '--out', 'e.sqlite', '--memories', 'damaged'];
    const { code, err } = await orchestrate(args, { cwd });
    expect(code).toBe(2);
    expect(err).toMatch(/one\.ann\.json can't be used: [\s\S]*repair or remove the file/);
    expect(existsSync(join(cwd, 'e.sqlite'))).toBe(false);
  });
});

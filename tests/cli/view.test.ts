/** `view`: a page as a file or served, what it refuses, and that the log stays as it is. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { beforeAll, expect, it } from 'vitest';
import { main } from '../../src/cli/main.js';
import type { PagePart } from '../../src/view/page-data.js';
import { corridor } from '../orchestrator/two-agents.js';
import { logged } from '../replay/support.js';
import { capturedIo, orchestrate } from '../support/captured-io.js';
import { answering } from '../support/controllers.js';
import { temporaryFolder } from '../support/folder.js';

const cwd = temporaryFolder();
const view = (...words: string[]) => orchestrate(['view', ...words], { cwd });
let log = '';
const hashOf = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');

beforeAll(async () => {
  const controllers = { ann: answering(['</script><b>ACTION: GO EAST']), bob: answering(['ACTION: WAIT']) };
  log = (await logged(corridor('max: 2'), { controllers })).path;
});

it('writes one file whose data stands only in base64, and touches neither the log nor a file that is there', async () => {
  const before = hashOf(log);
  const { code, out } = await view(log, '--out', 'run.html');
  expect(code).toBe(0);
  expect(out).toMatch(/^run\.html {2}6 steps, \d+ kB\n$/);
  const html = readFileSync(join(cwd, 'run.html'), 'utf8');
  expect(html.match(/<\/script>/g)).toHaveLength(2);
  const [, data = ''] = /id="data">([A-Za-z0-9+/=]+)</.exec(html) ?? [];
  const parts = JSON.parse(gunzipSync(Buffer.from(data, 'base64')).toString()) as readonly PagePart[];
  expect(parts.flatMap(({ texts }) => texts)).toContain('</script><b>ACTION: GO EAST');
  expect(html).toContain("default-src 'none'; script-src 'sha256-");
  expect(html).toContain("connect-src 'none'");
  const [, script = ''] = /<script>([\s\S]*)<\/script>\n<\/body>/.exec(html) ?? [];
  expect(html).toContain(`'sha256-${createHash('sha256').update(script).digest('base64')}'`);
  const again = await view(log, '--out', 'run.html');
  expect([again.code, again.err]).toEqual([2, expect.stringContaining('run.html already exists')]);
  expect((await view(log, '--out', 'run.html', '--force')).code).toBe(0);
  expect(readFileSync(join(cwd, 'run.html'), 'utf8')).toBe(html);
  expect(hashOf(log)).toBe(before);
  expect(existsSync(join(cwd, 'run.html.part'))).toBe(false);
});

it('shows runs of several logs on one page', async () => {
  const other = await logged(corridor('max: 1'), {
    controllers: { ann: answering(['ACTION: WAIT']), bob: answering(['ACTION: WAIT']) },
  });
  expect((await view(log, other.path, '--out', 'both.html')).out).toContain('9 steps');
});

it('serves until Ctrl-C, on an address of this machine with a key', async () => {
  const captured = capturedIo({ cwd });
  // Port 0 is any free one.
  const ended = main(['view', log, '--port', '0', '--no-open'], captured.io);
  await expect.poll(() => captured.out()).toContain('Ctrl-C stops it');
  const address = new URL(captured.out().split('\n')[0] ?? '');
  expect(address.hostname).toBe('127.0.0.1');
  const headers = { authorization: `Bearer ${address.hash.slice('#token='.length)}` };
  const [part] = (await (
    await fetch(`${address.origin}/data?from=0`, { headers })
  ).json()) as readonly PagePart[];
  expect(part?.runs[0]?.steps).toHaveLength(6);
  captured.interrupt();
  expect(await ended).toBe(0);
  expect(captured.listeners()).toBe(0);
  await expect(fetch(address.origin)).rejects.toThrow();
});

it('refuses what it cannot show, with what to do', async () => {
  const cases: readonly (readonly [readonly string[], number, string])[] = [
    [['none.sqlite', '--out', 'x.html'], 2, 'none.sqlite'],
    [[`${log}#nobody`, '--out', 'x.html'], 2, 'the log has no such run'],
    [[log, '--out', 'x.html', '--port', '80'], 2, '--port is only for a served page'],
    [[log, '--force'], 2, '--force needs --out'],
    [[log, '--port', '65536'], 2, '--port takes a whole number'],
    [[log, '--out', 'nowhere/x.html'], 3, "nowhere/x.html can't be written"],
  ];
  writeFileSync(join(cwd, 'text.sqlite'), 'no log at all, only text that goes on for a while');
  for (const [words, code, message] of [
    ...cases,
    [['text.sqlite', '--out', 'x.html'], 2, 'text.sqlite'] as const,
  ]) {
    const told = await view(...words);
    expect([told.code, told.err], words.join(' ')).toEqual([code, expect.stringContaining(message)]);
  }
  expect(existsSync(join(cwd, 'x.html'))).toBe(false);
});

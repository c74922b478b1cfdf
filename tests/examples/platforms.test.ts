/**
 * The examples for OpenEnv and verifiers as their users get them: installed from their folders into an empty virtual environment, and played to a result.
 * @module-tag long
 */
import { execFile, spawn, spawnSync } from 'node:child_process';
import { cpSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { delimiter, dirname, join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { EXAMPLES, examplePython } from '../../scripts/lib/python-examples.mjs';
import type { Example } from '../../scripts/lib/python-examples.mjs';
import { looker } from '../fake-server/looker.mjs';
import { PROGRAM, ROOT } from '../support/children.js';
import { temporaryFolder } from '../support/folder.js';

/** Their packages are large, so that they are installed on their own. */
const isMissing = (example: Example): boolean => examplePython(example) === null;

for (const example of EXAMPLES.filter(isMissing))
  process.stdout.write(
    `examples/${example} is not tested: node scripts/python-examples.mjs gets its packages\n`,
  );

/** A folder to play in, and what programs of an empty environment need that sees the packages of the shared one and has the example installed. */
function installed(example: Example) {
  const shared = examplePython(example) ?? '';
  const folder = temporaryFolder();
  const bin = join(folder, 'venv', 'bin');
  const done = (program: string, words: readonly string[]): void => {
    const { status, stdout, stderr } = spawnSync(program, words, { encoding: 'utf8' });
    if (status !== 0) throw new Error(`${program} ${words.join(' ')}:\n${stdout}${stderr}`);
  };
  done(shared, ['-m', 'venv', '--without-pip', join(folder, 'venv')]);
  const [version = ''] = readdirSync(join(folder, 'venv', 'lib'));
  const packages = (venv: string): string => join(venv, 'lib', version, 'site-packages');
  writeFileSync(join(packages(join(folder, 'venv')), 'shared.pth'), packages(dirname(dirname(shared))));
  const python = join(bin, 'python');
  // Of copies, since a build leaves folders behind.
  const copies = [join(ROOT, 'python'), join(ROOT, 'examples', example)].map((from, i) => {
    const to = join(folder, `source-${i}`);
    cpSync(from, to, { recursive: true });
    return to;
  });
  const offline = ['--no-deps', '--no-build-isolation', '--no-index', '--quiet'];
  done(python, ['-m', 'pip', 'install', ...offline, ...copies]);
  // All that the example asks for is there, in the versions that it asks for.
  done(python, ['-m', 'pip', 'check']);
  const path = [bin, dirname(shared), process.env['PATH']].join(delimiter);
  return {
    python,
    bin,
    folder,
    env: { ...process.env, PATH: path, ORCHESTRATE: `${process.execPath} ${PROGRAM}` },
  };
}

const run = promisify(execFile);

it.skipIf(isMissing('openenv'))(
  'a Space of OpenEnv is valid, and its world is won',
  { tags: ['long'] },
  async () => {
    const example = join(ROOT, 'examples', 'openenv');
    const { python, bin, folder, env } = installed('openenv');
    const validated = await run(python, ['-m', 'openenv.cli', 'validate', example, '--level', 'static'], {
      env,
    });
    expect(validated.stdout).toContain('Verdict: PASS');

    const server = spawn(join(bin, 'server'), ['--port', '0'], {
      cwd: folder,
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const over = new Promise((resolve) => server.once('close', resolve));
    onTestFinished(async () => {
      server.kill('SIGINT');
      await over;
    });
    const address = await new Promise<string>((resolve, reject) => {
      let said = '';
      server.stderr.setEncoding('utf8').on('data', (words: string) => {
        said += words;
        const [, url] = /running on (http:\S+)/.exec(said) ?? [];
        if (url !== undefined) resolve(url);
      });
      server.once('close', () => reject(new Error(said)));
    });
    const { stdout } = await run(python, [join(example, 'play.py'), address], { cwd: folder, env });
    expect(stdout.trimEnd().split('\n')).toEqual([
      'turn 1: GO TO brass key',
      'turn 2: TAKE brass key',
      'turn 3: GO TO oak door',
      'turn 4: OPEN oak door',
      'turn 5: GO east',
      'turn 6: GO TO silver goblet',
      'turn 7: TAKE silver goblet',
      'done True, won True, reward 1.0',
    ]);
  },
);

/** A model that knows nothing but the pixels of its requests, behind a server that streams, as the harness of verifiers wants it. */
async function streamingLooker(): Promise<string> {
  const server = createServer((request, response) => {
    void textOf(request).then(async (body) => {
      const content = await looker({ body: JSON.parse(body), text: body } as Parameters<typeof looker>[0]);
      const delta = { role: 'assistant', content };
      const usage = { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 };
      const chunk = { id: '1', created: 1, model: 'eyes', object: 'chat.completion.chunk', usage };
      response.setHeader('content-type', 'text/event-stream');
      response.end(
        `data: ${JSON.stringify({ ...chunk, choices: [{ index: 0, finish_reason: 'stop', delta }] })}\n\ndata: [DONE]\n\n`,
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

it.skipIf(isMissing('verifiers'))(
  'an environment of verifiers is won by a model that gets its pictures',
  { tags: ['long'] },
  async () => {
    const { python, folder, env } = installed('verifiers');
    const words = [join(ROOT, 'examples', 'verifiers', 'play.py'), await streamingLooker(), 'eyes', '2'];
    const { stdout } = await run(python, words, { cwd: folder, env });
    expect(stdout).toMatch(
      /^seed 1: \d+ requests, return 1\.0\nseed 2: \d+ requests, return 1\.0\nwon 2 of 2\n$/,
    );
    expect(readdirSync(join(folder, 'runs')).filter((name) => name.endsWith('.sqlite'))).toHaveLength(2);
  },
);

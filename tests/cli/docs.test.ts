/**
 * docs/reference/commands.md: its examples run, its JSON documents have the fields that it names, and it leaves no command out.
 * @module-tag long
 */
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { known } from '../../src/base/assert.js';
import { commandsFor } from '../../src/cli/commands.js';
import { capturedIo, orchestrate } from '../support/captured-io.js';
import { temporaryFolder } from '../support/folder.js';
import { main } from '../../src/cli/main.js';

const DOC = readFileSync('docs/reference/commands.md', 'utf8');
const EXAMPLES = (/```sh\n([\s\S]*?)```/.exec(DOC)?.[1] ?? '').trim().split('\n');
const cwd = temporaryFolder();
symlinkSync(join(process.cwd(), 'scenarios'), join(cwd, 'scenarios'));
mkdirSync(join(cwd, 'runs'));

/** As a shell would part them: by spaces, but for those between double quotes. */
function wordsIn(line: string): readonly string[] {
  return [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '');
}

async function runExample(line: string) {
  const [, stdin, words] = known(
    /^(?:echo '([^']*)' \| )?orchestrate (.*)$/.exec(line),
    `an example: ${line}`,
  );
  const captured = capturedIo({ cwd, stdin: stdin ?? '' });
  const code = await main(wordsIn(words ?? ''), captured.io);
  return { code, out: captured.out(), err: captured.err() };
}

describe('docs/reference/commands.md', () => {
  it.each(EXAMPLES)('has an example that runs: %s', async (line) => {
    const { code, err } = await runExample(line);
    expect({ code, err: line.includes('run ') && line.includes('--json') ? '' : err }).toEqual({
      code: 0,
      err: '',
    });
  });

  it.each([
    ['run', 'run --json', ['run', 'scenarios/brass-key.yaml', '--json'], ''],
    ['check', 'check --json', ['check', 'scenarios/crypt.yaml', '--json'], ''],
    ['parse', 'parse --json', ['parse', 'scenarios/crypt.yaml', '--json'], 'ACTION: GO TO scroll'],
    ['show', 'show --json', ['show', 'runs/brass.sqlite', '--json'], ''],
    ['verify', 'verify --json', ['verify', 'runs/brass.sqlite', '--json'], ''],
    ['diff', 'diff --json', ['diff', 'runs/brass.sqlite', 'runs/brass.sqlite', '--json'], ''],
    ['reparse', 'reparse --json', ['reparse', 'runs/brass.sqlite', '--json'], ''],
    ['doctor', 'doctor --json', ['doctor', '--json'], ''],
  ])('names the fields of %s exactly', async (_, title, args, stdin) => {
    const row = known(
      DOC.split('\n').find((line) => line.startsWith(`| \`${title}\``)),
      title,
    );
    const named = known(/`\{([^}]*)\}`/.exec(row)?.[1], 'its fields').split(', ');
    const { out } = await orchestrate(args, { cwd, stdin });
    expect(Object.keys(JSON.parse(out) as object)).toEqual(named);
  });

  it('tells of every command', () => {
    const words = commandsFor().map((command) => command.usage.split(' ')[0] ?? '');
    for (const word of words) expect(DOC).toMatch(new RegExp(`^\\| \`${word} `, 'm'));
  });
});

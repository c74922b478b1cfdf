/**
 * Promise 9, on a terminal: a scenario's texts, its file's and folder's names, a batch, a server, a program, marks and options may hold anything;
 * every command sends nothing but printable text and the program's own codes, in a pipe and in a terminal. Logs: `terminal-logs.test.ts`.
 */
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ownCode, textOutput, terminalText } from '../../src/cli/terminal/text-output.js';
import * as behaviour from '../fake-server/behaviours.mjs';
import type { Behaviour } from '../fake-server/behaviours.mjs';
import { startFakeServer } from '../fake-server/server.mjs';
import type { FakeServer } from '../fake-server/server.mjs';
import { corridor } from '../orchestrator/two-agents.js';
import { orchestrate } from '../support/captured-io.js';
import { runProgram } from '../support/children.js';
import type { Below } from './chance.js';
import { chance, oneOf } from './chance.js';
import { temporaryFolder } from '../support/folder.js';
import { SIZED, grouped, reached, sizeOf } from '../support/sizes.js';
import { attackText, strayIn } from './terminal-bytes.js';
import { strays } from './terminal-commands.js';
import type { Attempt } from './terminal-commands.js';

const cwd = temporaryFolder();
let server: FakeServer;

beforeAll(async () => {
  server = await startFakeServer({ images: 'any', explicit: false });
  writeFileSync(join(cwd, 'corridor.yaml'), corridor('max: 2'));
  const { code, err } = await orchestrate(['run', 'corridor.yaml', '--out', 'run.sqlite', '--quiet'], {
    cwd,
  });
  if (code !== 0) throw new Error(err);
});

afterAll(() => server.close());

/** A log of its own each time. */
function fresh(name: string): string {
  rmSync(join(cwd, name), { force: true, recursive: true });
  return name;
}

/** A scenario in which one of its texts or keys is hostile, as YAML's quotes spell it. */
function hostileScenario(below: Below): string {
  const text = corridor('max: 2').replace(
    '  - { id: ann,',
    '  - { id: ann, persona: a knight, replies: [hm, "ACTION: WAIT"],',
  );
  const words = [...text.matchAll(/(?<=: |\[|^ +|, )[A-Za-z][\w /.]*(?=[,:\n }\]])/gm)];
  const word = oneOf(below, words);
  const put = JSON.stringify(below(2) === 0 ? attackText(below).toWellFormed() : attackText(below));
  return `${text.slice(0, word.index)}${put}${text.slice(word.index + word[0].length)}`;
}

/** A name that a folder can hold. */
function hostileName(below: Below): string {
  const text = attackText(below).toWellFormed().replace(/[/\0]/g, '_');
  return Array.from(text).slice(0, 40).join('');
}

function onScenario(name: string, below: Below): Attempt {
  const ways: readonly Attempt[] = [
    { args: ['check', name] },
    { args: ['check', name, '--plan', '--json'] },
    { args: ['check', name, name, 'corridor.yaml'] },
    { args: ['run', name, '--out', fresh('a.sqlite')] },
    { args: ['run', name, '--out', fresh('a.sqlite'), '--json'] },
    { args: ['run', name, '--human', 'ann'], stdin: `?\n${attackText(below)}\nwait\n` },
    { args: ['run', name, '--step', '--quiet'], stdin: '\n'.repeat(9) },
    { args: ['run', name] },
    { args: ['preview', name, '--messages'] },
    { args: ['preview', name, '--messages', '--json', '--agent', 'bob'] },
    { args: ['preview', name, '--agent', 'ann', '--out', fresh('map.png')] },
    { args: ['preview', name] },
    { args: ['parse', name], stdin: attackText(below) },
    { args: ['parse', name, '--json'], stdin: `ACTION: SAY "${attackText(below)}"` },
    { args: ['doctor', name] },
    { args: ['batch', batchOf(name, below), '--quiet', '--out', fresh('runs-of-batch')] },
    { args: ['batch', batchOf(name, below), '--out', fresh('runs-of-batch')] },
    { args: ['batch', batchOf(name, below), '--dry-run', '--out', fresh('runs-of-batch')] },
  ];
  return oneOf(below, ways);
}

function batchOf(scenario: string, below: Below): string {
  const title = below(2) === 0 ? attackText(below) : 'A batch';
  const seed = below(2) === 0 ? attackText(below).slice(0, 50) : '1';
  writeFileSync(
    join(cwd, 'batch.yaml'),
    `title: ${JSON.stringify(title)}\nscenarios: [${JSON.stringify(scenario)}]\nseeds: [${JSON.stringify(seed)}]\n`,
  );
  return 'batch.yaml';
}

/** What a server may say where it says anything. */
function hostileAnswer(below: Below): Behaviour {
  const text = attackText(below);
  const answers: readonly Behaviour[] = [
    behaviour.message({ content: text, reasoning: text }, text),
    behaviour.message({ content: `${text}\nACTION: SAY "${text}"` }, text),
    behaviour.message({
      content: null,
      tool_calls: [{ function: { name: text, arguments: `{"text":"${text}"}` } }],
    }),
    behaviour.message({ content: 'ACTION: WAIT' }, text),
    behaviour.changed((completion) => void (completion.model = text)),
    behaviour.error(oneOf(below, [400, 401, 404, 422, 501]), text),
    behaviour.status(oneOf(below, [400, 403, 501]), text.toWellFormed()),
    behaviour.status(400, { detail: [{ msg: text }] }),
    behaviour.raw(text.toWellFormed()),
    ({ request }) =>
      void request.socket.end(`HTTP/1.1 302 ${text}\r\nlocation: /${text}\r\nserver: ${text}\r\n\r\n`),
    ({ request }) => void request.socket.end(text),
  ];
  return oneOf(below, answers);
}

function onServer(below: Below): Attempt {
  server.next(...Array.from({ length: 4 }, () => hostileAnswer(below)));
  if (below(3) === 0)
    server.nextModels(({ json }) =>
      json(200, { data: [{ id: attackText(below), owned_by: attackText(below) }] }),
    );
  const at = ['--base-url', server.baseUrl];
  const ways: readonly Attempt[] = [
    { args: ['run', 'corridor.yaml', ...at, '--out', fresh('s.sqlite')] },
    { args: ['run', 'corridor.yaml', ...at, '--out', fresh('s.sqlite'), '--json', '--protocol', 'tools'] },
    { args: ['doctor', ...at] },
    { args: ['doctor', ...at, '--json'] },
    { args: ['doctor', ...at, '--model', 'fake-vlm'] },
    { args: ['ask', 'run.sqlite', 'Why?', '--step', '1', ...at] },
    { args: ['show', 's.sqlite'] },
    { args: ['show', 's.sqlite', '--step', '1'] },
    { args: ['reparse', 's.sqlite', '--examples', '9'] },
    { args: ['report', 's.sqlite'] },
  ];
  return oneOf(below, ways);
}

function onProgram(below: Below): Attempt {
  const [one, other, words] = [attackText(below), attackText(below), attackText(below)].map((text) =>
    JSON.stringify(text),
  );
  const said = oneOf(below, [
    `JSON.stringify({ type: 'reply', id, content: ${one}, memory: ${other} })`,
    `JSON.stringify({ type: ${one}, id })`,
    `${one}`,
    `(process.exitCode = 7, process.exit())`,
  ]);
  writeFileSync(
    join(cwd, 'program.mjs'),
    `import { createInterface } from 'node:readline';
process.stderr.write(${words});
for await (const line of createInterface({ input: process.stdin })) {
  const { type, id } = JSON.parse(line);
  if (type === 'hello') console.log(${below(4) === 0 ? one : `'{"type":"ready","protocol":1}'`});
  if (type === 'observe') console.log(${said});
}`,
  );
  const program = `ann='${process.execPath}' '${join(cwd, 'program.mjs')}'`;
  return {
    args: [
      'run',
      'corridor.yaml',
      '--process',
      program,
      '--process-timeout',
      '2',
      '--out',
      fresh('p.sqlite'),
    ],
  };
}

function onMarks(below: Below): Attempt {
  copyFileSync(join(cwd, 'run.sqlite'), join(cwd, 'marked.sqlite'));
  const mark = {
    run: attackText(below),
    step: 1,
    verdict: oneOf(below, ['rejected', 'corrected', attackText(below)]),
    text: attackText(below),
  };
  const own = below(3) === 0 ? attackText(below) : JSON.stringify(mark);
  writeFileSync(join(cwd, 'marked.sqlite.marks.jsonl'), `${own}\n`);
  const ways = [
    ['mark', 'marked.sqlite', '--step', '1', '--reject', attackText(below)],
    ['mark', 'marked.sqlite', '--step', '1', '--correct', attackText(below)],
    ['export', 'marked.sqlite', '--out', fresh('marked'), '--format', 'jsonl'],
    ['view', 'marked.sqlite', '--out', fresh('marked.html')],
  ];
  return { args: oneOf(below, ways) };
}

/** Options that take words, and places of a command line. */
const WORDS: readonly ((text: string) => readonly string[])[] = [
  (text) => [text],
  (text) => [`--${text}`],
  (text) => ['run', text],
  (text) => ['show', text],
  (text) => ['show', `run.sqlite#${text}`],
  (text) => ['report', text, text],
  (text) => ['run', 'corridor.yaml', `--${text}=1`],
  (text) => ['run', 'corridor.yaml', '--seed', text, '--out', fresh('o.sqlite')],
  (text) => ['run', 'corridor.yaml', '--set', text],
  (text) => ['run', 'corridor.yaml', '--set', `title=${text}`, '--out', fresh('o.sqlite')],
  (text) => ['run', 'corridor.yaml', '--set', `agents.ann.name=${text}`, '--out', fresh('o.sqlite')],
  (text) => ['run', 'corridor.yaml', '--controller', text],
  (text) => ['run', 'corridor.yaml', '--human', text],
  (text) => ['run', 'corridor.yaml', '--process', `ann=${text}`, '--out', fresh('o.sqlite')],
  (text) => ['run', 'corridor.yaml', '--base-url', text],
  (text) => ['run', 'corridor.yaml', '--base-url', server.baseUrl, '--model', text],
  (text) => ['run', 'corridor.yaml', '--modules', text],
  (text) => ['run', 'corridor.yaml', '--out', `${text.replace(/[/\0]/g, '')}/x.sqlite`],
  (text) => ['run', 'corridor.yaml', '--max-turns', text],
  (text) => ['check', 'corridor.yaml', '--without', text],
  (text) => ['check', 'corridor.yaml', '--replies', text],
  (text) => ['preview', 'corridor.yaml', '--agent', text],
  (text) => ['parse', 'corridor.yaml', '--protocol', text],
  (text) => ['fork', 'run.sqlite', '--at', '1', '--reply', text],
  (text) => ['fork', 'run.sqlite', '--at', '1', '--say', `ann:${text}`],
  (text) => ['fork', 'run.sqlite', '--at', text],
  (text) => ['ask', 'run.sqlite', text, '--step', '1', '--base-url', server.baseUrl],
  (text) => ['export', 'run.sqlite', '--out', fresh('e'), '--where', text],
  (text) => ['export', 'run.sqlite', '--out', fresh('e'), '--split', text],
  (text) => ['export', 'run.sqlite', '--out', fresh('e'), '--agent', text, '--model', text],
  (text) => ['export', 'run.sqlite', '--out', fresh('e'), '--format', text],
  (text) => ['replay', 'run.sqlite', '--out', text],
  (text) => ['view', 'run.sqlite', '--out', text],
  (text) => ['doctor', '--api-key-env', text],
  (text) => ['init', text.replace(/[/\0]/g, '') || 'x'],
  (text) => ['batch', text],
];

function onOptions(below: Below): Attempt {
  // An argument of a process ends at a NUL.
  const text = attackText(below).replaceAll('\0', '').slice(0, 3000);
  return { args: oneOf(below, WORDS)(text === '' ? 'x' : text) };
}

function onModule(below: Below): Attempt {
  const text = JSON.stringify(attackText(below));
  const bodies = [
    `throw new Error(${text});`,
    `export default ${text};`,
    `{{{ ${text}`,
    `export const actions = [{ name: ${text} }];`,
  ];
  writeFileSync(join(cwd, 'own.mjs'), oneOf(below, bodies));
  return {
    args: ['check', 'corridor.yaml', '--modules', copied('own.mjs', `own-${below(1_000_000_000)}.mjs`)],
  };
}

/** Node keeps modules by their names. */
function copied(from: string, to: string): string {
  copyFileSync(join(cwd, from), join(cwd, to));
  return to;
}

function onFile(below: Below): Attempt {
  const text = below(2) === 0 ? hostileScenario(below) : corridor('max: 2');
  const folder = below(2) === 0 ? hostileName(below) : 'f';
  const name = below(4) === 0 ? 's.yaml' : `${hostileName(below)}.yaml`;
  if (folder !== '.' && folder !== '..') mkdirSync(join(cwd, folder), { recursive: true });
  writeFileSync(join(cwd, folder, name), below(8) === 0 ? attackText(below) : text);
  return onScenario(`./${folder}/${name}`, below);
}

const ENTRANCES: Readonly<Record<string, (below: Below) => Attempt>> = {
  'a scenario and its file’s name': onFile,
  'a server': onServer,
  'a program': onProgram,
  marks: onMarks,
  options: onOptions,
  'a module': onModule,
};

describe('hostile text', () => {
  it.each(Object.keys(ENTRANCES))('from %s sends nothing to a terminal', SIZED, async (what) => {
    const below = chance(`terminal, ${what}`);
    const share = Math.ceil(sizeOf('terminalOthers') / Object.keys(ENTRANCES).length);
    // A program takes a second to start, to fail and to start anew.
    const size = what === 'a program' ? Math.ceil(share / 4) : share;
    const next = (): Attempt => {
      const attempt = ENTRANCES[what]?.(below);
      if (attempt === undefined) throw new Error(what);
      return attempt;
    };
    expect(await strays({ size, next, below, cwd })).toEqual([]);
    reached(`9 speech, terminal, ${what}`, `${grouped(size)} commands, 0 codes got through`);
  });

  it('from a failure that nobody awaits, or a warning, goes the same way', async () => {
    const attack = '\u001b]0;owned\u0007\u202e\u009b31m';
    writeFileSync(
      join(cwd, 'late.mjs'),
      `process.emitWarning(${JSON.stringify(attack)});\nsetTimeout(() => { throw new Error(${JSON.stringify(attack)}); }, 30);\nawait new Promise((resolve) => setTimeout(resolve, 2000));\n`,
    );
    const { code, err } = await runProgram([
      'check',
      join(cwd, 'corridor.yaml'),
      '--modules',
      join(cwd, 'late.mjs'),
    ]);
    expect([code, err]).toEqual([1, expect.stringContaining(']0;owned')]);
    expect(err).toContain('Warning: ]0;owned');
    expect(strayIn(Buffer.from(err), false)).toBeNull();
  });
});

it('a JSON document holds what it would hold anywhere else', async () => {
  const below = chance('terminal, documents');
  for (let n = 0; n < 12; n++) {
    const seed = `seed ${attackText(below).toWellFormed()}`.slice(0, 60).toWellFormed();
    const words = ['run', 'corridor.yaml', '--seed', seed, '--out', fresh('seeded.sqlite'), '--quiet'];
    expect(await orchestrate(words, { cwd })).toMatchObject({ code: 0, err: '' });
    const { out } = await orchestrate(['show', 'seeded.sqlite', '--json'], { cwd });
    expect(JSON.parse(out)).toMatchObject({ seed });
  }
});

describe('a sheet', () => {
  const sent = (text: string): string => {
    const chunks: string[] = [];
    textOutput({ write: (bytes) => chunks.push(String(bytes)), isTTY: true }).write(text);
    return chunks.join('');
  };
  const red = ownCode('\u001b[31m');

  it.each([
    ['plain text', 'a b\nc', 'a b\nc'],
    ['a stranger’s colour', 'a\u001b[31mb', 'a[31mb'],
    ['the program’s colour', `${red}a`, '\u001b[31ma'],
    ['a stranger’s code within the program’s colour', `${red}\u001b[2Ja${red}`, '\u001b[31m[2Ja\u001b[31m'],
    ['a code that was cut in its midst', `${red.slice(0, -8)}\u001b[2J`, null],
    ['a code that was cut, before a whole one', `${red.slice(0, 20)}\u001b[2J${red}`, null],
    ['a code’s end alone', `\u001b[2J${red.slice(-17)}\u001b[2J`, null],
    ['tabs and line ends', 'a\tb\r\nc\rd', 'a    b\r\nc\nd'],
    ['what can’t be seen', '\u202ea\u200b\u{e0041}\ud83d', 'a\ufffd'],
    ['variation selectors', '❤\ufe0f', '❤\ufe0f'],
  ])('sends %s as it may', (_what, text, meant) => {
    if (meant === null) expect(sent(text)).not.toMatch(/\u001b\[2J/);
    else expect(sent(text)).toBe(meant);
  });

  it('has a mark that nobody can guess', () => {
    const [mark = ''] = ownCode('').split('<');
    expect(mark).toMatch(/^[\w-]{16}$/);
    expect(terminalText(`AAAAAAAAAAAAAAAA<\u001b[2JAAAAAAAAAAAAAAAA>`)).not.toContain('\u001b');
  });

  it('is looked through by an oracle that finds each code', () => {
    const below = chance('terminal, oracle');
    for (let i = 0; i < 500; i++) {
      const text = Buffer.from(`x${attackText(below)}`);
      const isHarmless = /^[\n\t]*$/.test(text.toString().replace(/[\P{C}\ufffd]|\r\n/gu, ''));
      if (!isHarmless) expect(strayIn(text, i % 2 === 0)).not.toBeNull();
    }
    expect(strayIn(readFileSync(join(cwd, 'corridor.yaml')), false)).toBeNull();
    expect(terminalText(red)).toBe('\u001b[31m');
  });
});

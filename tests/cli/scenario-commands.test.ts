/** `check`, `preview` and `parse`: what an author asks of a scenario before it is played. */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { capturedIo, orchestrate } from '../support/captured-io.js';
import { startProgram } from '../support/children.js';
import { temporaryFolder } from '../support/folder.js';
import { corridor } from '../orchestrator/two-agents.js';
import { main } from '../../src/cli/main.js';
import { LONG_SIZED, someOf } from '../support/sizes.js';

const folder = temporaryFolder();
const CRYPT = join(process.cwd(), 'scenarios', 'crypt.yaml');
const PNG = '89504e470d0a1a0a';

function written(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return name;
}

const on = (args: readonly string[], stdin = '') => orchestrate(args, { cwd: folder, stdin });
written('good.yaml', corridor());

describe('check', () => {
  it.each(someOf(['crypt', 'brass-key', 'watchman', 'two-keepers'], 'scenarios'))(
    'finds nothing wrong with %s',
    LONG_SIZED,
    async (name) => {
      const { code, out, err } = await on(['check', join(process.cwd(), 'scenarios', `${name}.yaml`)]);
      expect([code, err]).toEqual([0, '']);
      expect(out).toMatch(
        /^ok .*\.yaml: .* \(\d agents?, at most \d+ turns\)\n(?: {3}seed \d+ draws .*\n)? {3}can be won in \d+ turns.*\n$/,
      );
    },
  );

  it('lets a scenario read the variable that --env names', async () => {
    const text = readFileSync(CRYPT, 'utf8');
    written('reads.yaml', text.replace(/\$\{VLLM_URL[^}]*\}/, '${MY_SERVER}'));
    const { io, err } = capturedIo({ cwd: folder, env: { MY_SERVER: 'http://localhost:9/v1' } });
    expect(await main(['check', 'reads.yaml', '--effort', '0'], io)).toBe(2);
    expect(err()).toContain('allow it with --env MY_SERVER');
    expect(await main(['check', 'reads.yaml', '--effort', '0', '--env', 'MY_SERVER'], io)).toBe(0);
  });

  it.each([
    [
      'an unknown key',
      ['title: Corridor', 'titel: Corridor'],
      "titel.yaml:1:1 error: unknown key 'titel'",
      "did you mean 'title'?",
    ],
    [
      'an unknown thing in the legend',
      ['{ thing: coin }', '{ thing: con }'],
      "'con'",
      "did you mean 'coin'?",
    ],
    ['an unknown tile', ['sprite: item/coin', 'sprite: item/cone'], 'item/cone', "did you mean 'item/coin'?"],
    ['an unknown model', ['sprite: figure/knight', 'sprite: figure/knight, model: mian'], 'mian', 'error'],
    ['a ragged map', ['#..k.s#', '#..k.s'], 'error', '^'],
    ['two agents of one id', ['id: bob', 'id: ann'], 'ann', 'error'],
  ])(
    'tells %s with file, line, column, the line itself and a way out',
    async (_, [from = '', to = ''], words, way) => {
      const name = 'titel.yaml';
      written(name, corridor().replace(from, to));
      const { code, out, err } = await on(['check', name]);
      expect([code, out]).toEqual([2, '']);
      expect(err).toContain(words);
      expect(err).toContain(way);
      expect(err).toMatch(/titel\.yaml:\d+:\d+ error: .*\n {2}\d+ \| .*\n {2,}\| +\^/);
      expect(err).toMatch(/error: \d+ mistakes? in titel\.yaml\n$/);
    },
  );

  it('names every file that mistakes are in', async () => {
    written('sys.txt', 'You {{who}}. {{answer_format}}\n');
    written('turn.txt', '{{whoops}} {{actions}} {{problem}}\n');
    const templates = 'prompt: { templates: { system: sys.txt, turn: turn.txt } }\n';
    written('two.yaml', `${corridor()}${templates}`);
    const two = await on(['check', 'two.yaml']);
    expect(two.err).toMatch(/sys\.txt:1:\d+ error: [\s\S]*turn\.txt:1:\d+ error: /);
    expect(two.err).toMatch(/\nerror: 2 mistakes in sys\.txt and turn\.txt\n$/);
    const more = await on(['check', 'two.yaml', '--set', 'turns.max=many']);
    expect(more.err).toMatch(/\nerror: 3 mistakes in --set, sys\.txt and turn\.txt\n$/);
  });

  it('tells every mistake at once, each one time', async () => {
    written('many.yaml', corridor().replace('id: bob', 'id: ann').replace('item/coin', 'item/cone'));
    const { err } = await on(['check', 'many.yaml']);
    expect(err.match(/item\/cone/g)).toHaveLength(2);
    expect(err.match(/many\.yaml:\d+:\d+ error/g)?.length).toBeGreaterThan(1);
  });

  it('tells a file that is not there by the name that was typed, and looks at the others', async () => {
    const { code, out, err } = await on(['check', 'nope.yaml', 'good.yaml', '--effort', '0']);
    expect(code).toBe(2);
    expect(err).toContain("error: the scenario nope.yaml can't be read: there is no such file or folder\n");
    expect(out).toContain('ok good.yaml');
    const told = await on(['check', 'nope.yaml', '--json']);
    expect([told.code, told.err]).toEqual([2, '']);
    expect(JSON.parse(told.out)).toMatchObject({
      file: 'nope.yaml',
      ok: false,
      diagnostics: [{ severity: 'error', file: 'nope.yaml' }],
    });
  });

  it('answers --json with one document, a list for several files', async () => {
    written('wrong.yaml', corridor().replace('title:', 'titel:'));
    const one = await on(['check', 'wrong.yaml', '--json']);
    expect([one.code, one.err]).toEqual([2, '']);
    expect(JSON.parse(one.out)).toMatchObject({
      file: 'wrong.yaml',
      ok: false,
      diagnostics: [
        { severity: 'error', file: 'wrong.yaml', line: 1, column: 1 },
        { severity: 'error', source: 'titel: Corridor', suggestion: "did you mean 'title'?" },
      ],
    });
    const two = await on(['check', 'wrong.yaml', 'good.yaml', '--json']);
    expect(two.code).toBe(2);
    expect(JSON.parse(two.out)).toMatchObject([
      { ok: false },
      { file: 'good.yaml', ok: true, diagnostics: [] },
    ]);
  });

  it('looks at the next file after a wrong one', async () => {
    const { code, out } = await on(['check', 'wrong.yaml', 'good.yaml']);
    expect(code).toBe(2);
    expect(out).toContain('ok good.yaml');
  });
});

describe('preview', () => {
  it('draws the map, and an agent’s first frame, as PNG files that differ', async () => {
    const map = await on(['preview', CRYPT]);
    const frame = await on(['preview', CRYPT, '--agent', 'knight']);
    expect(map.out).toBe('wrote crypt.png\n');
    expect(frame.out).toMatch(/^wrote crypt-knight\.png\n480 × 480 pixels; image tokens: /);
    expect(frame.out).not.toContain('past pictures');
    const memory = ['pictures=4', 'recalls=1'].flatMap((one) => ['--set', `agents.knight.memory.${one}`]);
    const looking = await on(['preview', CRYPT, '--agent', 'knight', '--out', 'again.png', ...memory]);
    expect(looking.out).toContain('\nwith past pictures, a request has up to 6 pictures, and each costs');
    const [one, two] = ['crypt.png', 'crypt-knight.png'].map((name) => readFileSync(join(folder, name)));
    expect(one?.subarray(0, 8).toString('hex')).toBe(PNG);
    expect(two?.subarray(0, 8).toString('hex')).toBe(PNG);
    expect(one?.equals(two ?? Buffer.alloc(0))).toBe(false);
    expect(existsSync(join(folder, 'crypt.png.part'))).toBe(false);
  });

  it('writes where it is told, and to standard output with -', async () => {
    await on(['preview', CRYPT, '--agent', 'knight', '--out', 'k.png']);
    const captured = capturedIo({ cwd: folder });
    expect(await main(['preview', CRYPT, '--agent', 'knight', '--out', '-'], captured.io)).toBe(0);
    expect(captured.bytes().equals(readFileSync(join(folder, 'k.png')))).toBe(true);
  });

  it('writes over what it drew before, and over nothing else unless it is named', async () => {
    const kept = written('good.png', 'somebody else’s');
    const refused = await on(['preview', 'good.yaml']);
    expect(refused).toMatchObject({ code: 2, out: '' });
    expect(refused.err).toContain('good.png already exists and was not created by preview');
    expect(readFileSync(join(folder, kept), 'utf8')).toBe('somebody else’s');
    for (const args of [['--out', kept], [], []])
      expect(await on(['preview', 'good.yaml', ...args])).toMatchObject({ code: 0, out: 'wrote good.png\n' });
  });

  it('prints the first request for people', async () => {
    const { out } = await on(['preview', CRYPT, '--agent', 'wizard', '--messages']);
    expect(out).toContain('system\n');
    expect(out).toContain('You are the wizard.');
    expect(out).toMatch(/user\nTurn 1\.\n/);
    expect(out).toMatch(/\[picture [0-9a-f]{16}, \d+ bytes\]/);
  });

  it.each([
    ['an agent that is not there', ['--agent', 'nobody'], 2, 'its agents: wizard, blacksmith, knight'],
    ['a place that can not be written', ['--out', 'no/such/folder.png'], 3, 'choose another path with --out'],
    ['--watch to standard output', ['--watch', '--out', '-'], 2, 'one picture'],
  ])('refuses %s', async (_, more, code, words) => {
    const ran = await on(['preview', CRYPT, ...more]);
    expect(ran.code).toBe(code);
    expect(ran.err).toContain(words);
  });

  it('draws again on each save with --watch, tells mistakes and goes on, until Ctrl-C', async () => {
    const cwd = join(folder, 'watched');
    mkdirSync(cwd);
    const file = join(cwd, 'w.yaml');
    writeFileSync(file, corridor());
    const child = startProgram(['preview', 'w.yaml', '--watch'], { cwd });
    await child.prints(/w\.png/);
    const first = readFileSync(join(cwd, 'w.png'));
    writeFileSync(file, corridor().replace('title:', 'titel:'));
    await child.prints(/unknown key 'titel'/);
    writeFileSync(file, corridor().replace('#.A.B.#', '#A..B.#'));
    await child.prints(/w\.png/, 2);
    expect(readFileSync(join(cwd, 'w.png')).equals(first)).toBe(false);
    child.process.kill('SIGINT');
    expect((await child.ended).code).toBe(0);
  });
});

describe('--watch', () => {
  /** Draws a scenario that reads a template in a folder of its own; every drawing prints its path. */
  async function watchedIn(name: string) {
    const cwd = join(folder, name);
    mkdirSync(join(cwd, 'prompts'), { recursive: true });
    writeFileSync(join(cwd, 'prompts', 'turn.txt'), 'Turn {{turn}} {{actions}} {{problem}}');
    const text = `${corridor()}prompt: { templates: { turn: prompts/turn.txt } }\n`;
    writeFileSync(join(cwd, 'w.yaml'), text);
    const child = startProgram(['preview', 'w.yaml', '--watch'], { cwd });
    await child.prints(/w\.png/);
    const drawn = () => child.output().match(/w\.png/g)?.length ?? 0;
    return { cwd, text, child, drawn };
  }

  it('draws nothing for other files and for saves without a change, and sees files below the folder', async () => {
    const { cwd, text, child, drawn } = await watchedIn('quiet');
    writeFileSync(join(cwd, 'notes.log'), 'one');
    writeFileSync(join(cwd, 'w.yaml'), text);
    writeFileSync(join(cwd, 'notes.log'), 'two');
    writeFileSync(join(cwd, 'prompts', 'turn.txt'), 'Turn {{trun}} {{actions}} {{problem}}');
    await child.prints(/unknown placeholder 'trun'/);
    expect(drawn()).toBe(1);
    child.process.kill('SIGINT');
    expect((await child.ended).code).toBe(0);
  });

  it('takes a save by renaming, and tells a mistake once', { tags: ['long'] }, async () => {
    const { cwd, text, child, drawn } = await watchedIn('renamed');
    rmSync(join(cwd, 'w.yaml'));
    writeFileSync(join(cwd, 'w.new'), text.replace('title:', 'titel:'));
    renameSync(join(cwd, 'w.new'), join(cwd, 'w.yaml'));
    await child.prints(/unknown key 'titel'/);
    for (const words of ['one', 'two']) writeFileSync(join(cwd, 'notes.log'), words);
    writeFileSync(join(cwd, 'w.yaml'), text);
    await child.prints(/w\.png/, 2);
    expect(child.output().match(/unknown key/g)).toHaveLength(1);
    expect(child.output()).not.toContain('no such file');
    expect(drawn()).toBe(2);
    child.process.kill('SIGINT');
    await child.ended;
  });
});

describe('parse', () => {
  const parsed = async (reply: string, ...more: readonly string[]) => {
    const { code, out } = await on(['parse', CRYPT, '--json', ...more], reply);
    return {
      code,
      ...(JSON.parse(out) as { ok: boolean; problem: { code: string } | null }),
    };
  };

  it('shows what was understood and where', async () => {
    const { code, out } = await on(['parse', CRYPT], 'I will look around.\nACTION: GO TO scroll\n');
    expect(code).toBe(0);
    expect(out).toBe(
      'I will look around.\nACTION: ⟦GO TO scroll⟧\n\nrule     label\nspan     28–40\nintent   GO {"target": "scroll"}\n',
    );
  });

  it('shows what surrounds the span of a long reply, and the verdict', async () => {
    const { out } = await on(['parse', CRYPT], `${'I wonder. '.repeat(5_000)}\nACTION: GO TO scroll\n`);
    expect(out.length).toBeLessThan(3000);
    expect(out).toMatch(/^\n?… \d+ more characters …\n/);
    expect(out).toContain('ACTION: ⟦GO TO scroll⟧\n\nrule     label');
  });

  it('answers --json with ok, action, args, span, rung and problem', async () => {
    expect(await parsed('ACTION: GO TO scroll')).toEqual({
      code: 0,
      ok: true,
      action: 'GO',
      args: { target: 'scroll' },
      span: [8, 20],
      rung: 'label',
      problem: null,
    });
  });

  it.each([
    ['nothing to act on', 'I wonder.', [], 'unparsable'],
    ['nothing at all', '', [], 'empty'],
    ['a cut reply', 'ACTION: GO TO scroll', ['--finish-reason', 'length'], 'truncated'],
    ['another verb than there is', 'ACTION: FLY north', [], 'unknown-action'],
    ['what this agent does not see', 'ACTION: GO TO scroll', ['--agent', 'knight'], 'bad-argument'],
    ['two answers without a label', 'GO NORTH\nGO SOUTH', [], 'ambiguous'],
  ])('exits 1 for %s, with no action', async (_, reply, more, code) => {
    expect(await parsed(reply, ...more)).toMatchObject({
      code: 1,
      ok: false,
      action: null,
      problem: { code },
    });
  });

  it('never acts on reasoning that came apart', async () => {
    written('thoughts.txt', 'ACTION: GO TO scroll');
    const { ok } = await parsed('Well.', '--reasoning-file', 'thoughts.txt');
    expect(ok).toBe(false);
    const missing = await on(['parse', CRYPT, '--reasoning-file', 'missing.txt'], 'x');
    expect(missing.code).toBe(2);
    expect(missing.err).toContain('there is no such file');
  });

  const target = { name: 'GO', arguments: '{"target": "scroll"}' };

  it.each([
    ['json', '{"name": "GO", "parameters": {"target": "scroll"}}', 'object'],
    ['react', 'Action: GO\nAction Input: {"target": "scroll"}', 'block'],
    ['tools', '<tool_call>{"name": "GO", "arguments": {"target": "scroll"}}</tool_call>', 'tool call'],
    ['tools', JSON.stringify({ content: 'I go.', tool_calls: [{ function: target }] }), 'tool call'],
  ])('reads %s', async (protocol, reply, rung) => {
    expect(await parsed(reply, '--protocol', protocol)).toMatchObject({
      code: 0,
      action: 'GO',
      args: { target: 'scroll' },
      rung,
    });
  });

  const calling = { role: 'assistant', content: null, tool_calls: [{ type: 'function', function: target }] };
  const inText = {
    role: 'assistant',
    content: '<tool_call>{"name": "GO", "arguments": {"target": "scroll"}}</tool_call>',
  };
  const body = (message: object, end: object = {}) => ({
    object: 'chat.completion',
    choices: [{ index: 0, message, ...end }],
  });

  it.each([
    ['a body', body(calling, { finish_reason: 'tool_calls' })],
    ['a body that tells no end', body(calling)],
    ['a choice', { message: calling, finish_reason: 'stop' }],
    ['a message', calling],
    ['a message with the call left in its text', inText],
    ['a body with the call left in its text', body(inText, { finish_reason: 'stop' })],
    ['words alone', { content: inText.content }],
  ])('reads %s as a server gives it', async (_, given) => {
    const read = await parsed(JSON.stringify(given, null, 2), '--protocol', 'tools');
    expect(read).toMatchObject({ code: 0, action: 'GO', args: { target: 'scroll' } });
  });

  it('takes the end and the protocol of an answer for what they are', async () => {
    const words = { role: 'assistant', content: 'ACTION: GO TO scroll', reasoning: 'Hm.' };
    const given = (end: object) => JSON.stringify(body(words, end));
    expect(await parsed(given({ finish_reason: 'stop' }))).toMatchObject({ ok: true, action: 'GO' });
    for (const end of ['length', null])
      expect(await parsed(given({ finish_reason: end }))).toMatchObject({ problem: { code: 'truncated' } });
    expect(await parsed(given({ finish_reason: 'length' }), '--finish-reason', 'stop')).toMatchObject({
      ok: true,
    });
    expect(await parsed('{"content": "ACTION: WAIT", "name": "x"}')).toMatchObject({ ok: false });
  });

  it('shows a native call, which stands nowhere in the text', async () => {
    const reply = JSON.stringify({ content: null, tool_calls: [{ function: target }] });
    const { out } = await on(['parse', CRYPT, '--protocol', 'tools'], reply);
    expect(out).toContain(
      'call     GO {"target": "scroll"}\nrule     tool call\nspan     none\nintent   GO {"target": "scroll"}\n',
    );
    const wrong = { name: 'GO', arguments: '{"where": "scroll"}' };
    const calls = JSON.stringify({ content: null, tool_calls: [{ function: wrong }] });
    expect((await on(['parse', CRYPT, '--protocol', 'tools'], calls)).out).toContain(
      'call     GO {"where": "scroll"}\nrule     tool call\nspan     none\nintent   none\nproblem  bad-argument: ',
    );
  });

  it('marks a problem for people', async () => {
    const { out } = await on(['parse', CRYPT], 'ACTION: FLY north');
    expect(out).toContain('problem  unknown-action: ');
  });
});

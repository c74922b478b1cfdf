/** `replay`: what keys do, that the terminal comes back, stills and films, and that nothing is overwritten or left behind. */
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { known } from '../../src/base/assert.js';
import { actionOf, KEYS } from '../../src/cli/live/replay-keys.js';
import { LogReader } from '../../src/log/reader.js';
import { orchestrate } from '../support/captured-io.js';
import { temporaryFolder } from '../support/folder.js';
import { inTerminal } from '../support/terminal.js';
import type { TerminalOptions } from '../support/terminal.js';
import { answering } from '../support/controllers.js';
import { changed, logged } from '../replay/support.js';
import { corridor } from '../orchestrator/two-agents.js';

const cwd = temporaryFolder();
const HOSTILE = 'I look \u001b[2J\u001b]0;owned\u0007around.\nACTION: GO EAST\n';
let log = '';
let steps = 0;

beforeAll(async () => {
  const ann = answering([HOSTILE, 'hm', 'ACTION: SPEAK "Mind the step, Bob."', 'ACTION: TAKE coin']);
  const bob = answering(['ACTION: GO WEST', 'ACTION: GO SOUTH', 'ACTION: READ sign', 'ACTION: WAIT']);
  log = (await logged(corridor('max: 4'), { controllers: { ann, bob } })).path;
  const reader = new LogReader(log);
  steps = reader.runs()[0]?.steps ?? 0;
  reader.close();
});

const replay = (args: readonly string[], options = {}) =>
  orchestrate(['replay', log, ...args], { cwd, ...options });
const open = (args: readonly string[] = [], options: TerminalOptions = {}) =>
  inTerminal(['replay', log, ...args], options);
type Opened = ReturnType<typeof open>;
const shows = (one: Opened, pattern: RegExp) => expect.poll(() => one.rows().join('\n')).toMatch(pattern);

const [RIGHT, LEFT, HOME, END, UP, DOWN, ESCAPE] = [
  '\u001b[C',
  '\u001b[D',
  '\u001b[H',
  '\u001b[F',
  '\u001b[A',
  '\u001b[B',
  '\u001b',
];

describe('in the terminal', () => {
  it('each key does what the list says', async () => {
    const one = open();
    await shows(one, /step 1 of 12 · turn 1 · Ann|step 1 of 12 · turn 1 · ann/);
    await shows(one, /▀{30}.*→ GO EAST/);
    await shows(one, /⟦GO EAST⟧/);
    one.type(RIGHT);
    await shows(one, /step 2 of/);
    one.type(LEFT);
    await shows(one, /step 1 of/);
    one.type(LEFT);
    await shows(one, /this is the first step/);
    one.type(END);
    await shows(one, new RegExp(`step ${steps} of`));
    one.type(RIGHT);
    await shows(one, /this is the last step/);
    one.type(HOME);
    await shows(one, /step 1 of/);
    one.type('g4\r');
    await shows(one, /step 4 of[\s\S]*→ hm|step 4 of[\s\S]*\(no action\)/);
    await shows(one, /“Mind the step, Bob\.”/);
    one.type('g99\r');
    await shows(one, /there is no step 99: the run has steps 1 to 12/);
    one.type('a');
    await shows(one, /a ann/i);
    one.type(RIGHT);
    await shows(one, /step 7 of/);
    one.type('aaa');
    await shows(one, /a all/);
    one.type('v');
    await shows(one, /v map/);
    one.type('v');
    await shows(one, /v all/);
    one.type('/MIND THE\r');
    await shows(one, /step \d+ of[\s\S]*Mind the/);
    one.type('?');
    await shows(one, /Keys[\s\S]*space +play or pause[\s\S]*q +quit/);
    one.type('x');
    await shows(one, /\? keys/);
    one.type(DOWN);
    one.type(UP);
    one.type('q');
    expect(await one.ended).toBe(0);
  });

  it(
    'finds again, backwards, around the end, and says where there is nothing',
    { tags: ['long'] },
    async () => {
      const one = open();
      await shows(one, /step 1 of/);
      one.type('n');
      await shows(one, /search first: press \//);
      one.type('/took the coin\r');
      await shows(one, /step 7 of/);
      one.type('/nowhere at all\r');
      await shows(one, /“nowhere at all” was not found in other steps/);
      one.type(`/waited\r`);
      await shows(one, /step (?:8|10|11) of/);
      one.type('N');
      await shows(one, /step 7 of|step 8 of|step 1[01] of/);
      one.type(`/abc${ESCAPE}`);
      await shows(one, /q quit/);
      one.type('q');
      expect(await one.ended).toBe(0);
    },
  );

  it('plays by itself until it is stopped, faster and slower', async () => {
    const one = open(['--agent', 'bob']);
    await shows(one, /step 2 of/);
    one.type('+++ ');
    await shows(one, /step 11 of[\s\S]*this is the last step/);
    one.type('q');
    await one.ended;
  });

  it('lets nothing that a model said steer the terminal', async () => {
    const one = open();
    await shows(one, /I look/);
    one.type('q');
    await one.ended;
    expect(one.raw()).not.toContain('\u001b[2J');
    expect(one.raw()).not.toContain('\u0007');
  });

  it.each([
    [80, 24],
    [120, 40],
    [40, 10],
  ])('fits into %i × %i', async (columns, rows) => {
    const one = open(['--step', '4'], { columns, rows });
    await shows(one, /step 4 of/);
    const screen = one.rows();
    expect(screen.length).toBeLessThanOrEqual(rows);
    expect(screen.filter((line) => Array.from(line).length > columns)).toEqual([]);
    one.resize(100, 30);
    await expect.poll(() => one.rows()[29]).toMatch(/q quit/);
    one.type('q');
    await one.ended;
  });

  it.each([
    ['q', (one: Opened) => one.type('q'), 0],
    ['Ctrl-C', (one: Opened) => one.type('\u0003'), 130],
    ['a signal to interrupt', (one: Opened) => one.interrupt(), 130],
  ] as const)('gives the terminal back after %s', async (_, leave, code) => {
    const one = open();
    await shows(one, /step 1 of/);
    expect(one.isRaw()).toBe(true);
    leave(one);
    expect(await one.ended).toBe(code);
    expect(one.raw()).toMatch(/\u001b\[\?7h\u001b\[\?25h\u001b\[\?1049l$/);
    expect([one.isRaw(), one.listeners()]).toEqual([false, 0]);
  });

  it('gives it back where the process is ended, once', async () => {
    const one = open();
    await shows(one, /step 1 of/);
    one.end();
    expect(one.raw()).toMatch(/\u001b\[\?1049l$/);
    one.type('q');
    await one.ended;
    expect(one.raw().split('\u001b[?1049l')).toHaveLength(2);
  });

  it("draws by the terminal's own pictures, and takes them away", async () => {
    const one = open([], { answer: '\u001b_Gi=31;OK\u001b\\\u001b[?62;c' });
    await shows(one, /→ GO EAST/);
    one.type('q');
    await one.ended;
    expect(one.raw()).toContain('\u001b_Ga=T,f=100,i=7');
    expect(one.raw()).toMatch(/\u001b_Ga=d,d=I,i=7,q=2\u001b\\[^_]*\u001b\[\?1049l$/);
  });

  it('shows text alone where there is no picture', async () => {
    const { path } = await logged('scenarios/react.yaml');
    const one = inTerminal(['replay', path]);
    await shows(one, /^→ /m);
    one.type('q');
    expect(await one.ended).toBe(0);
    expect(one.raw()).not.toContain('▀');
  });

  it('has a key for every action, and no key twice', () => {
    const all = KEYS.flatMap(({ keys }) => keys);
    expect(new Set(all).size).toBe(all.length);
    for (const { action, keys } of KEYS)
      for (const key of keys)
        expect(actionOf(key.length === 1 ? { sequence: key } : { name: key, sequence: '\u001b[' })).toBe(
          action,
        );
    expect(actionOf({ name: 'g', sequence: 'G' })).toBe('last');
    expect(actionOf({ name: 'a', ctrl: true, sequence: 'a' })).toBeNull();
  });
});

describe('elsewhere', () => {
  it('says what to do instead on a pipe', async () => {
    const { code, err, out } = await replay([]);
    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(/needs a terminal[\s\S]*orchestrate show .* prints the steps[\s\S]*--out run\.gif/);
  });

  it.each([
    [['--out', 'x.png'], /a \.png shows one step/],
    [['--out', 'x.gif', '--step', '2'], /writes a single picture/],
    [['--from', '2'], /need --out/],
    [['--out', 'x.gif', '--from', '5', '--to', '4'], /is after --to/],
    [['--out', 'x.avi'], /ends in \.gif, \.webp or \.mp4/],
    [['--out', 'x.gif', '--to', '99'], /the run has no step 99/],
    [['--step', '13'], /the run has no step 13/],
    [['--agent', 'zed'], /no agent "zed"/],
    [['--view', 'agent:zed'], /no agent "zed"/],
    [['--view', 'moon'], /no view "moon"/],
  ])('refuses %j', async (args, words) => {
    const { code, err } = await replay(args);
    expect(code).toBe(2);
    expect(err).toMatch(words);
    expect(existsSync(join(cwd, 'x.gif'))).toBe(false);
  });
});

describe('one step as a PNG', () => {
  it('is the very file that was sent', async () => {
    expect((await replay(['--step', '4', '--out', 'sent.png'])).out).toBe('sent.png\n');
    const reader = new LogReader(log);
    const { runId } = known(reader.runs()[0], 'a run');
    const call = known(reader.step(runId, 4)?.calls.at(-1), 'a call');
    const hash = known(reader.call(runId, call)?.request.frameHash, 'a frame');
    expect(Buffer.compare(readFileSync(join(cwd, 'sent.png')), known(reader.frame(hash), 'it').png)).toBe(0);
    reader.close();
  });

  it.each([
    ['--view', 'map'],
    ['--view', 'all'],
    ['--agent', 'bob'],
  ])('is drawn for %s %s', async (...args) => {
    const name = `${args.join('').replace(/\W/g, '')}.png`;
    const { code, err } = await replay(['--step', '4', ...args, '--out', name]);
    expect([code, err]).toEqual([0, '']);
    expect(await sharp(join(cwd, name)).metadata()).toMatchObject({ format: 'png' });
  });
});

describe('a log that says what was not played', () => {
  const words = 'the replayed world after step 5 differs from the log (run verify)';
  const strange = () =>
    changed(log, (db) =>
      db.exec(`UPDATE steps SET state = replace(hex(zeroblob(32)), '0', 'a') WHERE step IN (5, 8)`),
    );

  it.each([
    ['a film', ['--out', 'strange.gif']],
    ['a part of a film', ['--from', '5', '--to', '6', '--out', 'strange-part.gif']],
    ['a picture', ['--step', '5', '--view', 'map', '--out', 'strange.png']],
  ])('warns with the first such step where %s is made of it', async (_what, args) => {
    const { code, err } = await orchestrate(['replay', strange(), ...args], { cwd });
    expect([code, err]).toEqual([0, expect.stringContaining(words)]);
  });

  it('does so in the terminal, and not where nothing is strange', async () => {
    const one = inTerminal(['replay', strange(), '--step', '5', '--view', 'map'], {});
    await shows(one, /the replayed world after step 5 differs from the log/);
    one.type('q');
    const { err } = await replay(['--from', '1', '--to', '12', '--out', 'sound.gif']);
    expect(err).toBe('');
  });
});

describe('a film', () => {
  it.each(['gif', 'webp'])('as %s tells all steps; --from and --to a part', async (format) => {
    expect((await replay(['--out', `run.${format}`])).code).toBe(0);
    const whole = await sharp(join(cwd, `run.${format}`), { pages: -1 }).metadata();
    expect((await replay(['--from', '2', '--to', '3', '--out', `part.${format}`])).code).toBe(0);
    const part = await sharp(join(cwd, `part.${format}`), { pages: -1 }).metadata();
    expect(whole.pages ?? 0).toBeGreaterThan(part.pages ?? 0);
    expect([whole.format, part.format]).toEqual([format, format]);
  });

  it('is not written over another file without --force, and leaves no part behind', async () => {
    writeFileSync(join(cwd, 'mine.gif'), 'mine');
    const { code, err } = await replay(['--out', 'mine.gif']);
    expect([code, readFileSync(join(cwd, 'mine.gif'), 'utf8')]).toEqual([2, 'mine']);
    expect(err).toContain('--force');
    expect((await replay(['--out', 'mine.gif', '--force'])).code).toBe(0);
    expect(readFileSync(join(cwd, 'mine.gif')).subarray(0, 6).toString()).toBe('GIF89a');
    expect(readdirSync(cwd).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  it('of a world without pictures is refused', async () => {
    const { path } = await logged('scenarios/react.yaml');
    const { code, err } = await orchestrate(['replay', path, '--out', 'r.gif'], { cwd });
    expect(code).toBe(2);
    expect(err).toMatch(/has no picture[\s\S]*orchestrate show/);
  });

  it('into a folder that is not there is a failure of storage', async () => {
    expect((await replay(['--out', 'no/such/run.gif'])).code).toBe(3);
  });
});

describe('an mp4', () => {
  const bin = join(cwd, 'bin');
  const fake = (script: string) => {
    mkdirSync(bin, { recursive: true });
    writeFileSync(join(bin, 'ffmpeg'), `#!${process.execPath}\n${script}`);
    chmodSync(join(bin, 'ffmpeg'), 0o755);
    return { env: { PATH: bin } };
  };

  it('without ffmpeg is refused with what needs none', async () => {
    const { code, err } = await replay(['--out', 'run.mp4'], { env: { PATH: join(cwd, 'empty') } });
    expect(code).toBe(2);
    expect(err).toMatch(/no ffmpeg|not on the PATH[\s\S]*\.gif or \.webp/);
  });

  it('is made by ffmpeg from whole pictures, without a shell', async () => {
    const options = fake(`
      const args = process.argv.slice(2);
      let bytes = 0;
      process.stdin.on('data', (chunk) => (bytes += chunk.length));
      process.stdin.on('end', async () =>
        (await import('node:fs')).writeFileSync(args.at(-1), JSON.stringify({ args, bytes })));`);
    const name = "it's $(touch owned).mp4";
    expect(await replay(['--out', name], options)).toMatchObject({ code: 0, err: '' });
    const { args, bytes } = JSON.parse(readFileSync(join(cwd, name), 'utf8')) as {
      args: string[];
      bytes: number;
    };
    const [width = 0, height = 0] = known(args[args.indexOf('-s') + 1], 'a size')
      .split('x')
      .map(Number);
    expect([width % 2, height % 2, bytes % (width * height * 3)]).toEqual([0, 0, 0]);
    expect(bytes / (width * height * 3)).toBeGreaterThan(steps);
    expect(basename(args.at(-1) ?? '')).toBe(`${name}.part`);
    expect(existsSync(join(cwd, 'owned'))).toBe(false);
  });

  it("tells ffmpeg's own words where it fails, and leaves no file", async () => {
    const options = fake(`process.stderr.write('no encoder for this'); process.exit(1);`);
    const { code, err } = await replay(['--out', 'bad.mp4'], options);
    expect(code).toBe(3);
    expect(err).toContain('no encoder for this');
    expect(readdirSync(cwd).filter((file) => file.startsWith('bad.mp4'))).toEqual([]);
  });
});

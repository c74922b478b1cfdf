/** The runner with real programs: what they are told, how they are started again, and that none outlives it, however it ends. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { ScenarioError } from '../../src/base/errors.js';
import { LIMITS } from '../../src/base/limits.js';
import { OutputFile } from '../../src/runner/output-file.js';
import { Runner } from '../../src/runner/runner.js';
import type { RunnerEvent, RunnerOptions } from '../../src/runner/runner.js';
import { loadRunner } from '../../src/scenario/load-runner.js';
import { openScenarioFile } from '../../src/scenario/folder.js';
import { ROOT } from '../support/children.js';
import { temporaryFolder } from '../support/folder.js';
import { served } from '../serve/served.js';

const GUARD = join(ROOT, 'dist/assembly/guard.js');
const MAIN = join(ROOT, 'dist/cli/main.js');

const running: Runner[] = [];
afterEach(async () => {
  for (const one of running.splice(0)) await one.close();
});

function program(folder: string, name: string, script: string): void {
  writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, name), 0o755);
}

function runnerOf(
  folder: string,
  yaml: string,
  env: Record<string, string> = { PATH: process.env['PATH'] ?? '' },
  world: RunnerOptions['world'] = { answers: () => Promise.resolve(true), back: () => Promise.resolve() },
) {
  const path = join(folder, 'runner.yaml');
  writeFileSync(path, yaml);
  const events: RunnerEvent[] = [];
  const runner = new Runner({
    spec: loadRunner(openScenarioFile(path)),
    folder,
    env,
    now: () => performance.now(),
    world,
    onEvent: (event) => events.push(event),
  });
  running.push(runner);
  return { runner, events };
}

async function until(holds: () => boolean): Promise<void> {
  for (let i = 0; i < 1000 && !holds(); i++) await wait(50);
  expect(holds()).toBe(true);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

const NPC = { id: 'ann', tags: ['npc'], isControllable: true } as const;

describe('a program', () => {
  it('is told world, entity, name and configuration by variables, and no secret', async () => {
    const folder = temporaryFolder();
    program(
      folder,
      'agent.sh',
      'env; cat "$AGENT_CONFIG_PATH"; echo "mode $(stat -c %a "$AGENT_CONFIG_PATH")"; echo "words $#"; sleep 60',
    );
    const yaml = `
world: 127.0.0.1:50999
agents: { eater: { tags: [npc], program: ./agent.sh, env: { MODE: hungry }, config: { appetite: 3 } } }
`;
    const { runner } = runnerOf(folder, yaml, {
      PATH: process.env['PATH'] ?? '',
      OPENAI_API_KEY: 'sk-secret',
    });
    runner.update(NPC);
    const log = join(folder, 'agent-logs/ann.log');
    await until(() => existsSync(log) && readFileSync(log, 'utf8').includes('words'));
    const said = readFileSync(log, 'utf8');
    for (const line of [
      'WORLD_ADDR=127.0.0.1:50999',
      'ENTITY_ID=ann',
      'CONTROLLER_ID=runner:ann',
      'PYTHONUNBUFFERED=1',
      'MODE=hungry',
      '{"appetite":3}',
      'mode 600',
      'words 0',
    ])
      expect(said).toContain(line);
    expect(said).not.toContain('sk-secret');
  });

  it('gets its arguments as they are written, without a shell', async () => {
    const folder = temporaryFolder();
    const { runner } = runnerOf(
      folder,
      `agents: { eater: { cmd: [sh, -c, 'echo "$0 $1"', '$HOME', 'a  b'] } }\n`,
    );
    runner.update(NPC);
    const log = join(folder, 'agent-logs/ann.log');
    await until(() => existsSync(log) && readFileSync(log, 'utf8').includes('$HOME a  b'));
  });

  it('gets the variables of the runner that its file names, and no other', async () => {
    const folder = temporaryFolder();
    program(folder, 'agent.sh', 'env; echo done; sleep 60');
    const yaml = 'agents: { eater: { program: ./agent.sh, pass_env: [OPENAI_API_KEY] } }\n';
    const env = { PATH: process.env['PATH'] ?? '', OPENAI_API_KEY: 'sk-own', VLLM_API_KEY: 'sk-other' };
    const { runner } = runnerOf(folder, yaml, env);
    runner.update(NPC);
    const log = join(folder, 'agent-logs/ann.log');
    await until(() => existsSync(log) && readFileSync(log, 'utf8').includes('done'));
    expect(readFileSync(log, 'utf8')).toContain('OPENAI_API_KEY=sk-own');
    expect(readFileSync(log, 'utf8')).not.toContain('sk-other');
  });

  it.each([
    ['./berry.py', null, "can't be started: ./berry.py: no such file"],
    ['berry-eater-of-nobody', null, "can't be started: berry-eater-of-nobody: no such program in PATH"],
    [
      './berry.py',
      '#!/usr/bin/no-python\n',
      "can't be started: ./berry.py: the interpreter in its first line (#!) is missing",
    ],
  ])('that can not be started is named with the reason: %s', async (name, content, how) => {
    const folder = temporaryFolder();
    if (content !== null) program(folder, name, '');
    if (content !== null) writeFileSync(join(folder, name), content);
    const { runner, events } = runnerOf(folder, `agents: { eater: { program: ${name} } }\n`);
    runner.update(NPC);
    await until(() => events.some(({ kind }) => kind === 'ended'));
    expect(events).toContainEqual(expect.objectContaining({ kind: 'ended', how, log: null }));
    expect(events.map(({ kind }) => kind)).not.toContain('started');
  });

  it('that is not executable is told how to become so, and one that crashes where its output is', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'plain.py'), 'print()\n');
    program(folder, 'crash.sh', 'exit 1');
    const yaml = 'agents: { one: { tags: [npc], program: ./plain.py }, two: { program: ./crash.sh } }\n';
    const { runner, events } = runnerOf(folder, yaml);
    runner.update(NPC);
    runner.update({ id: 'bob', tags: [], isControllable: true });
    await until(() => events.filter(({ kind }) => kind === 'ended').length >= 2);
    const ended = (entity: string) => events.find((one) => one.kind === 'ended' && one.entity === entity);
    expect(ended('ann')).toMatchObject({
      how: "can't be started: ./plain.py: it is not executable (chmod +x ./plain.py)",
    });
    expect(ended('bob')).toMatchObject({
      how: 'exited with code 1',
      log: join(folder, 'agent-logs/bob.log'),
    });
    expect(readFileSync(join(folder, 'agent-logs/bob.log'), 'utf8')).toBe('');
  });

  it('that ends is started again after a wait, and one for no entity is not started', async () => {
    const folder = temporaryFolder();
    program(folder, 'agent.sh', 'exit 3');
    const { runner, events } = runnerOf(folder, 'agents: { eater: { tags: [npc], program: ./agent.sh } }\n');
    runner.update({ id: 'bob', tags: ['player'], isControllable: true });
    runner.update(NPC);
    await until(() => events.filter(({ kind }) => kind === 'started').length >= 3);
    const ends = events.flatMap((event) => (event.kind === 'ended' ? [[event.how, event.restartMs]] : []));
    expect(ends.slice(0, 2)).toEqual([
      ['exited with code 3', 250],
      ['exited with code 3', 500],
    ]);
    expect(events.every(({ entity }) => entity === 'ann')).toBe(true);
  });

  it('that ends while the world is gone is started again once it is back, and nothing is counted', async () => {
    const folder = temporaryFolder();
    program(folder, 'agent.sh', 'exit 3');
    let isThere = false;
    let back = (): void => undefined;
    const { runner, events } = runnerOf(folder, 'agents: { eater: { program: ./agent.sh } }\n', undefined, {
      answers: () => Promise.resolve(isThere),
      back: () => new Promise((resolve) => (back = resolve)),
    });
    runner.update(NPC);
    await until(() => events.length === 2);
    expect(events[1]).toMatchObject({ kind: 'ended', restartMs: null, restarts: 0 });
    await wait(600);
    expect(events.length).toBe(2);
    isThere = true;
    back();
    await until(() => events.length >= 4);
    expect(events.slice(2, 4)).toMatchObject([
      { kind: 'started', restarts: 0 },
      { kind: 'ended', restartMs: 250 },
    ]);
  });

  it('whose entity acts no more is ended, with all that it started', { tags: ['long'] }, async () => {
    const folder = temporaryFolder();
    program(folder, 'agent.sh', `trap '' TERM\nsleep 300 & echo "child $!"\nwait\nwait`);
    const { runner, events } = runnerOf(folder, 'agents: { eater: { program: ./agent.sh } }\n');
    runner.update(NPC);
    const log = join(folder, 'agent-logs/ann.log');
    await until(() => existsSync(log) && /child \d+/.test(readFileSync(log, 'utf8')));
    const child = Number(/child (\d+)/.exec(readFileSync(log, 'utf8'))?.[1]);
    expect(isAlive(child)).toBe(true);
    runner.update({ ...NPC, isControllable: false });
    await until(() => events.some(({ kind }) => kind === 'ended'));
    await until(() => !isAlive(child));
  });
});

it('a program that ends by itself leaves nothing behind that it started', async () => {
  const folder = temporaryFolder();
  program(
    folder,
    'agent.sh',
    `(trap '' TERM; sleep 300) & first=$!; setsid sleep 300 & echo "child $first $!" "$AGENT_CONFIG_PATH"; sleep 0.5`,
  );
  const { runner, events } = runnerOf(folder, 'agents: { eater: { program: ./agent.sh } }\n');
  runner.update(NPC);
  const log = join(folder, 'agent-logs/ann.log');
  const said = (): string => (existsSync(log) ? readFileSync(log, 'utf8') : '');
  await until(() => /child \d+ \d+ \S+\n/.test(said()));
  const [, child = '', stray = '', config = ''] = /child (\d+) (\d+) (\S+)/.exec(said()) ?? [];
  await until(() => events.some(({ kind }) => kind === 'ended'));
  await until(() => ![child, stray].some((pid) => isAlive(Number(pid))));
  expect(config).toMatch(/config\.json$/);
  expect(existsSync(dirname(config))).toBe(false);
});

describe('a runner that is killed', () => {
  it('leaves no process and no configuration behind, not even of a session of its own', async () => {
    const folder = temporaryFolder();
    const world = await served(join(ROOT, 'scenarios/crypt.yaml'), folder);
    program(
      folder,
      'agent.sh',
      `trap '' TERM\nsleep 300 & first=$!\nsetsid sleep 300 &\necho "child $$ $first $!"\nwait\nwait`,
    );
    const temporary = join(folder, 'tmp ä');
    mkdirSync(temporary);
    const configs = () => readdirSync(temporary).filter((name) => name.startsWith('orchestrate-agent-'));
    const yaml = `world: ${world.address}\nagents: { eater: { program: ./agent.sh } }\n`;
    writeFileSync(join(folder, 'runner.yaml'), yaml);
    const runner = spawn(process.execPath, [MAIN, 'runner', 'runner.yaml', '--json'], {
      cwd: folder,
      stdio: 'pipe',
      env: { ...process.env, TMPDIR: temporary },
    });
    try {
      const logs = ['wizard', 'blacksmith', 'knight'].map((id) => join(folder, `agent-logs/${id}.log`));
      await until(() => logs.every((log) => existsSync(log) && readFileSync(log, 'utf8').includes('child')));
      const pids = logs.flatMap((log) => (readFileSync(log, 'utf8').match(/\d+/g) ?? []).map(Number));
      expect(pids.length).toBe(9);
      expect(pids.every(isAlive)).toBe(true);
      expect(configs().length).toBe(3);
      runner.kill('SIGKILL');
      await until(() => !pids.some(isAlive) && configs().length === 0);
    } finally {
      runner.kill('SIGKILL');
      await world.close();
    }
  });
});

describe('the guard', () => {
  it('removes the folders that it was told, in the one folder and by the one prefix, and nothing else', async () => {
    const folder = temporaryFolder();
    const names = ['agent-told', 'agent-taken-back', 'agent-untold', 'other', 'deep/agent-inside'];
    for (const name of names) mkdirSync(join(folder, name), { recursive: true });
    const guard = spawn(process.execPath, [GUARD, folder, 'agent-'], { stdio: 'pipe' });
    const ended = once(guard, 'exit');
    const told = [
      'agent-told',
      'agent-taken-back',
      'other',
      'deep/agent-inside',
      'agent-told/../agent-untold',
    ];
    for (const name of told) guard.stdin.write(`+${folder}/${name}\n`);
    guard.stdin.end(`-${folder}/agent-taken-back\n`);
    await ended;
    expect(names.filter((name) => existsSync(join(folder, name)))).toEqual(names.slice(1));
  });
});

describe('the output of a program', () => {
  it('is kept in two files of limited size', () => {
    const path = join(temporaryFolder(), 'logs/ann.log');
    const output = new OutputFile(path, 100);
    for (let i = 0; i < 20; i++) output.write(Buffer.from(`line ${String(i).padStart(2, '0')} 0123456789\n`));
    expect(statSync(path).size).toBeLessThanOrEqual(100);
    expect(statSync(`${path}.1`).size).toBeLessThanOrEqual(100);
    expect(readFileSync(path, 'utf8')).toContain('line 19');
  });

  it('costs the program nothing where it can not be written', () => {
    const folder = temporaryFolder();
    const output = new OutputFile(join(folder, 'ann.log'));
    rmSync(join(folder, 'ann.log'));
    mkdirSync(join(folder, 'ann.log'));
    expect(() => output.write(Buffer.from('lost'))).not.toThrow();
  });
});

describe('the file', () => {
  it('is refused with the place of each mistake', () => {
    const path = join(temporaryFolder(), 'runner.yaml');
    writeFileSync(path, 'agents: { Eater: { programme: x } }\nworld: 3\n');
    expect(() => loadRunner(openScenarioFile(path))).toThrow(/mistakes/);
    writeFileSync(path, 'agents: {}\n');
    expect(() => loadRunner(openScenarioFile(path))).toThrow('no programs are defined');
    writeFileSync(path, 'agents: { none: {} }\n');
    expect(() => loadRunner(openScenarioFile(path))).toThrow('no program is named');
    writeFileSync(path, 'agents: { both: { program: ./x, cmd: [x] } }\n');
    expect(() => loadRunner(openScenarioFile(path))).toThrow("'program' and 'cmd' exclude each other");
  });

  it('that was written for another runner is refused with what to write instead', () => {
    const path = join(temporaryFolder(), 'runner.yaml');
    const refusal = (yaml: string): string => {
      writeFileSync(path, yaml);
      try {
        loadRunner(openScenarioFile(path));
        return '';
      } catch (error) {
        return error instanceof ScenarioError
          ? error.diagnostics
              .map(({ line, message, suggestion }) => `${line} ${message}: ${suggestion ?? ''}`)
              .join('\n')
          : String(error);
      }
    };
    const listed = refusal('agents:\n  - tags: [npc]\n    cmd: python -m eater\n    config_path: a.yaml\n');
    expect(listed).toContain('2 the programs have no names: write agents: { eater: { tags: [npc], cmd: [');
    expect(listed).toContain('3 there is no shell that could divide a text into words: write cmd: [');
    expect(listed).toContain("4 a runner file has no 'config_path' here: write config: ./eater.yaml");
    const scattered = refusal(
      'world_addr: x\nagents: { a: { program: ./x, backoff: {} } }\nrestarts: { max_ms: 9 }\nfallback: { command: x }\n',
    );
    for (const key of ['world_addr', 'backoff', 'max_ms', 'command'])
      expect(scattered).toContain(`no '${key}'`);
    expect(refusal('agents: [{ id: ann, name: Ann }]\n')).toContain('this is a scenario');
  });

  it('names the configuration of a program, which gets the path', async () => {
    const folder = temporaryFolder();
    program(folder, 'agent.sh', 'echo "$AGENT_CONFIG_PATH" "$CONTROLLER_ID"; exit 1');
    program(folder, 'other.sh', 'echo "then $CONTROLLER_ID"; exit 1');
    const { runner, events } = runnerOf(
      folder,
      'agents: { eater: { program: ./agent.sh, config: ./eater.yaml } }\nfallback: { program: ./other.sh }\nrestarts: { max: 1, first_ms: 1 }\n',
    );
    runner.update(NPC);
    const log = join(folder, 'agent-logs/ann.log');
    await until(() => existsSync(log) && readFileSync(log, 'utf8').includes('then'));
    const said = readFileSync(log, 'utf8');
    expect(said).toContain(`${join(folder, 'eater.yaml')} runner:ann\n`);
    expect(said).toContain('then runner:ann\n');
    expect(new Set(events.map(({ controller }) => controller))).toEqual(new Set(['runner:ann']));
  });

  it('names a program with its arguments, and when it is started again, within limits', () => {
    const path = join(temporaryFolder(), 'runner.yaml');
    const loaded = (cmd: readonly string[], restarts: object) => {
      writeFileSync(path, JSON.stringify({ agents: { eater: { cmd } }, restarts }));
      return loadRunner(openScenarioFile(path));
    };
    const own = {
      first_ms: LIMITS.runnerWaitMs,
      longest_ms: LIMITS.runnerWaitMs,
      max: LIMITS.runnerRestarts,
      window_s: 60,
    };
    const { programs, restarts } = loaded(['python3', '-m', 'eater'], own);
    expect(programs).toMatchObject([{ program: 'python3', args: ['-m', 'eater'] }]);
    const most = { firstWaitMs: LIMITS.runnerWaitMs, max: LIMITS.runnerRestarts };
    expect(restarts).toEqual({ ...most, longestWaitMs: LIMITS.runnerWaitMs, windowMs: 60_000 });
    const defaults = { firstWaitMs: 250, longestWaitMs: 5000, max: 10, windowMs: 600_000 };
    expect(loaded(Array.from({ length: LIMITS.programWords }, String), {}).restarts).toEqual(defaults);
    expect(() => loaded(Array.from({ length: LIMITS.programWords + 1 }, String), {})).toThrow();
    expect(() => loaded(['x'], { ...own, max: LIMITS.runnerRestarts + 1 })).toThrow();
    expect(() => loaded(['x'], { ...own, first_ms: LIMITS.runnerWaitMs + 1 })).toThrow();
  });
});

/** A person in a real terminal: the built program in tmux, driven by keys, read off the screen. Needs dist/, and tmux where it is to run. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { PROGRAM } from '../support/children.js';
import { temporaryFolder } from '../support/folder.js';
import { corridor } from '../orchestrator/two-agents.js';

const cwd = temporaryFolder();
writeFileSync(join(cwd, 'corridor.yaml'), corridor('max: 2'));
const socket = `orchestrate-test-${process.pid}`;
const tmux = (...args: readonly string[]) =>
  spawnSync('tmux', ['-L', socket, '-f', '/dev/null', ...args], { encoding: 'utf8' });
const hasTmux = spawnSync('tmux', ['-V']).status === 0;

afterAll(() => {
  tmux('kill-server');
});

/** Starts the program in a terminal of its own. */
function inTerminal(name: string, ...args: readonly string[]) {
  return started(name, 'run', 'corridor.yaml', '--out', `${name}.sqlite`, ...args);
}

function started(name: string, ...args: readonly string[]) {
  const words = [process.execPath, PROGRAM, ...args];
  const line = `env -u NO_COLOR COLORTERM=truecolor LANG=C.UTF-8 '${words.join("' '")}'; echo "exit code $?"; read -r _`;
  tmux('-u', 'new-session', '-d', '-s', name, '-x', '100', '-y', '200', '-c', cwd, line);
  return {
    shows: (pattern: RegExp) =>
      expect.poll(() => tmux('capture-pane', '-p', '-t', name).stdout).toMatch(pattern),
    keys: (...keys: readonly string[]) => tmux('send-keys', '-t', name, ...keys),
  };
}

describe.skipIf(!hasTmux)('in a real terminal (needs tmux)', () => {
  it('a person sees the picture, types a command, mends it with backspace, and stops with Ctrl-C', async () => {
    const screen = inTerminal('person', '--human', 'ann');
    await screen.shows(/▀{40}[\s\S]*You may now:[\s\S]*Ann> *$/m);
    screen.keys('go eastt', 'BSpace', 'Enter');
    await screen.shows(/T1 +Ann +go east[\s\S]*T1 +Bob[\s\S]*Ann> *$/m);
    screen.keys('C-c');
    await screen.shows(/stopping after this step; press Ctrl-C again to cancel the pending call/);
    screen.keys('C-c');
    await screen.shows(/interrupted: stopped by the user[\s\S]*exit code 130/);
  });

  it('an agent changes hands between steps', { tags: ['long'] }, async () => {
    const screen = inTerminal('hands', '--step');
    await screen.shows(/turn 1: Enter lets ann act/);
    screen.keys('take ann', 'Enter');
    await screen.shows(/you decide for ann from its next step/);
    screen.keys('Enter');
    await screen.shows(/Ann> *$/m);
    screen.keys('wait', 'Enter');
    await screen.shows(/turn 1: Enter lets bob act/);
    screen.keys('back ann', 'Enter', 'Enter');
    await screen.shows(/turn 2: Enter lets ann act/);
    screen.keys('Enter');
    await screen.shows(/T2 +Ann[\s\S]*turn 2: Enter lets bob act/);
    screen.keys('Enter');
    await screen.shows(/exit code 0/);
  });

  it.each(['q', 'TERM'])(
    'replay fills the screen, and gives it back (%s)',
    { tags: ['long'] },
    async (way) => {
      const log = `replayed-${way}`;
      spawnSync(
        process.execPath,
        [PROGRAM, 'run', 'corridor.yaml', '--controller', 'scripted', '--out', log],
        { cwd },
      );
      const screen = started(log, 'replay', log);
      await screen.shows(/^ ?Corridor · step 1 of[\s\S]*▀{40}[\s\S]*q quit/m);
      screen.keys('Right');
      await screen.shows(/step 2 of/);
      const shell = tmux('list-panes', '-t', log, '-F', '#{pane_pid}').stdout.trim();
      const { stdout: program } = spawnSync('pgrep', ['-P', shell], { encoding: 'utf8' });
      if (way === 'q') screen.keys('q');
      else process.kill(Number(program.trim()), 'SIGTERM');
      await screen.shows(new RegExp(`^exit code ${way === 'q' ? 0 : 143}`));
    },
  );
});

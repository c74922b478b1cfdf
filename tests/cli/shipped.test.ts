/** A shipped scenario is opened by its name alone, in any folder and by every command; a file of the user's own comes first. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openNamedScenario, openScenarioFile, openScenarioFolder } from '../../src/scenario/folder.js';
import { orchestrate } from '../support/captured-io.js';
import { temporaryFolder } from '../support/folder.js';
import { runProgram } from '../support/children.js';
import { corridor } from '../orchestrator/two-agents.js';

const checked = (name: string, cwd: string) => orchestrate(['check', name, '--effort', '0'], { cwd });
const cellsOf = (json: string): unknown => (JSON.parse(json) as { cells: unknown }).cells;

it('is found by its name in an empty folder', async () => {
  const { code, out } = await checked('brass-key', temporaryFolder());
  expect(code).toBe(0);
  expect(out).toMatch(/^ok brass-key: The Brass Key /);
});

it('is played by a batch with its own files, here and by workers', async () => {
  const cwd = temporaryFolder();
  mkdirSync(join(cwd, 'sub'));
  const batch = 'scenarios: [files, lever-gate]\nmodels: { x: { controller: random } }\nmax_turns: 1\n';
  writeFileSync(join(cwd, 'sub', 'b.yaml'), batch);
  for (const workers of ['1', '2']) {
    const played = ['batch', 'sub/b.yaml', '--out', `by-${workers}`, '--workers', workers, '--json'];
    const { code, out } = await runProgram(played, { cwd });
    expect(code).toBe(0);
    expect(cellsOf(out)).toMatchObject([{ scenario: 'files' }, { scenario: 'lever-gate' }]);
  }
});

it('is found by a worker of a queue, in whose folder there is none', () => {
  const opened = openNamedScenario(openScenarioFolder(temporaryFolder()), 'lever-gate');
  expect(opened.path).toBe('lever-gate');
  expect(opened.content).toEqual(openScenarioFile('scenarios/lever-gate.yaml').content);
});

it('gives way in a batch to a file of the same name beside it', async () => {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'brass-key'), corridor('max: 3'));
  writeFileSync(join(cwd, 'b.yaml'), 'scenarios: [brass-key]\n');
  const { out } = await orchestrate(['batch', 'b.yaml', '--json'], { cwd });
  expect(cellsOf(out)).toMatchObject([{ scenario: 'brass-key', turns: 3 }]);
});

it('gives way to a file of the same name', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'brass-key'), corridor());
  expect((await checked('brass-key', folder)).out).toMatch(/^ok brass-key: Corridor /);
});

it.each(['brass', '../scenarios/brass-key', 'files/brass-key', '', 'prompts/../brass-key'])(
  'is not found as %j',
  async (name) => {
    const { code, err } = await checked(name, temporaryFolder());
    expect(code).toBe(2);
    expect(err).toContain("can't be read");
  },
);

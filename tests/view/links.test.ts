/** What a page with several runs is told by: entries of its menu, no two alike. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { known } from '../../src/base/assert.js';
import { pageHtml, readPageFiles } from '../../src/view/html.js';
import { runNames } from '../../src/view/page/run-names.js';
import { joined, NO_DATA } from '../../src/view/page-data.js';
import type { PageData } from '../../src/view/page-data.js';
import { orchestrate } from '../support/captured-io.js';
import { temporaryFolder } from '../support/folder.js';
import { inChromium } from './browser.js';
import { partsOf } from './support.js';

const cwd = temporaryFolder();
const LOG = join(cwd, 'several.sqlite');
let data: PageData = NO_DATA;
let address = '';

/** One crypt by its script and one at random, and forks of the first. */
beforeAll(async () => {
  const play = async (...args: string[]) => {
    const played = await orchestrate([...args, '--quiet', '--json']);
    expect([0, 1], played.err).toContain(played.code);
    return (JSON.parse(played.out) as { run_id: string }).run_id;
  };
  const first = await play('run', 'scenarios/crypt.yaml', '--out', LOG);
  await play('run', 'scenarios/crypt.yaml', '--out', LOG, '--controller', 'random', '--max-turns', '3');
  const fork = (...args: string[]) => play('fork', `${LOG}#${first}`, '--at', '33', ...args);
  await fork('--max-turns', '12', '--reply', 'ACTION: WAIT');
  await fork('--max-turns', '12', '--reply', 'ACTION: SPEAK "Who is there?"');
  await fork('--max-turns', '12', '--controller', 'random');
  await fork('--max-turns', '12', '--reply', 'ACTION: WAIT');
  const parts = await partsOf(LOG);
  data = parts.reduce(joined, NO_DATA);
  const file = join(cwd, 'several.html');
  writeFileSync(file, pageHtml(readPageFiles(), parts));
  address = pathToFileURL(file).href;
});

const names = (of: PageData) => runNames(of).map(([, name]) => name);

describe('entries of the menu of runs', () => {
  it('tell players where they differ and what a fork changed, and no two are alike', () => {
    const ids = data.runs.map(({ id }) => id);
    expect(names(data)).toEqual([
      '1. seed 7, scripted',
      '2. seed 7, random',
      `3. fork of 1 at step 33, reply of wizard: "ACTION: WAIT" and 1 more, ${ids[2]}`,
      '4. fork of 1 at step 33, reply of wizard: "ACTION: SPEAK \\"Who is there?\\… and 1 more',
      '5. fork of 1 at step 33, random, turns.max: 80 → 12',
      `6. fork of 1 at step 33, reply of wizard: "ACTION: WAIT" and 1 more, ${ids[5]}`,
    ]);
  });

  it('leave out what all have the same, and name who plays whom where players are mixed', () => {
    const [first, second] = [known(data.runs[0], 'a run'), known(data.runs[1], 'a run')];
    expect(names({ ...data, runs: [first] })).toEqual(['1. seed 7']);
    const other = { ...second, title: 'Another world' };
    // Players are told among runs of one title: others are told apart by it.
    expect(names({ ...data, runs: [first, other] })).toEqual([
      '1. seed 7, The Crown of Aldric',
      '2. seed 7, Another world',
    ]);
    const [wizard, ...rest] = second.agents;
    const mixed = { ...second, agents: [{ ...known(wizard, 'an agent'), controller: 'gemma' }, ...rest] };
    expect(names({ ...data, runs: [first, mixed] })[1]).toBe(
      '2. seed 7, wizard gemma + blacksmith random + knight random',
    );
  });
});

inChromium('a page with several runs', (open) => {
  it('has the entries in its menu', async () => {
    const { page } = await open(address);
    await expect
      .poll(() => page.getByLabel('Picture: run').locator('option').allTextContents())
      .toEqual(names(data));
    await page.close();
  });
});

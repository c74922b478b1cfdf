/** A batch is the user's own file: the scenarios that it names may lie anywhere, and each reads the files of its own folder alone. */
import {
  chownSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { corridor } from '../orchestrator/two-agents.js';
import { orchestrate } from '../support/captured-io.js';
import { temporaryFolder } from '../support/folder.js';

const cwd = temporaryFolder();
for (const folder of ['batches', 'worlds', join('worlds', 'below')]) mkdirSync(join(cwd, folder));
const WITH_RULES = `${corridor('max: 1')}prompt: { templates: { system: own-system.txt } }\n`;
writeFileSync(join(cwd, 'worlds', 'near.yaml'), WITH_RULES);
writeFileSync(join(cwd, 'worlds', 'own-system.txt'), 'Be kind.\n{{answer_format}}\n');
writeFileSync(join(cwd, 'worlds', 'far.yaml'), corridor('max: 2'));
writeFileSync(join(cwd, 'worlds', '.hidden.yaml'), corridor('max: 1'));
writeFileSync(join(cwd, 'batches', 'here.yaml'), corridor('max: 3'));
symlinkSync(join(cwd, 'worlds', 'far.yaml'), join(cwd, 'batches', 'link.yaml'));
symlinkSync(join(cwd, 'worlds', 'far.yaml'), join(cwd, 'worlds', 'inside.yaml'));
symlinkSync(join(cwd, 'worlds', 'far.yaml'), join(cwd, 'worlds', 'below', 'out.yaml'));
writeFileSync(join(cwd, 'worlds', 'twice.yaml'), corridor('max: 1'));
linkSync(join(cwd, 'worlds', 'twice.yaml'), join(cwd, 'worlds', 'hard.yaml'));
writeFileSync(join(cwd, 'worlds', 'given.yaml'), corridor('max: 1'));
linkSync(join(cwd, 'worlds', 'given.yaml'), join(cwd, 'worlds', 'given-again.yaml'));

/** Linux's own rule against second names of other users' files. */
function areLinksProtected(): boolean {
  const setting = '/proc/sys/fs/protected_hardlinks';
  return existsSync(setting) && readFileSync(setting, 'utf8') === '1\n';
}

async function batch(scenarios: readonly string[], ...more: readonly string[]) {
  writeFileSync(join(cwd, 'batches', 'b.yaml'), `scenarios: ${JSON.stringify(scenarios)}\n`);
  return orchestrate(['batch', 'batches/b.yaml', ...more], { cwd });
}

describe('scenarios of a batch', () => {
  it('lie beside it, elsewhere by their path from there, or by a whole path', async () => {
    writeFileSync(join(cwd, 'worlds', 'third.yaml'), corridor('max: 2'));
    const whole = join(cwd, 'worlds', 'third.yaml');
    const { code, out } = await batch(['here.yaml', '../worlds/near.yaml', whole], '--out', 'logs', '--json');
    expect(code).toBe(0);
    const { cells, ended } = JSON.parse(out) as {
      ended: number;
      cells: { scenario: string; turns: number }[];
    };
    expect(ended).toBe(3);
    expect(cells.map(({ scenario }) => scenario)).toEqual(['here', 'near', 'third']);
    expect((await orchestrate(['verify', 'logs/runs-001.sqlite'], { cwd })).code).toBe(0);
  });

  it('are told of by the path that a user would type', async () => {
    writeFileSync(join(cwd, 'worlds', 'broken.yaml'), 'title: [');
    expect((await batch(['../worlds/broken.yaml'])).err).toContain('worlds/broken.yaml:1:');
    expect((await batch(['../worlds/none.yaml'])).err).toMatch(
      /b\.yaml:1:13 error: the scenario .*none\.yaml/,
    );
  });

  it('are reached by links that stay inside a folder, and by no others', async () => {
    expect((await batch(['link.yaml'])).err).toContain('it is outside the folder');
    expect((await batch(['../worlds/below/out.yaml'])).err).toContain('it is outside the folder');
    expect((await batch(['../worlds/.hidden.yaml'])).err).toContain('begin with a dot');
    expect(await batch(['../worlds/inside.yaml'], '--dry-run')).toMatchObject({ code: 0, err: '' });
  });

  it('may have a second name on the disk that only this user can have made', async ({ skip }) => {
    if (!areLinksProtected()) skip('anybody may link the files of others here');
    expect(await batch(['../worlds/twice.yaml'], '--dry-run')).toMatchObject({ code: 0, err: '' });
  });

  it('may have none that somebody else can have made', async ({ skip }) => {
    if (process.getuid?.() !== 0 && areLinksProtected()) skip('only root can give a file to another user');
    if (process.getuid?.() === 0) chownSync(join(cwd, 'worlds', 'given.yaml'), 65_534, 65_534);
    expect((await batch(['../worlds/given.yaml'])).err).toContain('hard link');
  });

  it('of one name are told, since no figure would tell them apart', async () => {
    writeFileSync(join(cwd, 'worlds', 'here.yaml'), corridor('max: 2'));
    const { code, err } = await batch(['here.yaml', '../worlds/here.yaml']);
    expect(code).toBe(2);
    expect(err).toContain('here.yaml and ../worlds/here.yaml are both called here');
  });
});

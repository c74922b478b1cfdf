/** `check` tells whether a scenario can be won: by search, by its plan played as replies, and by replies that an author hands in. */
import { fileURLToPath } from 'node:url';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { orchestrate } from '../support/captured-io.js';
import { temporaryFolder } from '../support/folder.js';

const folder = temporaryFolder();
const scenario = (name: string): string => join(process.cwd(), 'scenarios', `${name}.yaml`);
const check = (...args: readonly string[]) => orchestrate(['check', ...args], { cwd: folder });

interface Found {
  readonly win: {
    readonly verdict: string;
    readonly turn: number | null;
    readonly moves: readonly { readonly agent: string; readonly command: string }[] | null;
  } | null;
}

async function found(...args: readonly string[]): Promise<Found> {
  const { out } = await check(...args, '--json');
  const parsed: Found = JSON.parse(out);
  return parsed;
}

describe('check', () => {
  it.each(['brass-key', 'two-keepers', 'watchman', 'crypt'])(
    'prints moves for %s that win when agents say them',
    async (name) => {
      const { win } = await found(scenario(name), '--plan');
      const replies: Record<string, string[]> = {};
      for (const { agent, command } of win?.moves ?? []) (replies[agent] ??= []).push(`ACTION: ${command}`);
      writeFileSync(join(folder, `${name}.json`), JSON.stringify(replies));
      const { code, out } = await check(scenario(name), '--replies', `${name}.json`);
      expect(out).toContain(`can be won: the replies of ${name}.json win in ${win?.turn ?? 0} turns`);
      expect(code).toBe(0);
    },
  );

  it('prints the moves for people by turn and agent', async () => {
    const { out } = await check(scenario('brass-key'), '--plan');
    expect(out).toMatch(
      /can be won in 6 turns \(proven minimum; \d+ positions searched\)\n {2}T1 {2}ranger {2}GO /,
    );
    expect(out.trimEnd().split('\n')).toHaveLength(8);
  });

  it(
    'shows that the two keepers must talk: without it a win is luck and nothing else, which is exit 1',
    { tags: ['long'] },
    async () => {
      const talk = ['--without', 'SPEAK', '--without', 'ANNOUNCE'];
      const { code, out } = await check(scenario('two-keepers'), ...talk);
      expect(code).toBe(1);
      expect(out).toContain('unwinnable without SPEAK and ANNOUNCE with the information agents can get');
      expect(out).toContain('a lucky guess wins in 3 turns');
      // Whispering is no way out of it: either action alone suffices.
      const whispered = await check(scenario('two-keepers'), '--without', 'ANNOUNCE');
      expect([whispered.code, whispered.out]).toEqual([0, expect.stringContaining('no luck needed')]);
    },
  );

  const GATED = (key: string, when = ''): string => `title: A gate
map: |
  #######
  #.A.#.#
  #...+.#
  #${key}##
  #######
legend: { A: { agent: ann }, +: { door: gate }, k: { thing: small-key } }
doors: { gate: { ${when === '' ? 'key: small-key' : 'state: locked'} } }
things: { small-key: { kind: key } }
rooms:
  hall: { area: [1, 1, 3, 3] }
  yard: { area: [5, 1, 1, 2] }
agents: [{ id: ann, sprite: knight }]
${when}
success: { agent: ann, in_room: yard }
`;

  it('refutes a scenario whose key lies behind the door that it opens', async () => {
    const behind = GATED('...#').replace('  #.A.#.#', '  #.A.#k#');
    writeFileSync(join(folder, 'behind.yaml'), behind);
    expect(await check('behind.yaml')).toMatchObject({
      code: 1,
      out: expect.stringContaining('unwinnable'),
    });
    writeFileSync(join(folder, 'before.yaml'), GATED('k..#'));
    expect(await check('before.yaml')).toMatchObject({ code: 0, out: expect.stringContaining('can be won') });
  });

  it('finds a win that takes a phrase which only the scenario names', async () => {
    const password = 'triggers: { pass: { when: { said: open sesame }, then: [{ open: gate }] } }';
    writeFileSync(join(folder, 'password.yaml'), GATED('k..#', password));
    const { win } = await found('password.yaml', '--plan');
    expect(win?.moves?.map(({ command }) => command)).toEqual([
      expect.stringMatching(/^(?:SPEAK|ANNOUNCE) "open sesame"$/),
      'GO east',
    ]);
  });

  it('lets nobody say what nobody has read', async () => {
    const { code, out } = await check(scenario('two-keepers'), '--without', 'READ');
    expect([code, out]).toEqual([1, expect.stringContaining('unwinnable without READ')]);
    const { win } = await found(scenario('two-keepers'), '--plan');
    const monk = (win?.moves ?? []).filter(({ agent }) => agent === 'monk').map(({ command }) => command);
    expect(monk[0]).toBe('READ inscription');
    expect(monk[1]).toMatch(/^SPEAK "Only the green lever/);
  });

  it('says where it gave up, and searches not at all with --effort 0', async () => {
    const { code, out } = await check(scenario('crypt'), '--effort', '20');
    expect([code, out]).toEqual([
      0,
      expect.stringContaining('not known whether it can be won: the search gave up'),
    ]);
    expect((await check(scenario('crypt'), '--effort', '0')).out.trimEnd().split('\n')).toHaveLength(1);
  });

  it('says so where what wins is free words, and takes a list of replies for it', async () => {
    const { out } = await check(scenario('react'));
    expect(out).toContain("free text and actions with outside effects can't be searched");
    expect(out).toContain('--replies FILE');
    expect(out).not.toContain('--effort');
    const golden = fileURLToPath(new URL('../fixtures/golden/react.yaml', import.meta.url));
    expect((await check(scenario('react'), '--replies', golden)).code).toBe(0);
  });

  it('finds a way for two robots that act at once', { tags: ['long'] }, async () => {
    expect((await check(scenario('two-robots'))).out).toMatch(/can be won in \d+ turns/);
  });

  it('takes replies with notes beside them, as the golden transcripts have', async () => {
    const golden = fileURLToPath(new URL('../fixtures/golden/door-puzzle.yaml', import.meta.url));
    const { out } = await check(scenario('door-puzzle'), '--replies', golden);
    expect(out).toContain('win in 9 turns');
  });

  it('tells replies that do not win, and searches then', async () => {
    writeFileSync(join(folder, 'idle.yaml'), 'ranger: ["ACTION: DONE"]\n');
    const { code, out } = await check(scenario('brass-key'), '--replies', 'idle.yaml');
    expect(code).toBe(1);
    expect(out).toMatch(/^not won /);
    expect(out).toContain("the replies of idle.yaml don't win: ");
    expect(out).toContain('can be won in 6 turns');
    expect(out).not.toContain('first refusal');
  });

  it('names the first reply that was refused, where replies do not win', async () => {
    writeFileSync(
      join(folder, 'wrong.yaml'),
      'ranger: ["ACTION: WAIT", "ACTION: TAKE moon", "ACTION: FLY"]\n',
    );
    const { out } = await check(scenario('brass-key'), '--replies', 'wrong.yaml', '--effort', '0');
    expect(out).toMatch(/first refusal: turn 2, ranger: .*moon/);
    expect(out).not.toContain('FLY');
    const { out: json } = await check(scenario('brass-key'), '--replies', 'wrong.yaml', '--json');
    expect(JSON.parse(json)).toMatchObject({ proof: { refused: { turn: 2, agent: 'ranger' } } });
  });

  it.each([
    [['--replies', 'none.yaml'], 'none.yaml'],
    [['--without', 'FLY'], 'there is no action "FLY"'],
    [['--effort', 'much'], '--effort takes a whole number'],
  ])('refuses %j as wrong usage', async (args, words) => {
    const { code, err } = await check(scenario('brass-key'), ...args);
    expect(code).toBe(2);
    expect(err).toContain(words);
  });
});

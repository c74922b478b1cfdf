/** `check` tells whether a scenario can be won: by search, by its plan played as replies, and by replies that an author hands in. */
import { fileURLToPath } from 'node:url';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { orchestrate } from '../support/captured-io.js';
import { LONG_SIZED, someOf } from '../support/sizes.js';
import { temporaryFolder } from '../support/folder.js';

const folder = temporaryFolder();
const scenario = (name: string): string => join(process.cwd(), 'scenarios', `${name}.yaml`);
const check = (...args: readonly string[]) => orchestrate(['check', ...args], { cwd: folder });

interface Found {
  win: {
    verdict: string;
    turn: number | null;
    moves: readonly { agent: string; command: string }[] | null;
  } | null;
}

async function found(...args: readonly string[]): Promise<Found> {
  const { out } = await check(...args, '--json');
  const parsed: Found = JSON.parse(out);
  return parsed;
}

describe('check', () => {
  it.each(someOf(['crypt', 'brass-key', 'watchman', 'two-keepers'], 'scenarios'))(
    'prints moves for %s that win when agents say them',
    LONG_SIZED,
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

  const NOTE = `title: A note
map: |
  #########
  #.A.n.B.#
  #########
legend: { A: { agent: ann }, B: { agent: bob }, n: { thing: note } }
things: { note: { kind: note, text: 'The word is Moonlight!' } }
rooms: { hall: { area: [1, 1, 7, 1] } }
agents:
  - { id: ann, sprite: knight }
  - { id: bob, sprite: knight, goals: ['Hear the word.'] }
success: { agent: ann, said: moonlight }
`;

  it.each([
    ['moonlite', "did you mean 'moonlight'?"],
    ['moon light', "did you mean 'moonlight'?"],
    ['the wordis moonlight', "did you mean 'the word is moonlight'?"],
    ['abracadabra', 'write it where an agent can read or hear it'],
    // A word that shares only a few letters is another word.
    ['hold', 'write it where an agent can read or hear it'],
    ['moon', 'write it where an agent can read or hear it'],
  ])('warns of the words "%s", which no agent can know', async (phrase, hint) => {
    writeFileSync(join(folder, 'note.yaml'), NOTE.replace('said: moonlight', `said: ${phrase}`));
    const { out, err } = await check('note.yaml', '--effort', '0');
    expect(err).toContain(`note.yaml:12:30 warning: agents can't know '${phrase}'`);
    expect(err).toContain(hint);
    expect(out).toContain('1 warning');
  });

  it('proves a win by words that no agent can know only for one who guesses them', async () => {
    writeFileSync(join(folder, 'guess.yaml'), NOTE.replace('said: moonlight', 'said: moonlite'));
    expect((await check('guess.yaml')).out).toContain(
      "can be won in 1 turn if an agent guesses 'moonlite', which none can know (proven minimum; ",
    );
    writeFileSync(join(folder, 'known.yaml'), NOTE);
    expect((await check('known.yaml')).out).toMatch(/can be won in \d+ turns? \(proven minimum/);
  });

  it.each([
    ['read', '', ''],
    ['a goal', 'Hear the word.', 'Hear moonlight.'],
    ['a persona', 'goals: [', "persona: 'You love MOONLIGHT', goals: ["],
    ['rules', 'rooms:', 'prompt: { rules: "The word: moonlight." }\nrooms:'],
    ['a name', 'hall: { area', 'hall: { name: moonlight hall, area'],
    ['a reply', 'goals:', 'controller: replies, replies: [\'ACTION: SPEAK "moonlight"\'], goals:'],
    [
      'what a trigger tells',
      'rooms:',
      'triggers: { hear: { when: { turn: 1 }, then: [{ tell: Moonlight it is., to: everyone }] } }\nrooms:',
    ],
  ])('warns of no words that %s gives away', async (source, from, to) => {
    const text = source === 'read' ? NOTE : NOTE.replace('Moonlight!', 'secret.').replace(from, to);
    writeFileSync(join(folder, 'given.yaml'), text);
    expect(await check('given.yaml', '--effort', '0')).toMatchObject({ code: 0, err: '' });
  });

  it('warns of unknowable words of a trigger and below groups, but not of words that are forbidden', async () => {
    const text = NOTE.replace(
      'success: { agent: ann, said: moonlight }',
      `success:
  any:
    - { agent: bob, said: sesam }
    - not: { agent: bob, said: taboo }
failure: { agent: any, said: abracadabra }
triggers: { pass: { when: { said: mellon }, then: [{ tell: Hm., to: everyone }] } }`,
    );
    writeFileSync(join(folder, 'words.yaml'), text);
    const { err } = await check('words.yaml', '--effort', '0');
    const places = [...err.matchAll(/words\.yaml:(\d+:\d+) warning: agents can't know/g)];
    expect(places.map(([, place]) => place)).toEqual(['14:27', '17:35']);
  });

  /** Two agents and a guard before a gate whose key lies on the other side. */
  const PATROLLED = `title: A patrolled gate
map: |
  ##########
  #A.....#.#
  #......+k#
  #B....g#.#
  ##########
legend: { A: { agent: ann }, B: { agent: bob }, g: { npc: guard }, +: { door: gate }, k: { thing: small-key } }
doors: { gate: { key: small-key } }
things: { small-key: { kind: key } }
npcs: { guard: { behaviour: patrol, route: [[6, 3], [6, 1], [1, 1]], catches: 0 } }
rooms: { hall: { area: [1, 1, 6, 3] }, yard: { area: [8, 1, 1, 3] } }
rules: { movement: tile }
agents: [{ id: ann, sprite: knight }, { id: bob, sprite: knight }]
success: { agent: any, in_room: yard }
`;

  it(
    'refutes a key behind its own door with two agents and a patrol too, and does not head it ok',
    { tags: ['long'] },
    async () => {
      writeFileSync(join(folder, 'patrolled.yaml'), PATROLLED);
      const { code, out } = await check('patrolled.yaml');
      expect(code).toBe(1);
      expect(out).toMatch(/^unwinnable patrolled\.yaml: A patrolled gate/);
      const told = await check('patrolled.yaml', '--json');
      expect(told.code).toBe(1);
      expect(JSON.parse(told.out)).toMatchObject({ ok: false, win: { verdict: 'impossible' } });
      // The same with the key in the hall.
      writeFileSync(join(folder, 'free.yaml'), PATROLLED.replace('#......+k#', '#k.....+.#'));
      expect(await check('free.yaml')).toMatchObject({ code: 0, out: expect.stringMatching(/^ok free/) });
    },
  );

  it('says that a world is won before its first turn', async () => {
    writeFileSync(join(folder, 'won.yaml'), GATED('k..#').replace('in_room: yard', 'in_room: hall'));
    const { code, out, err } = await check('won.yaml');
    expect([code, out]).toEqual([0, expect.stringContaining('   won before its first turn\n')]);
    expect(err).toContain('won.yaml:16:1 warning: the world is won before its first turn (seed 1)');
    const run = await orchestrate(['run', 'won.yaml', '--out', 'won.sqlite'], { cwd: folder });
    expect(run.err).toContain('won.yaml:16:1 warning: the world is won before its first turn');
  });

  it('warns of facts that no agent has in the snapshot of a prompt', async () => {
    const snapshot = 'prompt: { snapshot: [self, exit] }\n';
    writeFileSync(join(folder, 'facts.yaml'), `${GATED('k..#')}${snapshot}`);
    const { err } = await check('facts.yaml', '--effort', '0');
    expect(err).toMatch(/warning: no agent has a fact "exit"[^]*did you mean exits\?/);
    expect(err).not.toContain('"self"');
  });

  it(
    'says so of the seeds of a generated map that are won, and of no other',
    { tags: ['long'] },
    async () => {
      const map = `title: Rooms
generate: { size: [24, 16], rooms: 4 }
things: { gem: {} }
agents: [{ id: ann, sprite: knight }]
success: { thing: gem, in_room: room-1 }
`;
      writeFileSync(join(folder, 'rooms.yaml'), map);
      const warned: boolean[] = [];
      for (let seed = 1; seed <= 12; seed++) {
        const { err } = await check('rooms.yaml', '--set', `seed=${seed}`, '--effort', '0');
        const log = `rooms-${seed}.sqlite`;
        const { out } = await orchestrate(
          ['run', 'rooms.yaml', '--seed', `${seed}`, '--set', 'turns.max=1', '--out', log, '--json'],
          { cwd: folder },
        );
        const { steps, status }: { steps: number; status: string } = JSON.parse(out);
        const isWon = err.includes('won before its first turn');
        expect(isWon).toBe(steps === 0 && status === 'succeeded');
        warned.push(isWon);
      }
      expect(new Set(warned)).toEqual(new Set([true, false]));
    },
  );

  it('lets nobody say what nobody has read', { tags: ['long'] }, async () => {
    const levers = join(process.cwd(), 'tests/fixtures/scenarios/levers-alike.yaml');
    const { code, out } = await check(levers, '--without', 'READ');
    expect([code, out]).toEqual([1, expect.stringContaining('unwinnable without READ')]);
    const { win } = await found(levers, '--plan');
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

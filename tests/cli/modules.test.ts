/** `--modules`: what modules of one's own bring, through every command; each way in which one can be wrong; what a log's run needs to be made again. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { orchestrate } from '../support/captured-io.js';
import { temporaryFolder } from '../support/folder.js';

const folder = temporaryFolder();
const on = (args: string, stdin = '') => orchestrate(args.split(' '), { cwd: folder, stdin });
const file = (name: string, text: string): void => writeFileSync(join(folder, name), text);

const action = (name: string, more = ''): string => `{
  name: '${name}', description: 'Does ${name}.', examples: [''],
  apply: (state) => ({ state, message: 'You did ${name}.' }), ${more} }`;

const room = (replies: string, more = ''): string => `title: A Room
map: |
  ###
  #A#
  ###
legend: { A: { agent: knight } }
agents:
  - id: knight
    replies: [${replies}]
${more}turns: { max: 2 }
`;

beforeAll(() => {
  file('ring.mjs', `export const actions = [${action('RING')}];`);
  file('hum.mjs', `export const actions = [() => (${action('HUM')})];`);
  file('room.yaml', room("'ACTION: RING', 'ACTION: HUM'"));
});

describe('modules with actions', () => {
  it('bring them to every command that opens the scenario', async () => {
    const both = '--modules ring.mjs --modules hum.mjs';
    expect((await on(`check room.yaml ${both}`)).code).toBe(0);
    const run = await on(`run room.yaml ${both} --out both.sqlite`);
    expect(run.out).toContain('You did RING.');
    expect(run.out).toContain('You did HUM.');
    const first = await on(`preview room.yaml ${both} --messages`);
    expect(first.out).toContain('- HUM: Does HUM.');
    const read = await on(`parse room.yaml --json ${both}`, 'ACTION: HUM');
    expect(JSON.parse(read.out)).toMatchObject({ ok: true, action: 'HUM' });
    expect((await on('doctor room.yaml --json --modules ring.mjs')).code).toBe(0);
    expect((await on(`verify both.sqlite ${both}`)).code).toBe(0);
    expect((await on('show both.sqlite --step 1')).out).toContain('You did RING.');
  });

  it('are offered for all that is seen, however far', async () => {
    file(
      'hook.mjs',
      `export const actions = [{ ...${action('HOOK')}, examples: ['bell 6'],
         grammar: { kind: 'sequence', parts: [
           { kind: 'name', slot: 'thing', of: ['thing'], description: 'what' },
           { kind: 'integer', slot: 'rope', min: 1, max: 9, description: 'how long' } ] },
         check: (state, agent, { rope }) => rope < 6 ? { code: 'illegal/short', message: 'Too short.' } : undefined }];`,
    );
    file(
      'far.yaml',
      `title: Far
map: |
  #########
  #A.....b#
  #########
legend: { A: { agent: knight }, b: { thing: bell } }
things: { bell: { name: bell, sprite: item/bell } }
agents: [{ id: knight, replies: ['ACTION: HOOK bell 6'] }]
turns: { max: 1 }
`,
    );
    const first = await on('preview far.yaml --modules hook.mjs --messages');
    expect(first.out).toContain('HOOK bell <rope: 6 to 9>');
  });

  it('leave the scenario as it is without them', async () => {
    const read = await on('parse room.yaml --json', 'ACTION: HUM');
    expect(JSON.parse(read.out)).toMatchObject({ ok: false, action: null });
    file('scoped.yaml', room("'ACTION: RING'").replace('replies:', 'actions: [RING]\n    replies:'));
    const refused = await on('check scoped.yaml');
    expect(refused.err).toContain("there is no action called 'RING'");
    expect(refused.err).toContain('--modules');
    expect((await on('check scoped.yaml --modules ring.mjs')).code).toBe(0);
    const warned = await on('check room.yaml --modules ring.mjs');
    expect(warned.code).toBe(0);
    expect(warned.err).toMatch(
      /^room\.yaml:9:31 warning: this reply names no action of the world\n.*'ACTION: RING', 'ACTION: HUM'/,
    );
    expect(warned.err).toContain('load a custom action with --modules my-actions.mjs');
    expect(warned.err.match(/warning/g)).toHaveLength(1);
    expect((await on('run room.yaml --out warned.sqlite')).err.match(/names no action/g)).toHaveLength(2);
    expect((await on('check room.yaml --modules ring.mjs --modules hum.mjs')).err).toBe('');
  });

  it('reach outside through the effect handlers that they bring', async () => {
    file(
      'ask.mjs',
      `export const actions = [{ ...${action('ASK', "outside: { handler: 'time' }")},
         apply: (state, agent, args, outside) => ({ state, message: 'It is ' + outside + '.' }) }];
       export const effectHandlers = { time: async () => 'noon' };`,
    );
    file('ask.yaml', room("'ACTION: ASK'"));
    expect((await on('run ask.yaml --modules ask.mjs --out ask.sqlite')).out).toContain('It is noon.');
  });
});

describe('a log of a run with modules', () => {
  it('says which action is missing', async () => {
    await on('run room.yaml --modules ring.mjs --out ring.sqlite');
    const refused = await on('verify ring.sqlite');
    expect(refused.code).toBe(2);
    expect(refused.err).toMatch(/was played with the action RING, which this program does not have/);
    expect(refused.err).toContain('--modules');
  });

  it('tells where there is an action too many', async () => {
    const differs = await on('verify ring.sqlite --modules ring.mjs --modules hum.mjs --json');
    expect(differs.code).toBe(1);
    expect(JSON.parse(differs.out)).toMatchObject({
      first_difference: { part: 'observation', note: expect.stringContaining('the actions differ') },
    });
  });

  it('tells where the action does something else now', async () => {
    file('ring-2.mjs', `export const actions = [${action('RING').replace('You did', 'You have done')}];`);
    const differs = await on('verify ring.sqlite --modules ring-2.mjs --json');
    expect(JSON.parse(differs.out)).toMatchObject({ first_difference: { part: 'result' } });
  });
});

describe('who plays', () => {
  beforeAll(() => {
    file(
      'seats.mjs',
      `const reply = { content: 'ACTION: WAIT', reasoning: null, toolCalls: [], finishReason: 'stop', usage: null };
       export const controllers = { knight: {
         name: 'mine', isRemote: false, decide: async () => ({ reply, memory: null }) } };`,
    );
    file(
      'arrows.mjs',
      `const read = ({ content }) => content.startsWith('>> ')
         ? { ok: true, command: { action: content.slice(3).trim(), args: {} }, rung: 'line',
             span: { start: 3, end: content.trim().length }, words: content.slice(3).trim() }
         : { ok: false, rung: null, span: null, problem: { code: 'no-action', message: 'Answer >> and an action.' } };
       export const protocols = { knight: {
         name: 'arrows', instructions: () => 'Answer >> and an action.', actionLines: () => ['>> WAIT'], read,
         form: () => ({ guided: null, tools: [], stop: [] }), replyText: ({ words }) => '>> ' + words,
         repair: () => 'Write >> WAIT.' } };
       const turns = (n) => ({ state: n, messages: () => [{ role: 'user', parts: [{ kind: 'text', text: n + ' turns ago.' }] }],
         remember: () => turns(n + 1), textRequest: () => null, withText: () => turns(n), kept: () => null });
       export const memory = { knight: turns(0) };`,
    );
  });

  it('answers in the protocol and is told the past that the module says', async () => {
    file('arrows.yaml', room("'>> WAIT', '>> WAIT'"));
    const first = await on('preview arrows.yaml --modules arrows.mjs --messages');
    expect(first.out).toContain('Answer >> and an action.');
    const read = await on('parse arrows.yaml --modules arrows.mjs --json', '>> WAIT');
    expect(JSON.parse(read.out)).toMatchObject({ ok: true, action: 'WAIT' });
    const named = await on('parse arrows.yaml --modules arrows.mjs --protocol json --json', '>> WAIT');
    expect(JSON.parse(named.out)).toMatchObject({ ok: false });
    const run = await on('run arrows.yaml --modules arrows.mjs --out arrows.sqlite');
    expect(run.code).toBe(0);
    const step = await on('show arrows.sqlite --step 3 --json');
    expect(step.out).toContain('1 turns ago.');
    const refused = await on('verify arrows.sqlite');
    expect(refused.code).toBe(2);
    expect(refused.err).toContain('knight was played with the custom protocol "arrows"');
    expect(await on('verify arrows.sqlite --modules arrows.mjs')).toMatchObject({ code: 0, err: '' });
    file('half.mjs', `export { protocols } from './arrows.mjs';`);
    const half = await on('verify arrows.sqlite --modules half.mjs');
    expect(half.err).toContain('knight was played with a custom memory');
  });

  it('is who the module says, unless the command line names somebody', async () => {
    const own = await on('run room.yaml --modules seats.mjs --out who.sqlite');
    expect(own.out).toContain('Knight (mine)');
    const named = await on('run room.yaml --modules seats.mjs --controller random --out named.sqlite');
    expect(named.out).not.toContain('mine');
  });

  it('must be an agent of the scenario', async () => {
    file(
      'stranger.mjs',
      `import { controllers } from './seats.mjs'; export { stranger as controllers }; const stranger = { knigt: controllers.knight };`,
    );
    const refused = await on('run room.yaml --modules stranger.mjs');
    expect(refused.code).toBe(2);
    expect(refused.err).toContain('the agent "knigt"');
    expect(refused.err).toContain('did you mean knight?');
  });
});

describe('a module that is wrong', () => {
  it.each([
    ['nowhere.mjs', null, 'there is no module nowhere.mjs'],
    ['thrown.mjs', 'throw new Error("no luck");', "thrown.mjs can't be loaded: no luck"],
    ['broken.mjs', 'export const = 1', "broken.mjs can't be loaded"],
    ['empty.mjs', '', 'empty.mjs has no recognised exports'],
    ['typo.mjs', 'export const action = [];', 'did you mean `export const actions`?'],
    ['single.mjs', `export const actions = ${action('RING')};`, '`actions` is not a list'],
    [
      'bare.mjs',
      "export const actions = [{ name: 'RING' }];",
      'actions[0] lacks description, examples, apply',
    ],
    ['list.mjs', 'export const effectHandlers = [];', '`effectHandlers` is not a record'],
    ['deaf.mjs', 'export const effectHandlers = { time: 1 };', 'effectHandlers.time is not a function'],
    ['mute.mjs', 'export const controllers = { knight: {} };', 'controllers.knight lacks name, decide'],
    ['world.mjs', 'export const environments = [{}];', 'environments[0] lacks kind, reader, effectHandlers'],
    [
      'unread.mjs',
      "export const environments = [{ kind: { kind: 'a', rulesVersion: 1, actionNames: [], open: () => 0 }, reader: {}, effectHandlers: {} }];",
      'environments[0].reader lacks kind, keys, agentKeys, sections, read',
    ],
    ['tools.mjs', 'export const tools = [1];', 'tools.mjs exports no list of tools'],
    [
      'taken.mjs',
      `export const actions = [${action('GO')}];`,
      "taken.mjs: its actions can't be used: two actions have the name or alias GO",
    ],
    [
      'kind.mjs',
      `export const actions = [${action('HOOK', "grammar: { kind: 'name', slot: 'thing', of: ['hold'], description: '' }")}];`,
      'HOOK: the grid has no kind "hold"\n  hint: did you mean held?',
    ],
    [
      'pass.mjs',
      'throw Object.assign(new Error("two actions have the name or alias PASS"), { name: "UsageError", hints: ["choose another"] });',
      "pass.mjs can't be loaded: two actions have the name or alias PASS\n  hint: choose another",
    ],
    ['verb.mjs', `export const actions = [${action('go on')}];`, "verb.mjs: its actions can't be used"],
    ['maker.mjs', 'export const actions = [() => { throw new Error("no map") }];', 'no map'],
  ])('%s is refused', async (name, text, words) => {
    if (text !== null) file(name, text);
    const refused = await on(`check room.yaml --modules ${name}`);
    expect(refused.code).toBe(2);
    expect(refused.err).toContain(words);
    expect(refused.err).toContain(name);
  });

  it.each([
    ['a path', "import './dist/index.js';", 'Cannot find module'],
    ['a package', "import 'nobody-has-this';", "Cannot find package 'nobody-has-this'"],
  ])('is refused for what it imports: %s', (_, text, words) => {
    file('lacking.mjs', text);
    const { status, stderr } = alone('check room.yaml --modules lacking.mjs');
    expect(status).toBe(2);
    expect(stderr).toContain(`lacking.mjs can't be loaded: ${words}`);
    expect(stderr).toContain('hint: it imports something that does not exist: correct the path, or install');
    expect(stderr).not.toContain('a module is a JavaScript file');
  });

  it('is refused where it brings what another brought', async () => {
    file('again.mjs', `export const actions = [${action('RING')}];`);
    const refused = await on('check room.yaml --modules ring.mjs --modules again.mjs');
    expect(refused.err).toContain('again.mjs: its actions');
  });

  it('may not take the place of a built-in environment', async () => {
    file(
      'grid.mjs',
      "export const environments = [{ kind: { kind: 'grid', rulesVersion: 1, actionNames: [], open: () => 0 }, reader: { kind: 'grid', keys: {}, agentKeys: {}, sections: [], read: () => 0 }, effectHandlers: {} }];",
    );
    const refused = await on('check room.yaml --modules grid.mjs');
    expect(refused.err).toContain('grid.mjs: there is already an environment called "grid');
  });

  // In a process of its own, since the test runner has its own way to load modules.
  const alone = (args: string) =>
    spawnSync(process.execPath, [join(process.cwd(), 'dist/cli/main.js'), ...args.split(' ')], {
      cwd: folder,
      encoding: 'utf8',
    });

  it('is told what it lacks where the library is not installed beside it', () => {
    file('package.json', '{"private":true}');
    file('homeless.mjs', "import 'orchestrate-vlm';");
    const { status, stderr } = alone('check room.yaml --modules homeless.mjs');
    expect(status).toBe(2);
    expect(stderr).toContain("install orchestrate-vlm in the module's folder");
  });

  const RIGHT = `export const actions = [${action('RING')}];`;
  it.each([
    ['what Node can not read', { 'slip.mjs': '// One.\nexport const actions = [ ;' }, 'slip.mjs:2', '= [ ;'],
    [
      'what a file that it imports holds',
      { 'slip.mjs': `import './slip-2.mjs';\n${RIGHT}`, 'slip-2.mjs': 'const x = {\n  a: 1\n  b: 2 };' },
      'slip-2.mjs:3',
      '  b: 2 };\n  ^',
    ],
    [
      'an import of what is not there',
      { 'slip.mjs': `import { x } from './slip-2.mjs';`, 'slip-2.mjs': 'export const y = 1;' },
      'slip.mjs:1',
      "import { x } from './slip-2.mjs';",
    ],
    ['what its code throws', { 'slip.mjs': '\nJSON.parse("{");' }, 'slip.mjs:2', ''],
  ])('is told by file and line: %s', (_, files, place, line) => {
    for (const [name, text] of Object.entries(files)) file(name, text);
    const { status, stderr } = alone('check room.yaml --modules slip.mjs');
    expect(status).toBe(2);
    expect(stderr).toContain(`(${place})`);
    expect(stderr).toContain(line);
    expect(stderr).not.toContain('a module is a JavaScript file');
  });

  it('has its code run no further than Node did when its mistake is looked for', { tags: ['long'] }, () => {
    file('slip.mjs', `console.log('ran'); await import('./slip-2.mjs');`);
    file('slip-2.mjs', 'export const = 1;');
    const { stdout, stderr } = alone('check room.yaml --modules slip.mjs');
    expect(stdout.match(/ran/g)).toHaveLength(1);
    expect(stderr).toContain('(slip-2.mjs:1)');
  });

  it(
    'is told by its file and line where its environment breaks, and the log has that end',
    { tags: ['long'] },
    () => {
      file(
        'world.mjs',
        `import { defineEnvironment, settingsReader } from ${JSON.stringify(new URL('../../dist/index.js', import.meta.url).href)};
const kind = defineEnvironment({ kind: 'mute', rulesVersion: 1, actions: [], create: () => ({}),
  tell: (_, __, settings) => { throw new Error('oh'); }, outcome: () => ({ status: 'running', reason: '' }) });
export const environments = [{ kind, reader: settingsReader('mute', {}), effectHandlers: {} }];`,
      );
      file('mute.yaml', 'title: Mute\nenvironment: mute\nagents:\n  - id: ann\nturns: { max: 2 }\n');
      const { status, stderr } = alone('run mute.yaml --modules world.mjs --out mute.sqlite');
      expect(stderr).toMatch(/error: a mistake in world\.mjs:\d+:\d+:\nError: oh/);
      expect(status).toBe(1);
      expect(alone('show mute.sqlite --modules world.mjs').stdout).toMatch(/error.*oh/);
    },
  );
});

describe('an action of one’s own that breaks', () => {
  it.each([
    ['its check throws', 'check: () => { throw new Error("oh"); }', /Error: oh \([a-z-]+\.mjs:\d+:\d+\)/],
    [
      'it throws',
      'apply: () => { throw new TypeError("no bell"); }',
      /TypeError: no bell \([a-z-]+\.mjs:\d+:\d+\)/,
    ],
    ['it throws no error', 'apply: () => { throw Object.create(null); }', /thrown: object/],
    ['it gives back nothing', 'apply: () => ({})', /RING: apply did not return \{ state, message \}/],
    ['it promises', 'apply: async (state) => ({ state, message: "Done." })', /RING: apply did not return/],
    [
      'no log can hold its state',
      'apply: (state) => ({ state: { ...state, minds: { knight: { ...state.minds.knight, mood: 0.5 } } }, message: "Done." })',
      /integer|whole number|fraction/,
    ],
    [
      'it is free and throws',
      'cost: "free", apply: () => { throw new Error("oh"); }',
      /Error: oh \([a-z-]+\.mjs/,
    ],
  ])('gives the agent an error for a result, and the run goes on: %s', async (why, more, words) => {
    const name = why.replaceAll(' ', '-');
    file(`${name}.mjs`, `export const actions = [${action('RING', more)}];`);
    for (const order of ['sequential', 'simultaneous']) {
      file(
        'broken.yaml',
        room("'ACTION: RING', 'ACTION: LOOK'").replace('max: 2', `max: 3, order: ${order}`),
      );
      const out = `${name}-${order}.sqlite`;
      const run = await on(`run broken.yaml --modules ${name}.mjs --out ${out}`);
      expect(run.code, run.err).toBe(0);
      expect(run.out).toMatch(words);
      expect(run.out).toContain('action-failed');
      const step = await on(`show ${out} --step 1 --modules ${name}.mjs`);
      expect(step.out).toContain('RING broke off with an error of its own, and nothing changed.');
      expect(step.out).toMatch(words);
      expect(step.out).not.toContain(folder);
      const next = await on(`show ${out} --step 3 --json --modules ${name}.mjs`);
      expect(next.out).not.toMatch(words);
      expect(await on(`verify ${out} --modules ${name}.mjs`)).toMatchObject({ code: 0, err: '' });
    }
  });
});

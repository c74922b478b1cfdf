/** `render.marks`: a number in the picture is understood in place of a name, and the text says so without telling more than the picture. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { at } from '../../src/base/assert.js';
import type { RequestForm } from '../../src/model/chat.js';
import { orchestrate } from '../support/captured-io.js';
import { answering, lastText } from '../support/controllers.js';
import { temporaryFolder } from '../support/folder.js';
import { play } from '../support/play.js';

/** By rows: 1 the berries, 2 the red key, 3 the coin in the second door's room, 4 the blue key, 5 bottle and board. */
const KEYS = `title: Keys
map: |
  ########
  #A...+.#
  #....###
  ########
legend: { A: { agent: ann }, +: { door: door-2 } }
rooms: { west: { area: [1, 1, 4, 2] }, east: { area: [6, 1, 1, 1] } }
doors: { door-2: { name: oak door 4, state: open } }
things:
  berries: { sprite: item/berries-red, at: [1, 1], stack: { kind: berry, amount: 5 } }
  red: { name: key, kind: key, sprite: item/key-red, at: [2, 1] }
  coin: { sprite: item/coins, at: [6, 1] }
  blue: { name: key, kind: key, sprite: item/key-blue, at: [1, 2] }
  board: { kind: sign, at: [2, 2], text: Mind the step. }
  bottle: { sprite: item/potion-red, at: [2, 2] }
agents: [{ id: ann, sprite: figure/knight }]
rules: { movement: tile }
turns: { attempts: 1, repair: false, max: 2 }
prompt: { offers: false }
render: { marks: true }
`;

async function saying(reply: string, set: readonly string[], scenario = KEYS) {
  const ann = answering([reply]);
  const { sink } = await play(scenario, { controllers: { ann }, set });
  const act = at(at(sink.steps, 0).acts, 0);
  const problem = act.result.ok ? null : act.result.problem;
  return { args: act.intent?.args ?? null, problem, told: lastText(ann.inputs[0]) };
}

const PLAIN = 'render.channel=image';
const FULL = 'render.channel=both';
const JSON_FORM = 'agents.ann.protocol=json';

it.each([
  ['TAKE 2', { thing: 'red' }],
  ['TAKE [4]', { thing: 'blue' }],
  ['TAKE 2 berries', { amount: 2, thing: 'berries' }],
  ['TAKE 2 1', { amount: 2, thing: 'berries' }],
  // Of two things on a tile, the one with which it can be done; and no short name of the oak door 4.
  ['TAKE 5', { thing: 'bottle' }],
  ['READ 5', { thing: 'board' }],
  ['GO TO 4', { target: 'blue' }],
])('%s names what has the number, also in words alone', async (words, args) => {
  for (const set of [PLAIN, FULL]) expect((await saying(`ACTION: ${words}`, [set])).args).toEqual(args);
});

it.each(['{"action": "TAKE", "thing": 4}', '{"action": "TAKE", "thing": "4"}'])(
  'so does %s',
  async (reply) => {
    for (const set of [PLAIN, FULL])
      expect((await saying(reply, [set, JSON_FORM])).args).toEqual({ thing: 'blue' });
  },
);

it('a number that is not in the picture is refused as an unknown name is', async () => {
  for (const set of [PLAIN, FULL]) {
    const told = async (words: string) => (await saying(`ACTION: ${words}`, [set])).problem?.message;
    expect(await told('TAKE 9')).toBe((await told('TAKE crown'))?.replace('crown', '9'));
    expect((await saying('ACTION: TAKE 2', [set, 'render.marks=false'])).args).toBeNull();
  }
});

it('the text says so, and where only the picture names things, not which is what', async () => {
  const sentence = 'In place of a name, you may write the number that something has in the picture.';
  const [plain, full, none] = await Promise.all(
    [[PLAIN], [FULL], [PLAIN, 'render.marks=false']].map((set) => saying('ACTION: WAIT', set)),
  );
  expect(plain?.told).toContain(sentence);
  expect(plain?.told).not.toMatch(/key|berries|board/);
  expect(full?.told).toContain(`1: berries; 2: key; 3: coin; 4: key; 5: board; 5: bottle.\n${sentence}`);
  expect(none?.told).not.toContain('number');
});

/** 1 the key, 2 the left door, 3 the right one; nothing else has the name of the oak door. */
const DOORS = `title: Doors
map: |
  #######
  #kA.o.#
  #d#D###
  #.#.###
  #######
legend: { A: { agent: ann }, k: { thing: key }, d: { door: left }, D: { door: right }, o: { door: oak } }
rooms:
  hall: { area: [1, 1, 3, 1] }
  west: { area: [1, 3, 1, 1] }
  south: { area: [3, 3, 1, 1] }
  east: { area: [5, 1, 1, 1] }
doors:
  left: { name: door, state: closed }
  right: { name: door, state: closed }
  oak: { name: oak door, state: closed }
things: { key: { kind: key, sprite: item/key-red } }
agents: [{ id: ann, sprite: figure/knight }]
rules: { movement: tile }
turns: { attempts: 1, repair: false, max: 2 }
prompt: { offers: false }
render: { marks: true }
`;

it('doors of one name have numbers after all else, and a door of its own name has none', async () => {
  for (const set of [PLAIN, FULL]) {
    expect((await saying('ACTION: OPEN 2', [set], DOORS)).args).toEqual({ target: 'left' });
    expect((await saying('ACTION: GO TO 3', [set], DOORS)).args).toEqual({ target: 'right' });
    expect((await saying('ACTION: OPEN 4', [set], DOORS)).args).toBeNull();
    expect((await saying('ACTION: OPEN 2', [set, 'doors.left.name=elm door'], DOORS)).args).toBeNull();
  }
  const { told } = await saying('ACTION: WAIT', [FULL], DOORS);
  expect(told).toContain('Numbers in the picture: 1: key; 2: west door; 3: east door.\n');
});

/** Both keys are within reach of both. */
const PAIR = `title: Pair
map: |
  #####
  #kBK#
  #.A.#
  #####
legend: { A: { agent: ann }, B: { agent: bob }, k: { thing: red }, K: { thing: blue } }
things:
  red: { name: key, kind: key, sprite: item/key-red }
  blue: { name: key, kind: key, sprite: item/key-blue }
agents:
  - { id: ann, sprite: figure/knight }
  - { id: bob, sprite: figure/wizard, controller: replies, replies: ['ACTION: TAKE 2'] }
rules: { movement: tile }
turns: { attempts: 1, repair: false, max: 1 }
success: { holds: blue, agent: ann }
render: { marks: true, channel: image }
`;

it.each(['oracle', 'sighted', 'scripted'])(
  '%s answers with it, where only the picture tells things of one name apart',
  async (player) => {
    const { sink } = await play(PAIR, { set: [`agents.ann.controller=${player}`] });
    const ends = sink.entries.flatMap((entry) => (entry.kind === 'reply' ? [entry.end] : []));
    const [ann] = ends.flatMap((one) => (one.kind === 'replied' ? [one.reply.content] : []));
    expect(ann).toMatch(/ACTION: TAKE 2$/);
    expect(at(at(sink.steps, 0).acts, 0)).toMatchObject({
      intent: { args: { thing: 'blue' } },
      result: { ok: true },
    });
  },
);

it('a search knows that an agent of the world will be understood', async () => {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'pair.yaml'), PAIR.replace('agent: ann }\nrender', 'agent: bob }\nrender'));
  const { out } = await orchestrate(['check', 'pair.yaml'], { cwd });
  expect(out).toContain('can be won in 1 turn');
});

describe.each([[[FULL]], [[FULL, 'rules.refusals=plain']], [['render.channel=image', 'render.names=true']]])(
  'with %j, where names are listed',
  (set) => {
    const shown = [...set, 'prompt.offers=true'];
    const formFor = async (protocol: string): Promise<RequestForm> => {
      const ann = answering(['ACTION: WAIT']);
      await play(KEYS, { controllers: { ann }, set: [...shown, `agents.ann.protocol=${protocol}`] });
      return at(ann.inputs, 0).form;
    };
    const allows = (form: RequestForm, answer: string): boolean =>
      new RegExp(`^(?:${form.guided?.regex ?? ''})$`, 'u').test(answer);

    it('a guided command has the numbers with which it is possible, and no others', async () => {
      const form = await formFor('command');
      for (const verb of ['TAKE', 'TAKE 2', 'READ', 'GO TO', 'OPEN', 'LOOK AT'])
        for (const number of ['1', '2', '3', '4', '5', '9']) {
          const command = `ACTION: ${verb} ${number}`;
          const { args, problem } = await saying(command, shown);
          const isPossible = args !== null && problem === null;
          expect([command, allows(form, command)]).toEqual([command, isPossible]);
        }
    });

    it('so have objects, blocks and the parameters of tools', async () => {
      const take = (thing: string): string => `{"name": "TAKE", "parameters": {"thing": "${thing}"}}`;
      const json = await formFor('json');
      expect(['2', '4', '5', '3', '9'].map((one) => allows(json, take(one)))).toEqual([
        true,
        true,
        true,
        false,
        false,
      ]);
      expect(JSON.stringify(json.guided?.schema)).toContain('"bottle","1","2","4","5"');
      expect(allows(await formFor('react'), 'Action: TAKE\nAction Input: {"thing": "4"}')).toBe(true);
      const tool = (await formFor('tools')).tools.find(({ name }) => name === 'TAKE');
      expect(JSON.stringify(tool?.parameters)).toContain('"4"');
      expect(JSON.stringify(tool?.guidedParameters)).toContain('"4"');
    });

    it('none without numbers in the picture', async () => {
      const ann = answering(['ACTION: WAIT']);
      await play(KEYS, { controllers: { ann }, set: [...shown, 'render.marks=false'] });
      expect(allows(at(ann.inputs, 0).form, 'ACTION: TAKE 4')).toBe(false);
    });
  },
);

/** What a page knows is what the log holds: every message, reply and result, worlds after each step, in parts as in one. */
import { join } from 'node:path';
import Database from 'better-sqlite3';
import * as fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { LIMITS } from '../../src/base/limits.js';
import { at, known } from '../../src/base/assert.js';
import type { Scene, Visibility } from '../../src/environment/scene.js';
import { LogReader } from '../../src/log/reader.js';
import { LogWriter } from '../../src/log/writer.js';
import { statusOf } from '../../src/view/page/step-summary.js';
import { packCells, packScene, unpackScene } from '../../src/view/packed-scene.js';
import type { PackedThing } from '../../src/view/packed-scene.js';
import { withPart, NO_DATA } from '../../src/view/page-data.js';
import type { PageCall, PageData, PageMessage, PagePart, PageRun } from '../../src/view/page-data.js';
import { PageMaker } from '../../src/view/page-maker.js';
import type { OpenRunSource } from '../../src/view/run-source.js';
import { changed, logged } from '../replay/support.js';
import { corridor } from '../orchestrator/two-agents.js';
import { orchestrate } from '../support/captured-io.js';
import { answering } from '../support/controllers.js';
import { temporaryFolder } from '../support/folder.js';
import { NEVER_STOPPED, partsFor } from '../support/play.js';
import { TurnOrchestrator } from '../../src/orchestrator/turn-orchestrator.js';
import { dataOf, makerOf, openRun, openStage, partsOf } from './support.js';

const cwd = temporaryFolder();
let log = '';
let data: PageData = NO_DATA;

beforeAll(async () => {
  const ann = answering([
    'hm',
    'Thought: hm. ACTION: GO EAST',
    'Wrong.\nACTION: GO EAST',
    'ACTION: SPEAK "Mind the step, Bob."',
    'ACTION: TAKE coin',
  ]);
  const bob = answering(['ACTION: GO WEST', 'ACTION: GO SOUTH', 'ACTION: READ sign', 'ACTION: WAIT']);
  log = (await logged(corridor('max: 4'), { controllers: { ann, bob } })).path;
  data = await dataOf(log);
});

const onlyRun = (from: PageData): PageRun => known(from.runs[0], 'a run');

/** All messages of a call, from what the page has of it and those before it. */
function messagesOf(run: PageRun, call: PageCall): readonly PageMessage[] {
  if (call.previous === null) return call.added;
  const before = run.steps.flatMap(({ calls }) => calls).find((one) => one.call === call.previous);
  return [...messagesOf(run, known(before, 'the call before')).slice(0, call.kept), ...call.added];
}

function reading<T>(path: string, read: (reader: LogReader, runId: string) => T): T {
  const reader = new LogReader(path);
  try {
    return read(reader, known(reader.runs()[0], 'a run').runId);
  } finally {
    reader.close();
  }
}

describe("a page's data", () => {
  it('has every call with the messages and pictures that were sent, and the reply', () => {
    const run = onlyRun(data);
    const calls = run.steps.flatMap((step) => step.calls);
    expect(calls.length).toBeGreaterThan(8);
    expect(calls.some(({ previous }) => previous !== null)).toBe(true);
    reading(log, (reader, runId) => {
      for (const call of calls) {
        const { request, end } = known(reader.call(runId, call.call), 'the call');
        const told = messagesOf(run, call).map(({ role, pieces }) => ({
          role,
          parts: pieces.map((piece) =>
            'text' in piece ? data.texts[piece.text] : data.pictures[piece.picture]?.hash,
          ),
        }));
        const sent = request.messages.map(({ role, parts }) => ({
          role,
          parts: parts.map((part) => (part.kind === 'text' ? part.text : part.frameHash)),
        }));
        expect(told).toEqual(sent);
        if (end?.kind !== 'replied' || call.reply.kind !== 'replied') throw new Error('not answered');
        expect(data.texts[call.reply.content]).toBe(end.reply.content);
        expect(call.picture === null ? null : data.pictures[call.picture]?.hash).toBe(request.frameHash);
      }
    });
  });

  it('has every act with its span and what came of it, every walk and word', () => {
    const run = onlyRun(data);
    reading(log, (reader, runId) => {
      const records = [...reader.steps(runId)];
      expect(run.steps.map(({ step, turn, agent }) => [step, turn, agent])).toEqual(
        records.map(({ step, turn, agent }) => [step, turn, agent]),
      );
      for (const [i, { acts }] of records.entries())
        expect(
          run.steps[i]?.acts.map(({ problem, accepted }) => [problem === null, accepted?.span ?? null]),
        ).toEqual(
          acts.map(({ result, reading }) => {
            const span = reading?.ok === true ? reading.span : null;
            return [result.ok, span];
          }),
        );
    });
    const said = run.steps.flatMap((step) => step.said);
    expect(said).toEqual([{ speaker: 'ann', text: 'Mind the step, Bob.', hearers: ['bob'] }]);
    expect(run.steps.some(({ acts }) => acts.some(({ problem }) => problem?.code === 'unparsable'))).toBe(
      true,
    );
    expect(run.steps.find(({ agent, walks }) => agent === 'ann' && walks.length > 0)?.walks[0]).toMatchObject(
      {
        actor: 'ann',
      },
    );
    expect(run.end).toEqual({ status: 'ended', reason: expect.any(String) as string });
  });

  it('has the scenes of the map and of each agent after every step, as the world gives them', async () => {
    const { reader } = makerOf(log);
    const summary = known(reader.runs()[0], 'a run');
    const { states, environment } = await openRun({ reader, file: '', runId: null }, summary);
    for (const step of onlyRun(data).steps) {
      const { state } = states.at(step.step);
      const scene = (place: number | null) => unpackScene(at(data.scenes, place ?? -1), data);
      expect(scene(step.map)).toEqual({ ...environment.scene(state, null), marks: [] });
      expect(scene(step.eyes[1] ?? null)).toEqual(environment.scene(state, 'bob'));
    }
    reader.close();
  });

  it('draws what was sent from scenes, and carries the very file where the tiles give other pixels', async () => {
    expect(data.pictures.every((picture) => 'scene' in picture)).toBe(true);
    const reader = new LogReader(log);
    // As if the program drew otherwise than the one that played the run.
    const skinned: OpenRunSource = async (file, summary) => {
      const source = await openRun(file, summary);
      return { ...source, tileset: source.tileset.skinned(5) };
    };
    const maker = new PageMaker([{ reader, file: 'a.sqlite', runId: null }], skinned, openStage);
    const part = known(await maker.part({ isAll: true }), 'a part');
    expect(part.pictures.length).toBeGreaterThan(3);
    for (const picture of part.pictures) {
      if (!('png' in picture)) throw new Error('drawn');
      expect(Buffer.from(picture.png, 'base64')).toEqual(
        Buffer.from(known(reader.frame(picture.hash), 'it').png),
      );
    }
    reader.close();
  });

  it('is the same in parts, made while the run is played, as at once', async () => {
    const path = join(cwd, 'growing.sqlite');
    const writer = new LogWriter(path);
    const grown: PagePart[] = [];
    let open: ReturnType<typeof makerOf> | null = null;
    const parts = await partsFor(corridor('max: 6'), writer, {
      controllers: { ann: answering(['ACTION: GO EAST']), bob: answering(['ACTION: SPEAK "Still here."']) },
      beforeStep: async (_, turn) => {
        if (turn === 1) return;
        open ??= makerOf(path);
        const part = await open.maker.part({ isAll: false });
        if (part !== null) grown.push(part);
      },
    });
    await new TurnOrchestrator(parts).run(NEVER_STOPPED);
    writer.close();
    const { maker, reader } = known<ReturnType<typeof makerOf>>(open, 'a maker');
    grown.push(known(await maker.part({ isAll: false }), 'the last part'));
    expect(await maker.part({ isAll: false })).toBeNull();
    reader.close();
    expect(grown.length).toBeGreaterThan(5);
    expect(grown.reduce(withPart, NO_DATA)).toEqual(await dataOf(path));
  });

  it(
    'of a run that has ended never calls it unfinished, however many parts it takes',
    { tags: ['long'] },
    async () => {
      const { path } = await logged(corridor('max: 80'), {
        controllers: { ann: answering(['ACTION: WAIT']), bob: answering(['ACTION: WAIT']) },
      });
      const { reader, maker } = makerOf(path);
      const statuses: string[] = [];
      let data = NO_DATA;
      for (;;) {
        const part = await maker.part({ isAll: false });
        if (part === null) break;
        data = withPart(data, part);
        statuses.push(statusOf(onlyRun(data)).split(' ')[0] ?? '');
      }
      reader.close();
      expect(statuses.length).toBeGreaterThan(1);
      expect(statuses).toEqual([...statuses.slice(1).map(() => 'loading'), 'ended']);
    },
  );

  it('of agents that act at once shows a turn only once all of it is there, and its steps as one tick', async () => {
    const { path } = await logged(corridor('max: 3, order: simultaneous'), {
      controllers: { ann: answering(['ACTION: WAIT']), bob: answering(['ACTION: WAIT']) },
    });
    const run = onlyRun(await dataOf(path));
    expect(run.steps.slice(0, 3).map(({ tick }) => tick)).toEqual([1, 1, 3]);
    const cut = changed(path, (db) => db.exec('DELETE FROM ends; DELETE FROM steps WHERE step > 1'));
    const { reader, maker } = makerOf(cut);
    expect((await maker.part({ isAll: false }))?.runs[0]?.steps).toEqual([]);
    reader.close();
  });

  it('of a fork names its parent and shares its scenes', async () => {
    const file = join(cwd, 'fork.sqlite');
    const db = new Database(log);
    db.exec(`VACUUM INTO '${file}'`);
    db.close();
    const code = await orchestrate(
      ['fork', file, '--at', '4', '--reply', 'ACTION: WAIT', '--json', '--controller', 'random'],
      { cwd },
    );
    expect(code.code, code.err).toBe(0);
    const forked = await dataOf(file);
    const [parent, child] = forked.runs;
    expect(child?.parent).toEqual({ run: parent?.id, step: 4 });
    expect(child?.steps.slice(0, 3).map(({ map, eyes }) => [map, eyes])).toEqual(
      parent?.steps.slice(0, 3).map(({ map, eyes }) => [map, eyes]),
    );
    expect(forked.tilesets).toHaveLength(1);
  });

  it(
    'shows a part of a map beyond pageMapTiles, around who acts, and refuses more than pageRuns runs',
    { tags: ['long'] },
    async () => {
      expect(LIMITS.pageMapTiles).toBe(40_000);
      const side = 201;
      const rows = [
        '#'.repeat(side),
        `#${'.'.repeat(side - 2)}#`,
        ...Array<string>(side - 2).fill('#'.repeat(side)),
      ];
      const { path } = await logged(
        'title: Wide\nseed: 1\nmap: |\n  ###\n  #A.\nlegend:\n  A: { agent: ann }\nagents:\n  - { id: ann, sprite: figure/knight }\nturns: { max: 9 }\n',
        {
          controllers: { ann: answering(Array<string>(9).fill('ACTION: GO EAST')) },
          definition: (checked) => ({ ...(checked as object), size: { width: side, height: side }, rows }),
        },
      );
      const wide = await dataOf(path);
      const run = onlyRun(wide);
      expect(run.isMapWhole).toBe(false);
      const maps = [run.start, ...run.steps].map(({ map }) =>
        unpackScene(known(wide.scenes[map ?? -1], 'a map'), wide),
      );
      for (const { width, height, origin, things, ground, legend } of maps) {
        expect([width, height, ground.length]).toEqual([64, 64, 64 * 64]);
        const ann = known(
          things.find(({ id }) => id === 'ann'),
          'ann',
        );
        expect(ann.y + origin.y).toBe(1);
        // The wall above her, wherever the window is.
        expect(legend[known(ground[ann.x], 'ground')]).toBe('wall');
      }
      const lefts = maps.map(({ origin }) => origin.x);
      expect(lefts[0]).toBe(0);
      expect(known(lefts.at(-1), 'a window')).toBeGreaterThan(0);
      const reader = new LogReader(log);
      const summary = known(reader.runs()[0], 'a run');
      const many = Array.from({ length: LIMITS.pageRuns + 1 }, (_, i) => ({ ...summary, runId: `run-${i}` }));
      const crowd = Object.assign(Object.create(reader) as LogReader, { runs: () => many });
      const real = await openRun({ reader, file: 'a.sqlite', runId: null }, summary);
      const logs = [{ reader: crowd, file: 'a.sqlite', runId: null }];
      const maker = new PageMaker(logs, () => Promise.resolve(real), openStage);
      await expect(maker.part({ isAll: true })).rejects.toThrow('a page shows at most 64 runs');
      reader.close();
    },
  );

  it(
    'of more than pageEyes agents makes eyes anew with their own steps and at the end of a turn',
    { tags: ['long'] },
    async () => {
      const eyesOf = async (count: number) => {
        const agents = Array.from(
          { length: count },
          (_, i) => `  - { id: a${i}, sprite: figure/knight, at: [${i + 1}, 1] }`,
        );
        const row = '.'.repeat(count + 2);
        const text = `title: Crowd\nseed: 1\nmap: |\n  ${row}\n  ${row}\n  ${row}\nagents:\n${agents.join('\n')}\nrules: { movement: tile }\nturns: { max: 1 }\n`;
        const controllers = Object.fromEntries(
          Array.from({ length: count }, (_, i) => [`a${i}`, answering(['ACTION: GO SOUTH'])]),
        );
        const { path } = await logged(text, { controllers });
        const run = onlyRun(await dataOf(path));
        return { isCrowd: run.isCrowd, eyes: run.steps.map(({ eyes }) => eyes[1]), start: run.start.eyes[1] };
      };
      const few = await eyesOf(LIMITS.pageEyes);
      expect(few.isCrowd).toBe(false);
      // Their neighbour's step is seen at once.
      expect(few.eyes[0]).not.toBe(few.start);
      const many = await eyesOf(LIMITS.pageEyes + 1);
      expect(many.isCrowd).toBe(true);
      expect(many.eyes[0]).toBe(many.start);
      expect(many.eyes[1]).not.toBe(many.start);
      expect(many.eyes[2]).toBe(many.eyes[1]);
      expect(many.eyes.at(-1)).not.toBe(many.eyes[1]);
    },
  );

  it('comes in parts of a limited size', { tags: ['long'] }, async () => {
    const { path } = await logged(corridor('max: 30'), {
      controllers: { ann: answering(['ACTION: WAIT']), bob: answering(['ACTION: WAIT']) },
    });
    const parts = await partsOf(path);
    expect(parts.length).toBeGreaterThan(1);
    expect(parts.reduce(withPart, NO_DATA).runs[0]?.steps).toHaveLength(90);
  });
});

describe('a packed scene', () => {
  const cell = fc.record({
    ground: fc.integer({ min: -1, max: 3 }),
    visibility: fc.constantFrom<Visibility>(0, 1, 2),
  });
  const scenes = fc
    .record({ width: fc.integer({ min: 1, max: 9 }), height: fc.integer({ min: 1, max: 9 }) })
    .chain(({ width, height }) =>
      fc.record({
        width: fc.constant(width),
        height: fc.constant(height),
        origin: fc.record({ x: fc.integer(), y: fc.integer() }),
        cells: fc.array(cell, { minLength: width * height, maxLength: width * height }),
        things: fc.array(
          fc.record({
            id: fc.string(),
            name: fc.string(),
            sprite: fc.string(),
            layer: fc.nat(3),
            x: fc.nat(9),
            y: fc.nat(9),
          }),
          { maxLength: 5 },
        ),
      }),
    );

  it('gives the scene back', () => {
    fc.assert(
      fc.property(scenes, ({ cells, ...rest }) => {
        const scene: Scene = {
          ...rest,
          legend: ['floor', 'wall', '"\\', '地'],
          ground: cells.map(({ ground }) => ground),
          visibility: cells.map(({ visibility }) => visibility),
          marks: [{ text: '1', x: 0, y: 0 }],
        };
        const texts: string[] = [];
        const things: PackedThing[] = [];
        const tables = {
          text: (one: string) => texts.push(one) - 1,
          cells: (one: Scene) => texts.push(packCells(one)) - 1,
          thing: (one: PackedThing) => things.push(one) - 1,
        };
        const packed = JSON.parse(JSON.stringify(packScene(scene, tables))) as NonNullable<
          ReturnType<typeof packScene>
        >;
        expect(unpackScene(packed, { texts, things })).toEqual(scene);
      }),
    );
  });
});

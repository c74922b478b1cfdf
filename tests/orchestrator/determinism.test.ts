/** The same run twice is the same run, wherever it is written; and the log alone makes it again, step by step. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { known } from '../../src/base/assert.js';
import { LogReader } from '../../src/log/reader.js';
import { SNAPSHOT_EVERY } from '../../src/trajectory/records.js';
import { LogWriter } from '../../src/log/writer.js';
import { TurnOrchestrator } from '../../src/orchestrator/turn-orchestrator.js';
import { answering } from '../support/controllers.js';
import { temporaryFolder } from '../support/folder.js';
import { LIBRARY_YAML } from '../support/library-scenario.js';
import { libraryModule } from '../support/library-world.js';
import { NEVER_STOPPED, partsFor, play } from '../support/play.js';
import type { PlayOptions } from '../support/play.js';
import { verified } from '../replay/support.js';
import { corridor } from './two-agents.js';
import { LONG_SIZED, someOf } from '../support/sizes.js';

const folder = temporaryFolder();
const SCENARIOS = ['brass-key', 'crypt', 'two-keepers', 'watchman', 'car-repair', 'two-robots'];

async function logged(text: string, name: string, options: PlayOptions = {}) {
  const path = join(folder, `${name}.sqlite`);
  const writer = new LogWriter(path);
  const end = await new TurnOrchestrator(await partsFor(text, writer, options)).run(NEVER_STOPPED);
  writer.close();
  return { path, end };
}

describe('the same scenario and seed', () => {
  it.each(someOf(SCENARIOS, 'scenarios'))(
    '%s ends the same in memory and in SQLite',
    { tags: ['long'] },
    async (name) => {
      const first = await play(`scenarios/${name}.yaml`);
      const second = await logged(`scenarios/${name}.yaml`, `twice-${name}`);
      expect(second.end.stateHash).toBe(first.end.stateHash);
      expect(second.end.chain).toBe(first.end.chain);
    },
  );

  it('with another seed has another chain from the first step on', async () => {
    const [one, two] = await Promise.all([
      play(corridor(), { set: ['seed=1'] }),
      play(corridor(), { set: ['seed=2'] }),
    ]);
    expect(two.sink.steps[0]?.chain).not.toBe(one.sink.steps[0]?.chain);
  });
});

describe('the log alone', () => {
  it.each(someOf(SCENARIOS, 'scenarios'))(
    'makes %s again: chain, observations, messages, frames, state',
    LONG_SIZED,
    async (name) => {
      const { path, end } = await logged(`scenarios/${name}.yaml`, name);
      const again = await verified(path);
      expect(again).toMatchObject({ difference: null, steps: end.steps });
      expect(again.frames).toBeGreaterThan(0);
    },
  );

  it.each(['sequential', 'simultaneous'])(
    'makes a random run in %s order again',
    { tags: ['long'] },
    async (order) => {
      const set = [`turns.order=${order}`, 'turns.max=30', 'agents.wizard.controller=random'];
      const others = ['agents.knight.controller=random', 'agents.blacksmith.controller=random'];
      const { path, end } = await logged('scenarios/crypt.yaml', `random-${order}`, {
        set: [...set, ...others],
      });
      expect(await verified(path)).toMatchObject({ difference: null, steps: end.steps });
    },
  );

  it('makes a run with marks, a legend, a skin, refusals and free acts again', async () => {
    const ann = answering(['hm', 'ACTION: GO NORTH', 'ACTION: LOOK', 'ACTION: GO EAST', 'x', 'y', 'z']);
    const { path } = await logged(corridor('max: 4'), 'refusals', {
      controllers: { ann, bob: answering(['ACTION: READ sign', 'ACTION: TAKE coin']) },
      set: ['render.marks=true', 'render.legend=true', 'render.skin=7'],
    });
    expect(await verified(path)).toMatchObject({ difference: null, steps: 12 });
  });

  it('makes a run again that reached outside, and reaches for nothing', async () => {
    const { path } = await logged(LIBRARY_YAML, 'library', { modules: [libraryModule()] });
    const unreachable = libraryModule(() => Promise.reject(new Error('reached outside')));
    expect(await verified(path, [unreachable])).toMatchObject({ difference: null, steps: 1, frames: 0 });
  });

  it('differs where the rules differ', async () => {
    const { path } = await logged(LIBRARY_YAML, 'rules', { modules: [libraryModule()] });
    const module = libraryModule();
    const open = (definition: Parameters<typeof module.kind.open>[0]) => {
      const environment = module.kind.open(definition);
      return { ...environment, parts: () => ({ all: 'other' }) };
    };
    const other = { ...module, kind: { ...module.kind, open } };
    expect((await verified(path, [other])).difference).toMatchObject({
      step: 1,
      part: 'world',
      path: '/parts/world',
    });
  });
});

describe('snapshots', () => {
  it('stand at every 256th step', { tags: ['long'] }, async () => {
    const { path } = await logged(corridor('max: 90'), 'snapshots', {
      controllers: { ann: answering([]), bob: answering([]) },
    });
    const reader = new LogReader(path);
    const { runId } = known(reader.runs()[0], 'a run');
    const withSnapshot = [...reader.steps(runId)].filter(({ snapshot }) => snapshot !== undefined);
    expect(withSnapshot.map(({ step }) => step)).toEqual([SNAPSHOT_EVERY]);
    expect(reader.snapshotBefore(runId, 270).step).toBe(SNAPSHOT_EVERY);
    expect(reader.snapshotBefore(runId, SNAPSHOT_EVERY - 1).step).toBe(0);
    reader.close();
  });
});

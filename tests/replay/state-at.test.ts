/** The world after any step, from the log alone: the state that was logged, wherever one comes from, in every shipped scenario. */
import { readdirSync } from 'node:fs';
import type Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { MODULES } from '../../src/worlds/registry.js';
import { stageOpener } from '../../src/assembly/stage.js';
import { known } from '../../src/base/assert.js';
import { canonicalJson } from '../../src/base/canonical.js';
import { LogReader } from '../../src/log/reader.js';
import { SNAPSHOT_EVERY } from '../../src/trajectory/records.js';
import { LoggedStates } from '../../src/replay/state-at.js';
import type { EnvironmentModule } from '../../src/worlds/environment-module.js';
import { corridor } from '../orchestrator/two-agents.js';
import { answering } from '../support/controllers.js';
import { LIBRARY_YAML } from '../support/library-scenario.js';
import { libraryModule } from '../support/library-world.js';
import { changed, logged } from './support.js';
import { SIZED, someOf } from '../support/sizes.js';

const SHIPPED = readdirSync('scenarios').filter((name) => name.endsWith('.yaml'));

function opened(path: string, modules: readonly EnvironmentModule[] = MODULES) {
  const reader = new LogReader(path);
  const { runId, steps } = known(reader.runs()[0], 'a run');
  const run = reader.run(runId);
  const { environment } = stageOpener({ modules })(run);
  const states = () => new LoggedStates({ reader, run, environment });
  return { reader, run, steps, states };
}

/** Steps whose state is not as it was logged, asked for in this order of one set of states. */
function strange(path: string, order: (steps: number) => readonly number[]): readonly number[] {
  const { reader, steps, states } = opened(path);
  const one = states();
  const found = order(steps).filter((step) => !one.at(step).isAsLogged);
  reader.close();
  return found;
}

const upTo = (steps: number) => Array.from({ length: steps + 1 }, (_, i) => i);

describe.each(someOf(SHIPPED, 'scenarios'))('%s', (name) => {
  it('has the logged state after every step, forwards, backwards and by leaps', SIZED, async () => {
    const { path } = await logged(`scenarios/${name}`, { set: ['turns.max=30'] });
    expect(strange(path, upTo)).toEqual([]);
    const back = (steps: number) => upTo(steps).toReversed().slice(0, SNAPSHOT_EVERY);
    expect(strange(path, back)).toEqual([]);
    const leaps = (steps: number) => [0.9, 0.2, 0.5, 0.1].map((part) => Math.floor(steps * part));
    expect(strange(path, leaps)).toEqual([]);
  });
});

it('of an environment of anybody, by its contract alone', async () => {
  const modules = [libraryModule()];
  const { path } = await logged(LIBRARY_YAML, { modules });
  const { reader, steps, states } = opened(path, modules);
  expect(steps).toBeGreaterThan(0);
  expect(upTo(steps).filter((step) => !states().at(step).isAsLogged)).toEqual([]);
  reader.close();
});

it.each(['sequential', 'simultaneous'])(
  'past many snapshots, also those within a tick (%s)',
  { tags: ['long'] },
  async (order) => {
    const turns = `max: ${SNAPSHOT_EVERY}, order: ${order}`;
    const ways = ['GO EAST', 'GO SOUTH', 'TAKE coin', 'GO WEST', 'DROP coin', 'GO NORTH', 'READ sign'];
    const walk = (pace: number) => upTo(900).map((i) => `ACTION: ${ways[(i * pace) % ways.length]}`);
    const controllers = { ann: answering(walk(1)), bob: answering(walk(3)) };
    const { path } = await logged(corridor(turns), { controllers });
    const { reader, run, steps, states } = opened(path);
    expect(steps).toBeGreaterThan(2 * SNAPSHOT_EVERY);
    const end = known(reader.end(run.runId), 'an end');
    expect(canonicalJson(states().at(steps).state)).toBe(canonicalJson(end.finalState));
    const around = upTo(steps).filter((step) => step % SNAPSHOT_EVERY < 4 || step % SNAPSHOT_EVERY > 250);
    for (const step of around) expect([step, states().at(step).isAsLogged]).toEqual([step, true]);
    reader.close();
  },
);

it('tells free acts that were done from those that were refused', async () => {
  const ann = [
    'ACTION: LOOK',
    'ACTION: LOOK',
    'ACTION: LOOK',
    'ACTION: TAKE coin',
    'ACTION: READ sign',
    'WAIT',
  ];
  const bob = ['ACTION: READ sign', 'ACTION: WAIT', 'ACTION: READ sign', 'ACTION: READ sign', 'ACTION: WAIT'];
  for (const order of ['sequential', 'simultaneous']) {
    const controllers = { ann: answering(ann), bob: answering(bob) };
    const { path } = await logged(corridor(`max: 3, free_acts: 1, attempts: 5, order: ${order}`), {
      controllers,
    });
    const { reader, run } = opened(path);
    const acts = [...reader.steps(run.runId)].flatMap((step) => step.acts);
    expect(acts.some(({ result }) => !result.ok && result.problem.code === 'over-budget')).toBe(true);
    reader.close();
    expect(strange(path, upTo)).toEqual([]);
  }
});

describe('a log that does not say what was played', () => {
  const at = async (sql: string, step: number) => {
    const controllers = { ann: answering(['ACTION: GO EAST', 'ACTION: GO SOUTH']) };
    const { path } = await logged(corridor('max: 4'), { controllers });
    const { reader, states } = opened(changed(path, (db: Database.Database) => void db.exec(sql)));
    try {
      return states().at(step);
    } finally {
      reader.close();
    }
  };

  it('gives the state that follows from it, and says that it is another', async () => {
    const sql = `UPDATE steps SET state = replace(hex(zeroblob(32)), '0', 'a') WHERE step = 4`;
    const played = [await at('', 3), await at('', 4), await at('', 5)] as const;
    expect(played[1].state).not.toEqual(played[0].state);
    expect(await at(sql, 4)).toMatchObject({ isAsLogged: false, state: played[1].state });
    expect(await at(sql, 5)).toMatchObject({ isAsLogged: true, state: played[2].state });
  });

  it('is refused where it lacks the step', async () => {
    await expect(at('DELETE FROM steps WHERE step = 4', 4)).rejects.toThrow('found 11 steps');
  });

  it('is refused where this world can not play it', async () => {
    const { path } = await logged(corridor('max: 4'));
    const { reader, run, states } = opened(path);
    const { environment } = stageOpener({ modules: MODULES })(run);
    const advance = () => {
      throw new Error('nobody flies here');
    };
    const strict = new LoggedStates({ reader, run, environment: { ...environment, advance } });
    expect(states().at(4).isAsLogged).toBe(true);
    expect(() => strict.at(4)).toThrow("the world at step 4 can't be reconstructed: nobody flies here");
    reader.close();
  });
});

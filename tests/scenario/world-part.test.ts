/** An agent with `part: world` keeps its controller and its model, whoever plays the others, and is no player in any name. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openScenario } from '../../src/assembly/open.js';
import { play } from '../../src/assembly/play.js';
import { at } from '../../src/base/assert.js';
import { onServers, withPlayers } from '../../src/batch/players.js';
import { withOverrides } from '../../src/cli/options/overrides.js';
import type { Overrides } from '../../src/cli/options/overrides.js';
import { LogReader } from '../../src/log/reader.js';
import { LogWriter } from '../../src/log/writer.js';
import { runFigures } from '../../src/report/run-metrics.js';
import { defaultModel } from '../../src/scenario/settings.js';
import { corridor } from '../orchestrator/two-agents.js';
import { temporaryFolder } from '../support/folder.js';

const OWN_URL = 'http://world.example/v1';
const NEW_URL = 'http://player.example/v1';

/** Bob is part of the world. Both ask the same model, unless another controller is given to Bob. */
async function scenarioWith(bob: readonly string[] = ['agents.bob.model=m']) {
  const set = [
    `models.m.base_url=${OWN_URL}`,
    'models.m.model=npc',
    'agents.ann.model=m',
    'agents.bob.part=world',
    ...bob,
  ];
  const source = { path: 'corridor.yaml', content: corridor(), readFile: () => new Uint8Array() };
  return openScenario(source, { set });
}

type Opened = Awaited<ReturnType<typeof scenarioWith>>;

/** Who decides for each agent: the model and its address, or the controller's kind. */
function deciders({ agents, models }: Opened['scenario']): readonly string[] {
  return agents.map(({ controller }) => {
    if (controller.kind !== 'model') return controller.kind;
    const spec = models[controller.model];
    return `${spec?.model ?? 'any'} at ${spec?.baseUrl ?? 'nowhere'}`;
  });
}

describe('an agent that is part of the world', () => {
  it.each<readonly [name: string, options: Overrides, ann: string]>([
    ['--model', { model: 'new' }, `new at ${OWN_URL}`],
    ['--base-url', { baseUrl: NEW_URL }, `npc at ${NEW_URL}`],
    ['both', { model: 'new', baseUrl: NEW_URL }, `new at ${NEW_URL}`],
    ['--controller random', { controller: 'random' }, 'random'],
    ['--controller model', { controller: 'model' }, `npc at ${OWN_URL}`],
  ])('is spared by %s', async (_, options, ann) => {
    const { scenario } = await scenarioWith();
    expect(deciders(withOverrides(scenario, options))).toEqual([ann, `npc at ${OWN_URL}`]);
    // The same options again, as when a run is resumed with them.
    const again = withOverrides(withOverrides(scenario, options), options);
    expect(deciders(again)).toEqual([ann, `npc at ${OWN_URL}`]);
  });

  it.each<readonly [kind: string, players: Parameters<typeof withPlayers>[1], ann: string]>([
    [
      'a model',
      { kind: 'model', spec: { ...defaultModel(), model: 'new', baseUrl: OWN_URL }, servers: [] },
      `new at ${NEW_URL}`,
    ],
    ['a controller', { kind: 'random' }, 'random'],
  ])('is spared by a batch whose player is %s', async (_, players, ann) => {
    const { scenario } = await scenarioWith();
    expect(deciders(onServers(withPlayers(scenario, players), players, { batch: NEW_URL }))).toEqual([
      ann,
      `npc at ${OWN_URL}`,
    ]);
  });

  it('is no player in the name of a run, unless there is no other', async () => {
    const named = async (options: Overrides, set: readonly string[]) => {
      const path = join(temporaryFolder(), 'run.sqlite');
      const opened = await scenarioWith(['agents.bob.controller=random', ...set]);
      const sink = new LogWriter(path);
      await play({ ...opened, scenario: withOverrides(opened.scenario, options) }, { sink });
      sink.close();
      const reader = new LogReader(path);
      const run = at(reader.runs(), 0);
      const { players } = runFigures(reader, reader.run(run.runId), path);
      reader.close();
      return players;
    };
    expect(await named({ controller: 'scripted' }, [])).toBe('scripted');
    expect(await named({}, ['agents.ann.controller=scripted', 'agents.ann.part=world'])).toBe(
      'random + scripted',
    );
  });

  it('leaves the scenario of before as it was', async () => {
    const { scenario } = await scenarioWith(['agents.bob.part=player', 'agents.bob.model=m']);
    expect(scenario.agents.map((agent) => Object.keys(agent).includes('part'))).toEqual([false, false]);
    expect(Object.keys(withOverrides(scenario, { model: 'new' }).models)).toEqual(['m', 'command-line']);
  });
});

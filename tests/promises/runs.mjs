/**
 * Whole runs in a process of its own: scenario, controllers, prompts, frames, chain. In: a request as JSON in the first argument (files, seeds,
 * `steps` as far as runs go, `controller`, `plant`); out: a line `file seed steps chain state` for each run.
 */
import { MODULES } from '../../dist/modules/worlds/registry.js';
import { openScenario } from '../../dist/modules/assembly/open.js';
import { prepare } from '../../dist/modules/assembly/play.js';
import { MemorySink } from '../../dist/modules/trajectory/memory-sink.js';
import { openScenarioFile } from '../../dist/modules/scenario/folder.js';
import { loadScenario } from '../../dist/modules/scenario/load.js';

const { files, seeds, steps, controller, plant } = JSON.parse(process.argv[2]);

/** Put in on purpose: a seed that depends on where the process believes to be. */
const slip = plant === 'clock' ? Math.abs(new Date(2026, 0, 1).getTimezoneOffset()) : 0;

/** The scenario with other settings; its tileset is read but once. */
function reopened(opened, file, set) {
  const { scenario, source } = loadScenario(file, () => undefined, {
    set,
    worlds: MODULES.map(({ reader }) => reader),
    known: { sprites: opened.loaded.sprites },
  });
  return { ...opened, scenario, source, environment: opened.module.kind.open(scenario.definition) };
}

for (const name of files) {
  const file = openScenarioFile(name);
  const opened = await openScenario(file);
  const { agents, turns } = opened.scenario;
  const most = Math.min(turns.max, Math.max(2, Math.ceil(steps / agents.length)));
  const players = controller === 'random' ? agents.map(({ id }) => `agents.${id}.controller=random`) : [];
  for (const seed of seeds) {
    const played = reopened(opened, file, [`seed=${seed + slip}`, `turns.max=${most}`, ...players]);
    const end = await (await prepare(played)).play(new MemorySink());
    console.log(name, seed, end.steps, end.chain, end.stateHash);
  }
}

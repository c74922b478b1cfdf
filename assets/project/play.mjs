// Plays the scenario and prints each act. The log is kept in run.sqlite: `npx orchestrate show run.sqlite`.
import { runScenario } from 'orchestrate-vlm';
import { world } from './throw.mjs';

const { end, steps } = await runScenario('scenario.yaml', { modules: [world], log: 'run.sqlite' });

for (const { turn, agent, acts } of steps) {
  for (const { result } of acts) {
    console.log(`${turn} ${agent}: ${result.ok ? result.message : result.problem.message}`);
  }
}
console.log(`${end.status}: ${end.reason}`);

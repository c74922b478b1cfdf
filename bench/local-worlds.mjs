/**
 * Worlds of two agents in one process, without a wire: what `bench/served.ts` holds served ones against. In: a scenario's file, how many worlds, a
 * folder for their logs; out: steps a second of agents, and microseconds of processor time a step. Needs the built program.
 */
import { join } from 'node:path';
import process from 'node:process';
import { LogWriter, embeddedReply, openScenario, prepare, scenarioFile } from 'orchestrate-vlm';

const [file = '', worlds = '1', folder = '.'] = process.argv.slice(2);
const controller = {
  name: 'wait',
  isRemote: false,
  decide: () => Promise.resolve({ reply: embeddedReply('ACTION: WAIT'), memory: null }),
};

const runs = [];
for (let i = 0; i < Number(worlds); i++) {
  const opened = await openScenario(scenarioFile(file));
  const prepared = await prepare(opened, { controllers: { a0: controller, a1: controller } });
  runs.push({ prepared, log: new LogWriter(join(folder, `local-${process.pid}-${i}.sqlite`)) });
}
let steps = 0;
const [began, before] = [performance.now(), process.cpuUsage()];
await Promise.all(
  runs.map(async ({ prepared, log }) => {
    await prepared.play(log, {
      stepDone: ({ calls }) => {
        if (calls.length > 0) steps += 1;
      },
    });
    // As a server does: each log is closed when its run is over.
    log.close();
  }),
);
const { user, system } = process.cpuUsage(before);
const rate = (1000 * steps) / (performance.now() - began);
process.stdout.write(JSON.stringify({ rate, cpuUs: (user + system) / steps }));

// An agent of your own, decided by a function: what it perceives goes in, words come out. Run it with `node examples/agent-loop.mjs`.
import { fileURLToPath } from 'node:url';
import { embeddedReply, scenarioSteps } from 'orchestrate-vlm';

/** What it would do, dearest first; each once, as soon as it is offered. Your model or your policy goes here. */
const WISHES =
  'TAKE silver goblet;GO TO silver goblet;TAKE brass key;GO TO brass key;USE brass key ON oak door;OPEN oak door;GO TO oak door;GO east';

/** @type {import('orchestrate-vlm').Controller} */
const agent = {
  name: 'my-agent',
  isRemote: false,
  async decide({ observation, memory }) {
    const done = Array.isArray(memory) ? memory : [];
    const offers = observation.offered.map(({ action, slots }) => ({
      action,
      names: Object.values(slots).flat(),
    }));
    const isOffered = (line) =>
      offers.some(
        ({ action, names }) => line.startsWith(action) && names.some((name) => line.endsWith(name)),
      );
    const line = WISHES.split(';').find((wish) => !done.includes(wish) && isOffered(wish)) ?? 'WAIT';
    return { reply: embeddedReply(`ACTION: ${line}`), memory: [...done, line] };
  },
};
const scenario = fileURLToPath(new URL('../scenarios/brass-key.yaml', import.meta.url));
for await (const { turn, acts } of scenarioSteps(scenario, { controllers: { ranger: agent } })) {
  for (const { result } of acts) console.log(turn, result.ok ? result.message : result.problem.message);
}

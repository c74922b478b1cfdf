/**
 * A controller that is stopped again and again by the test that started it: it takes the entity whenever it can, decides each tick that it
 * is asked, and prints a line of JSON for each intent that was accepted. In: ADDRESS ENTITY NAME. Ends with the run.
 */
import process from 'node:process';
import { setTimeout as wait } from 'node:timers/promises';
import { WorldClient } from '../../dist/modules/serve/client/world-client.js';
import { Part, RunState } from '../../dist/modules/serve/gen/orchestrate/world/v1/world_pb.js';

const [address = '', entity = '', controller = ''] = process.argv.slice(2);
const client = new WorldClient({ address, token: null });
const { signal } = new AbortController();

for (;;) {
  try {
    const lease = await client.acquire({ run: '', entity, controller }, signal);
    for await (const { isFinal, tick, attempt } of client.observations(lease, [Part.OFFERS], signal)) {
      if (isFinal) process.exit(0);
      if (tick === 0n) continue;
      const intent = { intent: { case: 'wait', value: {} }, requestId: '' };
      const ack = await client.submit(lease, { tick, attempt, basedOnTick: 0n }, intent, signal);
      const line = JSON.stringify({ entity, epoch: Number(lease.epoch), tick: Number(tick) });
      if (ack.accepted) process.stdout.write(`${line}\n`);
    }
  } catch {
    // The lease was lost while this process stood still: it is taken again, unless the run is over.
    const { state } = await client.world('', signal);
    if (state > RunState.PAUSED) process.exit(0);
    await wait(5);
  }
}

#!/usr/bin/env node
// The API of a served world with nothing but `fetch`: JSON over HTTP, as any language can. Takes the entity in ENTITY_ID and goes where it can, in turn.
const world = process.env.WORLD_ADDR ?? '127.0.0.1:50051';
const base = `${world.includes('://') ? world : `http://${world}`}/orchestrate.world.v1`;
const entity = process.env.ENTITY_ID ?? 'knight';
const controller = process.env.CONTROLLER_ID ?? 'fetch';

// For example, that the entity is already held.
process.on('uncaughtException', ({ message }) => {
  console.error(message);
  process.exit(1);
});

const call = async (method, body) => {
  const response = await fetch(`${base}.${method}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(`${method}: ${answer.message}`);
  return answer;
};

/** The messages of a stream: each has a byte of flags and its length before it. */
async function* stream(method, body) {
  const json = Buffer.from(JSON.stringify(body));
  const head = Buffer.alloc(5);
  head.writeUInt32BE(json.length, 1);
  const response = await fetch(`${base}.${method}`, {
    method: 'POST',
    headers: { 'content-type': 'application/connect+json' },
    body: Buffer.concat([head, json]),
  });
  let rest = Buffer.alloc(0);
  for await (const chunk of response.body) {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= 5 && rest.length >= 5 + rest.readUInt32BE(1)) {
      const end = 5 + rest.readUInt32BE(1);
      const isLast = (rest[0] & 2) !== 0;
      const message = JSON.parse(rest.subarray(5, end).toString());
      rest = rest.subarray(end);
      if (!isLast) yield message;
      else if (message.error !== undefined) throw new Error(message.error.message);
    }
  }
}

const { lease } = await call('LeaseService/AcquireLease', { entity, controller });
const renewing = setInterval(() => void call('LeaseService/RenewLease', { lease }).catch(() => {}), 3000);
for await (const seen of stream('PlayService/StreamObservations', { lease })) {
  if (seen.isFinal) {
    console.log(seen.state, seen.reason);
    break;
  }
  // The first message only says that the stream is open.
  if (seen.tick === undefined) continue;
  const go = seen.offers?.find(({ action }) => action === 'GO');
  const ways = (go?.choices ?? [])
    .filter(({ slot }) => slot === 'direction' || slot === 'target')
    .flatMap(({ slot, values = [] }) => values.map((text) => ({ [slot]: { text } })));
  const args = ways[Number(seen.tick) % ways.length];
  const intent = args === undefined ? { wait: {} } : { call: { action: 'GO', args } };
  const ack = await call('PlayService/SubmitIntent', {
    lease,
    tick: seen.tick,
    attempt: seen.attempt,
    ...intent,
  });
  console.log(`T${seen.tick}`, ack.accepted === true ? ack.action : ack.message);
}
clearInterval(renewing);

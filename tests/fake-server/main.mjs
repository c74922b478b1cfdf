// @ts-check
/**
 * The fake server by hand: `node tests/fake-server/main.mjs --port 8000 --reply 'ACTION: GO NORTH'`. Prints each
 * request as one line. For trying the command line without a model; ends with Ctrl-C.
 */
import { parseArgs } from 'node:util';
import { startFakeServer } from './server.mjs';
import { KINDS } from './dialects.mjs';

const IMAGES = /** @type {const} */ (['one', 'none', 'any']);

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '8000' },
    reply: { type: 'string', multiple: true, default: ['ACTION: WAIT'] },
    kind: { type: 'string', default: 'vllm' },
    images: { type: 'string', default: 'one' },
    latency: { type: 'string', default: '0' },
  },
});

const kind = KINDS.find((name) => name === values.kind);
const images = IMAGES.find((name) => name === values.images);
if (kind === undefined || images === undefined) {
  process.stderr.write(`--kind is one of ${KINDS.join(', ')}; --images one of ${IMAGES.join(', ')}\n`);
  process.exit(2);
}

const server = await startFakeServer({
  port: Number(values.port),
  kind,
  images,
  latencyMs: Number(values.latency),
  reply: ({ index, text }) => {
    const reply = values.reply[index % values.reply.length] ?? 'ACTION: WAIT';
    process.stdout.write(`${JSON.stringify({ request: index, asked: text.slice(-200), reply })}\n`);
    return reply;
  },
});
process.stdout.write(`listening at ${server.baseUrl}\n`);

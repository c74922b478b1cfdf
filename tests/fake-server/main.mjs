// @ts-check
/**
 * The fake server by hand: `node tests/fake-server/main.mjs --port 8000 --reply 'ACTION: GO NORTH'`. Prints each
 * request as one line. For trying the command line without a model; ends with Ctrl-C.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { constraintIn } from './constraints.mjs';
import { startFakeServer } from './server.mjs';
import { KINDS } from './dialects.mjs';
import { IMAGE_FAMILIES } from './image-tokens.mjs';
import { looker } from './looker.mjs';
import { drawnFrom, plansIn, player } from './player.mjs';
import { USAGES } from './usage.mjs';

const CONSTRAINTS = /** @type {const} */ (['honoured', 'ignored', 'refused']);
const IMAGES = /** @type {const} */ (['one', 'none', 'any']);

/** Fits no form, so that the server makes one up. */
const MADE_UP = '';

const HELP = `node tests/fake-server/main.mjs [options]: a strict OpenAI-compatible server on loopback that thinks nothing.

  --port N        where it listens (8000)
  --reply TEXT    what it answers; of several one that follows from the request, so
                  that the same request gets the same one ('ACTION: WAIT', and where
                  a reply is guided any one that the form allows)
  --player N=S    has a model named N that follows the ways to win of --plans in a
                  share S of its replies (0 to 1), and else does something of no use
  --plans FILE    what orchestrate check SCENARIO... --plan --json printed
  --looker NAME   has a model named NAME that plays scenarios/one-glance.yaml by
                  the pixels of the pictures that it is sent
  --kind NAME     whose manners it has: ${KINDS.join(', ')}
  --images HOW    how many pictures a request must hold: ${IMAGES.join(', ')}
  --model NAME    what its model is called (fake-vlm)
  --family NAME   by whose rules a picture costs tokens:
                  ${IMAGE_FAMILIES.join(', ')} (gemma-3)
  --usage HOW     what it tells of tokens: ${USAGES.join(', ')} (as the kind does)
  --context N     tokens that prompt and answer may come to (32768)
  --constraints HOW  what it does with guided decoding: ${CONSTRAINTS.join(', ')} (honoured)
  --latency MS    how long it takes (0)
  --busy N        each Nth request is told that it is busy, as its kind says it (none)
  --slots N       how many requests it answers at a time, the others wait (any number)
  --quiet         prints no requests, and remembers only the last few
`;

/** @returns {never} @param {string} words @param {number} code */
function leave(words, code) {
  (code === 0 ? process.stdout : process.stderr).write(words);
  process.exit(code);
}

if (process.argv.includes('--help')) leave(HELP, 0);

const { values } = readOptions();

function readOptions() {
  try {
    return options();
  } catch (error) {
    return leave(`${error instanceof Error ? error.message : String(error)}\n\n${HELP}`, 2);
  }
}

function options() {
  return parseArgs({
    options: {
      port: { type: 'string', default: '8000' },
      reply: { type: 'string', multiple: true },
      player: { type: 'string', multiple: true, default: [] },
      plans: { type: 'string' },
      looker: { type: 'string', multiple: true, default: [] },
      kind: { type: 'string', default: 'vllm' },
      images: { type: 'string', default: 'one' },
      model: { type: 'string', default: 'fake-vlm' },
      family: { type: 'string', default: 'gemma-3' },
      usage: { type: 'string' },
      context: { type: 'string', default: '32768' },
      constraints: { type: 'string', default: 'honoured' },
      latency: { type: 'string', default: '0' },
      slots: { type: 'string', default: 'Infinity' },
      busy: { type: 'string', default: 'Infinity' },
      quiet: { type: 'boolean', default: false },
    },
  });
}

const kind = KINDS.find((name) => name === values.kind);
const images = IMAGES.find((name) => name === values.images);
const constraints = CONSTRAINTS.find((name) => name === values.constraints);
const family = IMAGE_FAMILIES.find((name) => name === values.family);
const usage = USAGES.find((name) => name === values.usage);
const isUsageKnown = values.usage === undefined || usage !== undefined;
if (!kind || !images || !constraints || !family || !isUsageKnown) {
  leave(
    `--kind is one of ${KINDS.join(', ')}; --images one of ${IMAGES.join(', ')}; ` +
      `--constraints one of ${CONSTRAINTS.join(', ')}; --family one of ${IMAGE_FAMILIES.join(', ')}; ` +
      `--usage one of ${USAGES.join(', ')}\n`,
    2,
  );
}

const players = playersNamed();

/** By the name of their model. */
function playersNamed() {
  const plans = values.plans === undefined ? {} : plansIn(readFileSync(values.plans, 'utf8'));
  /** @type {[string, (request: import('./server.mjs').ChatRequest) => string | Promise<string>][]} */
  const named = values.player.map((text) => {
    const [, name = '', skill = ''] = /^(.+)=(0|1|0?\.\d+)$/.exec(text) ?? [];
    if (name === '') leave(`--player ${text}: NAME=SKILL, with a skill from 0 to 1\n`, 2);
    return [name, player(plans, Number(skill))];
  });
  return new Map([...named, ...values.looker.map((name) => /** @type {const} */ ([name, looker]))]);
}

const server = await startFakeServer({
  port: Number(values.port),
  kind,
  images,
  constraints,
  models: players.size === 0 ? [values.model] : [...players.keys()],
  family,
  ...(usage === undefined ? {} : { usage }),
  contextTokens: Number(values.context),
  latencyMs: Number(values.latency),
  slots: Number(values.slots),
  busyEvery: Number(values.busy),
  bounds: true,
  remember: values.quiet ? 8 : Number.POSITIVE_INFINITY,
  reply: async (request) => {
    const { index, text, body } = request;
    const { reply: given = [constraintIn(kind, body) === null ? 'ACTION: WAIT' : MADE_UP] } = values;
    const playing = players.get(String(body['model']));
    const drawn = given[Math.floor(drawnFrom(body)[1] * given.length)] ?? '';
    const reply = playing === undefined ? drawn : await playing(request);
    if (!values.quiet)
      process.stdout.write(`${JSON.stringify({ request: index, asked: text.slice(-200), reply })}\n`);
    return reply;
  },
});
process.stdout.write(`listening at ${server.baseUrl}\n`);

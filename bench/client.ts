/**
 * What a call costs outside the step: the client as a run uses it, beside a bare request of node:http over kept sockets with the same bytes, both to
 * a bare server in a process of its own. Processor time of this process alone, by the median of alternating rounds, so that neither the server nor a
 * busy machine counts.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import type { Message } from '../src/model/chat.js';
import { systemDependencies } from '../src/model/dependencies.js';
import { openChatModel } from '../src/model/openai.js';
import { bodySettings, chatBody } from '../src/model/request.js';
import type { ModelSpec } from '../src/scenario/scenario.js';
import { median } from './figures.js';

export interface ClientAmounts {
  /** Of each round, for the client and for the floor. */
  readonly calls: number;
  readonly rounds: number;
  /** Who asks at the same time. */
  readonly atOnce: number;
}

/** By call. */
export interface ClientFigures {
  readonly bodyBytes: number;
  readonly clientUs: number;
  readonly floorUs: number;
  readonly ratio: number;
}

type Call = (messages: readonly Message[]) => Promise<unknown>;

/** As long as what a run of the crypt sends of its past, its rules and its picture. */
const [SYSTEM_CHARACTERS, TURN_CHARACTERS, TURNS_KEPT, PNG_BYTES] = [6000, 900, 10, 7500];

export async function clientReport(amounts: ClientAmounts): Promise<string> {
  const { bodyBytes, clientUs, floorUs, ratio } = await measureClient(amounts);
  const ofBody = `${Math.round(bodyBytes / 1000)} KB of body`;
  return `client: ${Math.round(clientUs)} µs of processor time a call with ${ofBody}, a bare request with the same bytes ${Math.round(floorUs)} µs: ${ratio.toFixed(2)} ×\n`;
}

export async function measureClient({ calls, rounds, atOnce }: ClientAmounts): Promise<ClientFigures> {
  const server = spawn(process.execPath, ['bench/bare-server.mjs'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const dependencies = systemDependencies(() => undefined);
  const agent = new http.Agent({ keepAlive: true });
  try {
    const [address] = (await once(server.stdout, 'data')) as [Buffer];
    const spec = specOf(`${address.toString().trim()}/v1`);
    const model = openChatModel(spec, dependencies);
    const never = new AbortController().signal;
    const client: Call = (messages) => model.complete(messages, never);
    const body = Buffer.from(
      JSON.stringify(chatBody(bodySettings(spec, 'bench'), talk(), { foldSystem: false })),
    );
    const floor: Call = () => bareRequest(`${spec.baseUrl}/chat/completions`, body, agent);
    const [clientUs, floorUs]: [number[], number[]] = [[], []];
    // The first round warms up and is not counted.
    for (let round = 0; round <= rounds; round++) {
      const one = (await timed(client, calls, atOnce)) / calls;
      const other = (await timed(floor, calls, atOnce)) / calls;
      if (round === 0) continue;
      clientUs.push(one);
      floorUs.push(other);
    }
    const [ours, bare] = [median(clientUs), median(floorUs)];
    return { bodyBytes: body.length, clientUs: ours, floorUs: bare, ratio: ours / bare };
  } finally {
    dependencies.transport.close();
    agent.destroy();
    server.kill();
  }
}

function specOf(baseUrl: string): ModelSpec {
  return {
    baseUrl,
    model: 'bench',
    apiKeyEnv: null,
    temperature: '0.2',
    topP: '0.95',
    maxTokens: 400,
    seed: 7,
    timeoutMs: 60_000,
    retries: 2,
    guided: 'off',
    server: null,
    price: { prompt: '0', reply: '0' },
    extra: {},
  };
}

/** Microseconds that the processor was busy with all of the calls. */
async function timed(call: Call, calls: number, atOnce: number): Promise<number> {
  const before = process.cpuUsage();
  let left = calls;
  const caller = async (): Promise<void> => {
    let past = talk();
    while (left > 0) {
      left -= 1;
      await call(past);
      past = aTurnLater(past);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, caller));
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

/** Rules, turns that were, and the turn that is, with its picture. */
function talk(): readonly Message[] {
  const past = Array.from({ length: TURNS_KEPT }, () => [
    said('user', TURN_CHARACTERS),
    said('assistant', 20),
  ]);
  return [said('system', SYSTEM_CHARACTERS), ...past.flat(), turn()];
}

/** The oldest turn is forgotten; the others are the same objects, as an agent's memory gives them. */
function aTurnLater([system, , , ...rest]: readonly Message[]): readonly Message[] {
  const before = rest.slice(0, -1);
  return [system ?? turn(), ...before, said('user', TURN_CHARACTERS), said('assistant', 20), turn()];
}

function turn(): Message {
  return { role: 'user', parts: [{ kind: 'text', text: words(TURN_CHARACTERS) }, PICTURE] };
}

const PICTURE = { kind: 'image', png: new Uint8Array(PNG_BYTES).fill(0x5a), frameHash: '' } as const;
const WORDS = 'You see "a door", and\nthe floor. '.repeat(SYSTEM_CHARACTERS / 30);

function said(role: Message['role'], characters: number): Message {
  return { role, parts: [{ kind: 'text', text: words(characters) }] };
}

function words(characters: number): string {
  return WORDS.slice(0, characters);
}

function bareRequest(url: string, body: Buffer, agent: http.Agent): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': body.length };
    const outgoing = http.request(url, { method: 'POST', headers, agent }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => void chunks.push(chunk));
      incoming.on('end', () => resolve(Buffer.concat(chunks)));
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

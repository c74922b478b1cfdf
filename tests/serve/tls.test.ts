/** TLS and client certificates, with real ones: who has no certificate of the right authority is not heard, by any client. */
import { execFile, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, it } from 'vitest';
import { canBeEndedByFrames } from '../../src/cli/options/serve-options.js';
import { WorldClient } from '../../src/serve/client/world-client.js';
import { orchestrate } from '../support/captured-io.js';
import { temporaryFolder } from '../support/folder.js';
import { servedWorld } from '../support/served-world.js';
import type { Served, ServedOptions } from './served.js';

const folder = temporaryFolder();
const at = (name: string): string => join(folder, name);
const read = (name: string): Buffer => readFileSync(at(name));

function openssl(...words: readonly string[]): void {
  const { status, stderr } = spawnSync('openssl', words, { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
}

/** An authority, and a certificate that it signed. */
function authority(name: string, subject: string): void {
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  openssl(
    'req',
    '-x509',
    ...key,
    '-keyout',
    `${name}-ca.key`,
    '-out',
    `${name}-ca.pem`,
    '-subj',
    '/CN=authority',
  );
  writeFileSync(at(`${name}.ext`), 'subjectAltName=IP:127.0.0.1\n');
  openssl(
    'req',
    ...key.slice(0, 4),
    '-nodes',
    '-keyout',
    `${name}.key`,
    '-out',
    `${name}.csr`,
    '-subj',
    subject,
  );
  const signed = ['-CA', `${name}-ca.pem`, '-CAkey', `${name}-ca.key`, '-CAcreateserial', '-days', '2'];
  openssl('x509', '-req', '-in', `${name}.csr`, ...signed, '-extfile', `${name}.ext`, '-out', `${name}.pem`);
}

beforeAll(() => {
  authority('server', '/CN=world');
  authority('players', '/CN=player');
  authority('strangers', '/CN=stranger');
});

const ROOM = `
title: A room
map: |
  ####
  #a.#
  ####
legend: { a: { agent: ann } }
agents: [{ id: ann, sprite: knight }]
turns: { max: 3 }
`;

function serve(asksClients: boolean, options: ServedOptions = {}): Promise<Served> {
  const ca = asksClients ? read('players-ca.pem') : null;
  const tls = { cert: read('server.pem'), key: read('server.key'), ca };
  return servedWorld(ROOM, { tls, ...options });
}

/** The world's title, or that nothing was heard. */
async function title(address: string, own: string | null, ca = 'server-ca.pem', token: string | null = null) {
  const mine = own === null ? null : { cert: read(`${own}.pem`), key: read(`${own}.key`) };
  const client = new WorldClient({ address, token, certificates: { ca: read(ca), own: mine } });
  return client.world('', AbortSignal.timeout(5000)).then(
    (world) => world.title,
    () => 'not heard',
  );
}

it('a client trusts only the server of its authority', async () => {
  const { address } = await serve(false);
  expect(await title(address, null)).toBe('A room');
  expect(await title(address, null, 'strangers-ca.pem')).toBe('not heard');
  expect(await title(address.replace('https', 'http'), null)).toBe('not heard');
});

it('a server that asks for certificates hears only clients of its authority', async () => {
  const { address } = await serve(true);
  expect(await title(address, 'players')).toBe('A room');
  expect(await title(address, 'strangers')).toBe('not heard');
  expect(await title(address, null)).toBe('not heard');
});

it('a certificate replaces no token, and no token replaces a certificate', async () => {
  const hash = createHash('sha256').update('sesame').digest();
  const principal = { name: 'player', roles: ['agent' as const], entities: null };
  const { address } = await serve(true, { tokens: [{ hash, principal }] });
  expect(await title(address, 'players', 'server-ca.pem', 'sesame')).toBe('A room');
  expect(await title(address, 'players')).toBe('not heard');
  expect(await title(address, null, 'server-ca.pem', 'sesame')).toBe('not heard');
});

it('JSON over HTTP/1.1 and gRPC over HTTP/2 are one port', async () => {
  const { address } = await serve(false);
  const url = `${address}/orchestrate.world.v1.WorldService/GetWorld`;
  const asked = [
    '-s',
    '--http1.1',
    '--cacert',
    at('server-ca.pem'),
    '-H',
    'content-type: application/json',
    '-d',
    '{}',
  ];
  const { stdout } = await promisify(execFile)('curl', [...asked, url]);
  expect(JSON.parse(stdout)).toMatchObject({ title: 'A room' });
  expect(await title(address, null)).toBe('A room');
});

it('an agent plays with certificates by its options', async () => {
  const { address, run } = await serve(true);
  const files = [
    '--tls-ca',
    at('server-ca.pem'),
    '--tls-cert',
    at('players.pem'),
    '--tls-key',
    at('players.key'),
  ];
  const world = [
    'agent',
    '--world',
    address.replace('https://', ''),
    '--entity',
    'ann',
    '--controller',
    'scripted',
  ];
  const { code, out, err } = await orchestrate([...world, ...files]);
  expect(code, out + err).toBe(0);
  expect((await run.ended).turns).toBe(3);
  const alone = await orchestrate([...world, '--tls-cert', at('players.pem')]);
  expect([alone.code, alone.err]).toEqual([2, expect.stringContaining('given together')]);
});

const STRANGE = ['--tls-cert', 'strangers.pem', '--tls-key', 'strangers.key'];

it.each<[string, readonly string[], string]>([
  ['without TLS', [], 'it closed the connection'],
  ['without a certificate', ['--tls-ca', 'server-ca.pem'], 'it accepts only clients with a certificate'],
  ['with a strange certificate', ['--tls-ca', 'server-ca.pem', ...STRANGE], 'it closed the connection'],
  [
    'with a strange authority',
    ['--tls-ca', 'strangers-ca.pem'],
    'no trusted authority signed its certificate',
  ],
])('an agent %s is told what to do', async (_, files, reason) => {
  const { address } = await serve(true);
  const { code, err } = await agentWith(address, files);
  expect([code, err]).toEqual([
    2,
    expect.stringContaining(`error: the served world can't be reached: ${reason}\n`),
  ]);
  expect(err).toContain('pass yours with --tls-cert and --tls-key');
});

it('a client with TLS is told that the server uses none', async () => {
  const { address } = await servedWorld(ROOM);
  const { code, err } = await agentWith(address, ['--tls-ca', 'server-ca.pem']);
  expect([code, err]).toEqual([2, expect.stringContaining("can't be reached: it does not use TLS\n")]);
});

function agentWith(address: string, files: readonly string[]): ReturnType<typeof orchestrate> {
  const options = files.map((word) => (word.startsWith('--') ? word : at(word)));
  const world = ['--world', address.replace(/^https?:\/\//, ''), '--entity', 'ann'];
  return orchestrate(['agent', ...world, '--controller', 'scripted', ...options]);
}

it('knows which HTTP/2 strangers can abort', () => {
  const versions = ['1.57.0', '1.61.0', '1.68.0', '1.68.1', '1.69.0', '1.70.0', '2.0.0'];
  expect(versions.filter(canBeEndedByFrames)).toEqual(['1.57.0', '1.61.0', '1.68.0']);
});

// A newer Node would serve.
it.runIf(canBeEndedByFrames(process.versions['nghttp2'] ?? ''))(
  'on such a Node, other machines are served only behind client certificates',
  async () => {
    writeFileSync(at('tokens.txt'), `${createHash('sha256').update('x').digest('hex')} eve agent\n`);
    const given = [
      '--tokens',
      at('tokens.txt'),
      '--tls-cert',
      at('server.pem'),
      '--tls-key',
      at('server.key'),
    ];
    const words = ['serve', 'scenarios/crypt.yaml', '--listen', '0.0.0.0:0', '--out', at('refused.sqlite')];
    const { code, err } = await orchestrate([...words, ...given]);
    expect([code, err]).toEqual([2, expect.stringContaining('CVE-2026-27135')]);
  },
);

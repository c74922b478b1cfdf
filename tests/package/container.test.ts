/**
 * The container's parts that need no builder: its health check, against served worlds with and without TLS, and that what its Dockerfile copies is there.
 * @module-tag long
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { canBeEndedByFrames } from '../../src/cli/options/serve-options.js';
import { ROOT } from '../support/children.js';
import { temporaryFolder } from '../support/folder.js';
import { servedWorld } from '../support/served-world.js';

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

/** The exit code of the health check, which gets no scheme and finds out. */
function asked(url: string): Promise<number | null> {
  const child = spawn(process.execPath, [join(ROOT, 'container', 'health.mjs'), new URL(url).host]);
  return new Promise((resolve) => child.once('close', resolve));
}

const isMissing = spawnSync('openssl', ['version']).status !== 0;

function certificate(): { cert: Buffer; key: Buffer } {
  const folder = temporaryFolder();
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', 'key.pem'];
  const words = ['req', '-x509', ...key, '-out', 'cert.pem', '-days', '2', '-subj', '/CN=world'];
  expect(spawnSync('openssl', words, { cwd: folder }).status).toBe(0);
  return { cert: readFileSync(join(folder, 'cert.pem')), key: readFileSync(join(folder, 'key.pem')) };
}

it('a served world is healthy until it ends', { tags: ['long'] }, async () => {
  const world = await servedWorld(ROOM);
  expect(await asked(world.address)).toBe(0);
  await world.close();
  expect(await asked(world.address)).toBe(1);
});

it.skipIf(isMissing)('so it is over TLS', { tags: ['long'] }, async () => {
  const { address } = await servedWorld(ROOM, { tls: { ...certificate(), ca: null } });
  expect(await asked(address)).toBe(0);
});

it.skipIf(isMissing)('so it is if it asks clients for certificates', { tags: ['long'] }, async () => {
  const own = certificate();
  const { address } = await servedWorld(ROOM, { tls: { ...own, ca: own.cert } });
  expect(await asked(address)).toBe(0);
});

const DOCKERFILE = readFileSync(join(ROOT, 'Dockerfile'), 'utf8');

it('copies what is there, and what .dockerignore lets through', { tags: ['long'] }, () => {
  const copied = [...DOCKERFILE.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, paths = '']) =>
    paths.split(' '),
  );
  const allowed = readFileSync(join(ROOT, '.dockerignore'), 'utf8').matchAll(/^!(\S+)$/gm);
  const names = new Set([...allowed].map(([, name = '']) => name));
  expect(copied.length).toBeGreaterThan(5);
  expect(copied.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  expect(copied.filter((path) => !names.has(path.split('/')[0] ?? ''))).toEqual([]);
});

it('has a Node that may listen for other machines', { tags: ['long'] }, () => {
  const versions = [...DOCKERFILE.matchAll(/^FROM node:(\d+)\.(\d+)\./gm)];
  expect(versions).toHaveLength(2);
  // Node 24.21 has nghttp2 1.70.0.
  for (const [, major, minor] of versions) expect([Number(major), Number(minor) >= 21]).toEqual([24, true]);
  expect(canBeEndedByFrames('1.70.0')).toBe(false);
});

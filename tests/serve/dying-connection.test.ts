/** A client whose connection dies in the moment in which it is made. Needs the built package. */
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startProgram } from '../support/children.js';
import { temporaryFolder } from '../support/folder.js';

/** As on a busy machine: that the connection is made and that it is closed arrive together. */
const DIES_AT_ONCE = `
import http2 from 'node:http2';
import { syncBuiltinESMExports } from 'node:module';
const { connect } = http2;
http2.connect = (...options) => {
  const session = connect(...options);
  session.on('connect', () => process.nextTick(() => session.destroy()));
  return session;
};
syncBuiltinESMExports();
`;

/** Starts a runner against a server of HTTP/2 that answers each request with an internal error of its own. */
async function runnerEnds(nodeOptions: readonly string[]) {
  const folder = temporaryFolder();
  const server = createServer();
  server.on('stream', (stream) =>
    stream.respond(
      { ':status': 200, 'content-type': 'application/grpc', 'grpc-status': '13', 'grpc-message': 'broken' },
      { endStream: true },
    ),
  );
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  writeFileSync(
    join(folder, 'runner.yaml'),
    JSON.stringify({ world: `127.0.0.1:${port}`, agents: { all: { tags: [], program: process.execPath } } }),
  );
  const { process: child, ended } = startProgram(['runner', join(folder, 'runner.yaml')], { nodeOptions });
  // A program that spins hears no signal.
  const late = setTimeout(() => child.kill('SIGKILL'), 20_000);
  const { signal, code, err } = await ended;
  clearTimeout(late);
  server.close();
  return { end: [signal, code], err };
}

it('a client says so, and neither waits nor spins', async () => {
  const preload = join(temporaryFolder(), 'dies-at-once.mjs');
  writeFileSync(preload, DIES_AT_ONCE);
  const { end, err } = await runnerEnds(['--import', preload]);
  expect(end, err).toEqual([null, 2]);
  expect(err).toContain("the served world can't be reached: it closed the connection");
});

it("a server's own error is no dead connection", async () => {
  const { end, err } = await runnerEnds([]);
  expect(end, err).toEqual([null, 2]);
  expect(err).toContain('the served world refused the request: broken');
});

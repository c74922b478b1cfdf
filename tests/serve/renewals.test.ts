/** A lease that is kept: only an answer of the server ends it, not a request that got no answer. */
import { constants, createServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { Code, ConnectError } from '@connectrpc/connect';
import { connectNodeAdapter } from '@connectrpc/connect-node';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { WorldClient } from '../../src/serve/client/world-client.js';
import { statusOf } from '../../src/serve/services/failures.js';
import { ServeError } from '../../src/serve/serve-error.js';
import { LeaseService } from '../../src/serve/gen/orchestrate/world/v1/world_pb.js';

const refusal = (reason: ServeError['reason'], words: string): ConnectError =>
  statusOf(new ServeError(reason, words));

const closing: (() => void)[] = [];
// A pause longer than the lease ends it: here none is, however busy the machine.
beforeAll(() => void vi.spyOn(performance, 'now').mockReturnValue(0));
afterAll(() => {
  vi.restoreAllMocks();
  closing.forEach((close) => close());
});

/** A server whose first renewals are refused as a closing server refuses them; then `answer` decides. */
async function refusing(times: number, answer: () => never) {
  const asked: string[] = [];
  const adapter = connectNodeAdapter({
    routes: (router) => void router.service(LeaseService, { renewLease: answer }),
  });
  const server = createServer((request, response) => {
    asked.push(request.url);
    if (asked.length > times) adapter(request, response);
    else request.stream.close(constants.NGHTTP2_REFUSED_STREAM);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => server.close());
  const { port } = server.address() as AddressInfo;
  return { asked, client: new WorldClient({ address: `127.0.0.1:${port}`, token: null }) };
}

it.each([
  ['an expired lease', () => refusal('LEASE_EXPIRED', 'the lease has ended: acquire another one')],
  ['an invalid request', () => refusal('FIELD_INVALID', 'the lease has ended: acquire another one')],
])('is renewed again after renewals without an answer, and ends with %s', async (_, error) => {
  const { asked, client } = await refusing(2, () => {
    throw error();
  });
  const over = new AbortController();
  const lost = await new Promise((resolve) => {
    client.keepAlive({ lease: 'x' } as never, resolve, over.signal);
  });
  over.abort();
  expect(asked).toHaveLength(3);
  expect(String(lost)).toContain('the lease has ended: acquire another one');
});

it('is renewed again while the server is busy', async () => {
  let busy = 0;
  const { client } = await refusing(0, () => {
    busy++;
    throw busy < 3 ? refusal('RATE_LIMITED', 'busy') : new ConnectError('busy', Code.Unavailable);
  });
  const over = new AbortController();
  let lost: unknown = null;
  client.keepAlive({ lease: 'x' } as never, (error) => (lost = error), over.signal);
  await expect.poll(() => busy).toBeGreaterThan(4);
  over.abort();
  expect(lost).toBeNull();
});

/**
 * The page's server against everything that another page, another user or a broken client could send: over real sockets, letter by letter.
 * Whatever is refused is refused without a word of the run. The list is that of attacks known from other local servers.
 */
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { StorageError, UsageError } from '../../src/base/errors.js';
import { LIMITS } from '../../src/base/limits.js';
import type { AnnotationEntry } from '../../src/log/annotations.js';
import type { PagePart } from '../../src/view/page-data.js';
import { PageServer } from '../../src/view/server.js';

const SECRET = 'the-crown-lies-under-the-altar';
const part = (text: string): PagePart => ({
  texts: [text],
  things: [],
  scenes: [],
  pictures: [],
  tilesets: [],
  runs: [],
});
const FILES = { script: 'void 0', styles: 'body{}' };

const waiting: PagePart[] = [part(SECRET)];
const errors: unknown[] = [];
let isBroken = false;
const next = (): Promise<PagePart | null> =>
  isBroken ? Promise.reject(new Error(SECRET)) : Promise.resolve(waiting.shift() ?? null);
const kept: AnnotationEntry[] = [];
let refusal: Error | null = null;
function annotate(said: AnnotationEntry): void {
  if (refusal !== null) throw refusal;
  kept.push(said);
}
const server = new PageServer({
  files: FILES,
  next,
  annotate,
  port: 0,
  onError: (error) => errors.push(error),
});
let port = 0;
let token = '';
const host = () => `127.0.0.1:${port}`;

beforeAll(async () => {
  const address = new URL(await server.open());
  port = Number(address.port);
  token = new URLSearchParams(address.hash.slice(1)).get('token') ?? '';
});
afterAll(() => server.close());

interface Answer {
  /** 0: the connection was closed without an answer. */
  status: number;
  head: string;
  body: string;
}

/** Sends bytes as they stand and reads until the other side closes. */
function raw(bytes: string): Promise<Answer> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    const done = () => {
      const [head = '', ...body] = text.split('\r\n\r\n');
      resolve({
        status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1] ?? 0),
        head,
        body: body.join('\r\n\r\n'),
      });
    };
    socket.setEncoding('latin1').on('data', (chunk: string) => (text += chunk));
    socket.on('close', done).on('error', () => undefined);
    socket.write(Buffer.from(bytes, 'latin1'));
  });
}

interface Request {
  method?: string;
  target?: string;
  /** Lines without their end; replaces the Host too. */
  headers?: readonly string[];
  hasToken?: boolean;
}

function ask({
  method = 'GET',
  target = '/data?from=0',
  headers,
  hasToken = true,
}: Request = {}): Promise<Answer> {
  const lines = [
    `${method} ${target} HTTP/1.1`,
    ...(headers ?? [`Host: ${host()}`]),
    ...(hasToken ? [`Authorization: Bearer ${token}`] : []),
    'Connection: close',
  ];
  return raw(`${lines.join('\r\n')}\r\n\r\n`);
}

function expectRefused({ status, head, body }: Answer, allowed: readonly number[]): void {
  expect(allowed, head).toContain(status);
  expect(head + body).not.toContain(SECRET);
  expect(head + body).not.toContain(token);
}

describe('what is asked rightly', () => {
  it('is answered: the page without data, and the data for the token', async () => {
    const page = await ask({ target: '/', hasToken: false });
    expect(page.status).toBe(200);
    expect(page.body).toContain('<script>void 0</script>');
    expect(page.body).not.toContain(token);
    const data = await ask();
    expect(data.status).toBe(200);
    expect(JSON.parse(data.body)).toEqual([part(SECRET)]);
    expect(JSON.parse((await ask({ target: '/data?from=1' })).body)).toEqual([]);
    waiting.push(part('more'));
    expect(JSON.parse((await ask({ target: '/data?from=1' })).body)).toEqual([part('more')]);
    expect(JSON.parse((await ask({ target: '/data?from=0' })).body)).toHaveLength(2);
    expect(JSON.parse((await ask({ target: '/data?from=999999999' })).body)).toEqual([]);
  });

  it('carries headers that keep it in its place', async () => {
    for (const { head } of [
      await ask({ target: '/', hasToken: false }),
      await ask(),
      await ask({ target: '/x' }),
    ]) {
      expect(head).toMatch(
        /content-security-policy: default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-[^']+';.*frame-ancestors 'none'/,
      );
      for (const line of [
        'x-content-type-options: nosniff',
        'cache-control: no-store',
        'x-frame-options: DENY',
        'referrer-policy: no-referrer',
        'cross-origin-resource-policy: same-origin',
      ])
        expect(head).toContain(line);
      expect(head.toLowerCase()).not.toContain('access-control-');
      expect(head.toLowerCase()).not.toContain('set-cookie');
    }
  });

  it('is asked by a browser of its own page, or by a person who followed a link to it', async () => {
    const from = (site: string, ...more: string[]) => [`Host: ${host()}`, `Sec-Fetch-Site: ${site}`, ...more];
    expect((await ask({ headers: from('same-origin', `Origin: http://${host()}`) })).status).toBe(200);
    expect((await ask({ target: '/', headers: from('none') })).status).toBe(200);
    const opened = from('cross-site', 'Sec-Fetch-Mode: navigate', 'Sec-Fetch-Dest: document');
    expect((await ask({ target: '/', headers: opened })).status).toBe(200);
    expectRefused(await ask({ headers: opened }), [403]);
  });
});

describe('a Host', () => {
  const hosts = (): readonly (readonly string[])[] => [
    ['evil.test'],
    [`evil.test:${port}`],
    [`localhost.evil.test:${port}`],
    [`127.0.0.1.evil.test:${port}`],
    [`localhost:${port}`],
    [`localhost.:${port}`],
    [`LOCALHOST:${port}`],
    [`[::1]:${port}`],
    [`[::ffff:127.0.0.1]:${port}`],
    [`0.0.0.0:${port}`],
    [`2130706433:${port}`],
    [`0x7f.1:${port}`],
    [`127.1:${port}`],
    ['127.0.0.1'],
    [`127.0.0.1:${port + 1}`],
    [`user@127.0.0.1:${port}`],
    [`127.0.0.1:${port}@evil.test`],
    [`127.0.0.1:${port}.`],
    [''],
    [],
    [`127.0.0.1:${port}`, `127.0.0.1:${port}`],
    [`127.0.0.1:${port}`, 'evil.test'],
    [`127.0.0.1:${port}, evil.test`],
  ];

  it('other than the very one that was printed is refused, also with the token', async () => {
    for (const names of hosts()) {
      const headers = names.map((name) => `Host: ${name}`);
      expectRefused(await ask({ headers }), [400, 403]);
      expectRefused(await ask({ target: '/', headers }), [400, 403]);
    }
  });

  it('in another header or in the target counts for nothing', async () => {
    for (const name of ['X-Forwarded-Host', 'X-Host', 'Forwarded'])
      expectRefused(await ask({ headers: ['Host: evil.test', `${name}: ${host()}`] }), [403]);
    expectRefused(await ask({ target: `http://${host()}/data?from=0`, headers: ['Host: evil.test'] }), [403]);
    expectRefused(await ask({ target: `http://evil.test/data?from=0` }), [404]);
    expectRefused(await ask({ target: `//evil.test/data?from=0` }), [404]);
  });
});

describe("a request of another page's", () => {
  it('is refused by its Origin', async () => {
    const origins = [
      'null',
      'http://evil.test',
      `https://${host()}`,
      `http://127.0.0.1:${port + 1}`,
      `http://localhost:${port}`,
      `http://${host()}/`,
      `http://${host()}, http://evil.test`,
      'file://',
      '',
    ];
    for (const origin of origins)
      expectRefused(await ask({ headers: [`Host: ${host()}`, `Origin: ${origin}`] }), [403]);
    const both = [`Host: ${host()}`, `Origin: http://${host()}`, 'Origin: http://evil.test'];
    expectRefused(await ask({ headers: both }), [403]);
  });

  it('is refused by where its browser says that it comes from', async () => {
    for (const site of ['cross-site', 'same-site', 'unheard-of', ''])
      for (const rest of [
        ['Sec-Fetch-Mode: cors', 'Sec-Fetch-Dest: empty'],
        ['Sec-Fetch-Mode: no-cors', 'Sec-Fetch-Dest: script'],
        ['Sec-Fetch-Mode: navigate', 'Sec-Fetch-Dest: iframe'],
        ['Sec-Fetch-Mode: navigate', 'Sec-Fetch-Dest: document', 'Sec-Fetch-Dest: document'],
      ])
        for (const target of ['/', '/data?from=0'])
          expectRefused(
            await ask({ target, headers: [`Host: ${host()}`, `Sec-Fetch-Site: ${site}`, ...rest] }),
            [403],
          );
  });

  it('may neither be asked beforehand, nor send a form, nor open a socket', async () => {
    const own = `Host: ${host()}`;
    expectRefused(
      await ask({
        method: 'OPTIONS',
        headers: [own, 'Origin: http://evil.test', 'Access-Control-Request-Method: GET'],
      }),
      [405],
    );
    expectRefused(
      await ask({ method: 'POST', headers: [own, 'Content-Type: text/plain', 'Content-Length: 0'] }),
      [405],
    );
    const upgrade = [
      own,
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
    ];
    expectRefused(await ask({ headers: upgrade }), [400]);
    expectRefused(
      await raw(`GET /data?from=0 HTTP/1.1\r\n${upgrade.join('\r\n')}\r\nConnection: Upgrade, close\r\n\r\n`),
      [0, 400, 401],
    );
  });
});

describe('the token', () => {
  it('is needed whole, once, in its header', async () => {
    const wrong = [
      [],
      ['Authorization: '],
      ['Authorization: Bearer'],
      [`Authorization: Bearer ${token.slice(0, -1)}`],
      [`Authorization: Bearer ${token}x`],
      [`Authorization: Bearer ${token.toLowerCase()}`],
      [`Authorization: Bearer ${'A'.repeat(token.length)}`],
      [`Authorization: ${token}`],
      [`Authorization: Basic ${token}`],
      [`Authorization: Bearer ${token}`, `Authorization: Bearer ${token}`],
      [`Cookie: token=${token}`],
      [`Referer: http://${host()}/#token=${token}`],
      [`X-Token: ${token}`],
    ];
    for (const lines of wrong)
      expectRefused(await ask({ headers: [`Host: ${host()}`, ...lines], hasToken: false }), [401]);
    for (const target of [
      `/data?from=0&token=${token}`,
      `/data?token=${token}&from=0`,
      `/${token}/data?from=0`,
      `/?token=${token}`,
    ])
      expect((await ask({ target, hasToken: false })).status).toBe(404);
  });

  it('is another one for every server', async () => {
    const other = new PageServer({ files: FILES, next, annotate, port: 0, onError: () => undefined });
    const address = await other.open();
    expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#token=[\w-]{43}$/);
    expect(address).not.toContain(token);
    await other.close();
  });
});

describe('a target', () => {
  it('is one of two, letter by letter: nothing leads to a file', async () => {
    const targets = [
      '/../',
      '/..',
      '/%2e%2e/',
      '/..%2f',
      '/%252e%252e/',
      '/\\..\\',
      '/..\\',
      '//etc/passwd',
      '/etc/passwd',
      '/./',
      '/.',
      '/%00',
      '/data%00?from=0',
      '/\u00c0\u00ae\u00c0\u00ae/',
      '/data?from=0#x',
      '/data;x?from=0',
      '/data/?from=0',
      '/data',
      '/data?',
      '/data?from=',
      '/data?from=-1',
      '/data?from=1e3',
      '/data?from=0x0',
      '/data?from=%30',
      '/data?from=1234567890',
      '/data?from=0&x',
      '/data?from=0?',
      '/data.?from=0',
      '/data%20?from=0',
      '/DATA?from=0',
      '/Data?From=0',
      '/data::$DATA?from=0',
      '/DATA~1?from=0',
      '/page.js',
      '/page/page.js',
      '/dist/page/page.js',
      '/favicon.ico',
      '/index.html',
      '/run.sqlite',
      '/run.sqlite-wal',
      '/package.json',
      '/.git/config',
      '/@fs/etc/passwd',
      '/dev/zero',
      '/proc/self/environ',
      '*',
      '/?',
      '/?x',
      '/#',
      `/${'a'.repeat(5000)}`,
    ];
    for (const target of targets) expectRefused(await ask({ target }), [400, 404]);
  });

  it('with a control character, a space, or longer than any head may be, is not even read', async () => {
    for (const target of ['/\u0000', '/ x', '/\r\nHost: evil.test', '/\u007f'])
      expectRefused(await ask({ target }), [400, 404, 403]);
    const long = LIMITS.pageRequestBytes + 100;
    expectRefused(await ask({ target: `/${'a'.repeat(long)}` }), [431, 414]);
    expectRefused(await ask({ headers: [`Host: ${host()}`, `X: ${'a'.repeat(long)}`] }), [431]);
  });
});

describe('a method', () => {
  it('other than GET is refused, also by a name in a header', async () => {
    for (const method of ['HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'PURGE'])
      expectRefused(await ask({ method }), [405]);
    for (const method of ['CONNECT', 'get', 'NONSENSE']) expectRefused(await ask({ method }), [0, 400, 405]);
    const answer = await ask({ headers: [`Host: ${host()}`, 'X-HTTP-Method-Override: DELETE'] });
    expect(answer.status).toBe(200);
  });

  it('GET with a body is refused, and what is smuggled behind one is never answered', async () => {
    const own = `Host: ${host()}\r\nAuthorization: Bearer ${token}`;
    const second = `GET /data?from=0 HTTP/1.1\r\n${own}\r\n\r\n`;
    const bodies = [
      `Content-Length: 4\r\n\r\nabcd`,
      `Content-Length: 0\r\n\r\n`,
      `Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      `Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      `Transfer-Encoding: chunked\r\nTransfer-Encoding: x\r\n\r\n0\r\n\r\n`,
      `Content-Length: 4\r\nContent-Length: 5\r\n\r\nabcd`,
      `Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n`,
      `Content-Length: -1\r\n\r\n`,
      `Content-Encoding: gzip\r\nContent-Length: 2\r\n\r\n\u001f\u008b`,
    ];
    for (const body of bodies) {
      const answer = await raw(`GET /data?from=0 HTTP/1.1\r\n${own}\r\n${body}${second}`);
      expectRefused(answer, [400]);
    }
  });

  it('GET of a range gets all of it, and an old or an unknown protocol nothing', async () => {
    const many = `bytes=${Array.from({ length: 500 }, (_, i) => `${i}-${i + 1}`).join(',')}`;
    expect((await ask({ headers: [`Host: ${host()}`, `Range: ${many}`] })).status).toBe(200);
    expectRefused(await raw(`GET /data?from=0 HTTP/1.0\r\nAuthorization: Bearer ${token}\r\n\r\n`), [400]);
    expectRefused(await raw(`GET /data?from=0\r\n\r\n`), [0, 400]);
    expectRefused(await raw('\u0016\u0003\u0001\u0000\u0001\r\n\r\n'), [0, 400]);
    expectRefused(await raw('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), [0, 400, 505]);
  });
});

const SAID: AnnotationEntry = {
  run: 'a-run',
  step: 3,
  verdict: 'rejected',
  text: 'it \u2028 waits \ud83d\ude00',
};

interface Writing {
  target?: string;
  method?: string;
  /** Replaced or added by name; null: left out. */
  headers?: Readonly<Record<string, string | readonly string[] | null>>;
  body?: string | Buffer;
}

/** As the page sends a word on a step, but for what is told. */
function write({
  target = '/marks',
  method = 'POST',
  headers = {},
  body = JSON.stringify(SAID),
}: Writing = {}) {
  const bytes = Buffer.from(body);
  const all = {
    Host: host(),
    Origin: `http://${host()}`,
    'Sec-Fetch-Site': 'same-origin',
    'Content-Type': 'application/json',
    'Content-Length': String(bytes.length),
    Authorization: `Bearer ${token}`,
    Connection: 'close',
    ...headers,
  };
  const lines = Object.entries(all).flatMap(([name, value]) =>
    value === null ? [] : [value].flat().map((one) => `${name}: ${one}`),
  );
  return raw(`${method} ${target} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${bytes.toString('latin1')}`);
}

/** Refused, and nothing was kept. */
async function expectUnwritten(writing: Writing, allowed: readonly number[]): Promise<void> {
  const before = kept.length;
  expectRefused(await write(writing), allowed);
  expect(kept).toHaveLength(before);
}

describe('a word on a step', () => {
  it('is kept when the page sends it, and what is wrong with it is told', async () => {
    expect((await write()).status).toBe(200);
    expect(kept.at(-1)).toEqual(SAID);
    const most = { ...SAID, text: '\u0001'.repeat(LIMITS.markCharacters) };
    expect((await write({ body: JSON.stringify(most) })).status).toBe(200);
    expect(kept.at(-1)).toEqual(most);
    expect((await write({ headers: { 'Sec-Fetch-Site': null } })).status).toBe(200);
    refusal = new UsageError('the run has no step 3');
    expect(await write()).toMatchObject({ status: 422, body: 'the run has no step 3' });
    refusal = new StorageError('a full disk');
    expect(await write()).toMatchObject({ status: 500, body: 'a full disk' });
    refusal = new TypeError(SECRET);
    expectRefused(await write(), [500]);
    expect(errors).toEqual([new StorageError('a full disk'), refusal]);
    refusal = null;
    errors.length = 0;
  });

  it('of another page is refused, whatever it says of itself', async () => {
    const origins = [
      null,
      '',
      'null',
      'http://evil.test',
      `https://${host()}`,
      `http://127.0.0.1:${port + 1}`,
    ].concat([`http://localhost:${port}`, `http://${host()}/`, `HTTP://${host()}`, 'file://']);
    for (const Origin of origins) await expectUnwritten({ headers: { Origin } }, [403]);
    const own = `http://${host()}`;
    await expectUnwritten({ headers: { Origin: [own, own] } }, [403]);
    await expectUnwritten({ headers: { Origin: [own, 'http://evil.test'] } }, [403]);
    for (const site of ['cross-site', 'same-site', 'none', '', ['same-origin', 'cross-site']])
      await expectUnwritten({ headers: { 'Sec-Fetch-Site': site } }, [403]);
    for (const Host of [
      'evil.test',
      `localhost:${port}`,
      `[::1]:${port}`,
      '127.0.0.1',
      `127.0.0.1:${port + 1}`,
    ])
      await expectUnwritten({ headers: { Host } }, [403]);
    for (const Host of [null, [host(), host()], [host(), 'evil.test']])
      await expectUnwritten({ headers: { Host } }, [400]);
    await expectUnwritten({ headers: { Origin: null, Referer: `${own}/` } }, [403]);
  });

  it('needs the token whole, once, in its header', async () => {
    const wrong = [
      null,
      '',
      'Bearer',
      `Bearer ${token.slice(0, -1)}`,
      `Bearer ${token}x`,
      token,
      `Basic ${token}`,
    ];
    for (const Authorization of [...wrong, [`Bearer ${token}`, `Bearer ${token}`]])
      await expectUnwritten({ headers: { Authorization } }, [401]);
    await expectUnwritten({ headers: { Authorization: null, Cookie: `token=${token}` } }, [401]);
    await expectUnwritten({ headers: { Authorization: null, 'X-Token': token } }, [401]);
    await expectUnwritten({ headers: { Authorization: null }, target: `/marks?token=${token}` }, [405]);
    const inside = JSON.stringify({ ...SAID, token });
    await expectUnwritten({ headers: { Authorization: null }, body: inside }, [401]);
  });

  it('is of a type that no form can send', async () => {
    const types = [
      null,
      '',
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
    ].concat([
      'application/json; charset=utf-8',
      'application/json, text/plain',
      'Application/JSON',
      'text/json',
    ]);
    for (const type of types) await expectUnwritten({ headers: { 'Content-Type': type } }, [415]);
    const both = ['application/json', 'text/plain'];
    await expectUnwritten({ headers: { 'Content-Type': both } }, [415]);
    await expectUnwritten({ headers: { 'Content-Encoding': 'gzip' } }, [415]);
  });

  it('comes to one target by one method', async () => {
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'HEAD'])
      await expectUnwritten({ method }, [400, 405]);
    await expectUnwritten({ method: 'PUT', headers: { 'X-HTTP-Method-Override': 'POST' } }, [405]);
    const targets = [
      '/',
      '/marks/',
      '/marks?',
      '/marks?x',
      '/marks#x',
      '//marks',
      '/./marks',
      '/%6darks',
      '/MARKS',
    ]
      .concat([
        '/marks/../marks',
        '/marks%00',
        '/marks;x',
        '/marks.jsonl',
        '/run.sqlite.marks.jsonl',
        '/data?from=0',
      ])
      .concat([
        `http://${host()}/marks`,
        'http://evil.test/marks',
        '/../../etc/passwd',
        '/marks%2f..%2f..%2fetc',
      ]);
    for (const target of targets) await expectUnwritten({ target }, [400, 405]);
    expectRefused(await ask({ target: '/marks' }), [404]);
  });

  it('has the length that it says, and no more than a mark may', async () => {
    for (const length of [null, '0', '-1', '+9', '1e2', '0x9', '9 9', '007', ['9', '9'], '9999999999'])
      await expectUnwritten({ headers: { 'Content-Length': length } }, [400]);
    await expectUnwritten({ body: '' }, [400]);
    const over = 'x'.repeat(LIMITS.pageMarkBytes + 1);
    await expectUnwritten({ headers: { 'Content-Length': String(over.length) }, body: 'x' }, [413]);
    await expectUnwritten(
      { body: JSON.stringify({ ...SAID, text: 'x'.repeat(LIMITS.markCharacters + 1) }) },
      [400],
    );
    await expectUnwritten({ headers: { 'Transfer-Encoding': 'chunked' } }, [400]);
    const chunked = { 'Content-Length': null, 'Transfer-Encoding': 'chunked' };
    await expectUnwritten({ headers: chunked, body: '2\r\n{}\r\n0\r\n\r\n' }, [400]);
    for (const odd of [{ Expect: '100-continue' }, { Trailer: 'X' }, { Upgrade: 'websocket' }])
      await expectUnwritten({ headers: odd }, [400]);
    // What comes after it is no part of it, and with the connection's end nothing else.
    const second = `GET /data?from=0 HTTP/1.1\r\nHost: ${host()}\r\nAuthorization: Bearer ${token}\r\n\r\n`;
    const body = JSON.stringify(SAID);
    const answer = await write({
      headers: { 'Content-Length': String(body.length - 1) },
      body: body + second,
    });
    expectRefused(answer, [400]);
  });

  it('whose body never comes is let go of', { tags: ['long'] }, async () => {
    await expectUnwritten({ headers: { 'Content-Length': '500' } }, [0, 408]);
  });

  it('is one object with its four parts, in UTF-8', async () => {
    const odd = [
      '[]',
      'null',
      '1',
      '"x"',
      '{}',
      '{',
      ' ',
      'NaN',
      `${JSON.stringify(SAID)}x`,
      '['.repeat(100_000),
    ].concat(['[null]', '{"__proto__":{"run":"a-run","step":3,"verdict":"accepted","text":""}}']);
    for (const body of odd) await expectUnwritten({ body }, [400]);
    const parts: readonly Readonly<Record<string, unknown>>[] = [
      { run: 1 },
      { run: null },
      { step: '3' },
      { step: 1.5 },
      { step: 2 ** 53 },
      { step: null },
      { verdict: 'good' },
      { verdict: ['accepted'] },
      { verdict: 'toString' },
      { text: 1 },
      { text: null },
      { text: {} },
    ];
    for (const part of parts) await expectUnwritten({ body: JSON.stringify({ ...SAID, ...part }) }, [400]);
    await expectUnwritten(
      { body: Buffer.from([...Buffer.from('{"run":"'), 0xff, ...Buffer.from('"}')]) },
      [400],
    );
    await expectUnwritten({ body: Buffer.from(`\ufeff${JSON.stringify(SAID)}`, 'utf16le') }, [400]);
    // A name of a run is a name and nothing else: the program compares it with those that it shows.
    for (const run of ['../../etc/passwd', '/etc/passwd', 'x\u0000', '__proto__', ''])
      expect((await write({ body: JSON.stringify({ ...SAID, run }) })).status).toBe(200);
    expect(kept.at(-2)?.run).toBe('__proto__');
  });
});

describe('too much at once', () => {
  it('is let go of: heads that never end', { tags: ['long'] }, async () => {
    const stuck = connect(port, '127.0.0.1');
    stuck.on('error', () => undefined).write('GET / HTTP/1.1\r\nX: ');
    await new Promise((resolve) => stuck.resume().once('close', resolve));
    expect((await ask()).status).toBe(200);
  });

  it('from one answer to the next stays below a size', async () => {
    const large = 'x'.repeat(LIMITS.pageAnswerBytes / 2);
    const heavy = [part(large), part(large), part(large)];
    const other = new PageServer({
      files: FILES,
      next: () => Promise.resolve(heavy.shift() ?? null),
      annotate,
      port: 0,
      onError: () => undefined,
    });
    const address = new URL(await other.open());
    const headers = { authorization: `Bearer ${address.hash.slice('#token='.length)}` };
    const get = async (from: number) =>
      (await (await fetch(`${address.origin}/data?from=${from}`, { headers })).json()) as unknown[];
    for (const from of [0, 1, 2]) expect(await get(from)).toHaveLength(1);
    expect(await get(0)).toHaveLength(2);
    await other.close();
  });
});

describe('what goes wrong', () => {
  it('while data is made is told to the program, not to who asks; the next time it may go right', async () => {
    isBroken = true;
    const answer = await ask({ target: '/data?from=2' });
    isBroken = false;
    expect(answer.status).toBe(500);
    expect(answer.body).toBe('');
    expect(errors).toHaveLength(1);
    expect((await ask({ target: '/data?from=2' })).status).toBe(200);
  });

  it('at the start is a taken port, told in words', async () => {
    const other = new PageServer({ files: FILES, next, annotate, port, onError: () => undefined });
    await expect(other.open()).rejects.toThrow(`can't listen on port ${port}`);
  });
});

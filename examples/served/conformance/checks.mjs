/**
 * The checks of a served world, as two clients in JavaScript run them. In: `checks.json`, and a client with `call(method, request)` and
 * `stream(method, request)`; requests and answers are proto3 JSON. Out: a line for each check, and how many failed.
 *
 * A step calls (`call`), opens a stream (`open`), reads it until a message fits (`read`, `until`), or closes it. `expect` names the fields
 * that count: `"*"` is anything that is there, a list of an `expect` needs as many entries at least, `$name` was saved by a step before.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';

const METHOD_PACKAGE = 'orchestrate.world.v1';

/** What a client throws where the server refused: the code and the reason of its ErrorInfo. */
export class Refused extends Error {
  constructor(code, reason, message) {
    super(`${code} ${reason}: ${message}`);
    this.code = code;
    this.reason = reason;
  }
}

export async function runChecks(client) {
  const checks = JSON.parse(readFileSync(new URL('checks.json', import.meta.url), 'utf8'));
  const id = randomUUID();
  const saved = { id, long: 'x'.repeat(70_000), 'long-name': 'x'.repeat(201) };
  for (const n of [1, 2]) saved[`id-${n}`] = `${id}-${n}`;
  const streams = new Map();
  let failed = 0;
  for (const { check, steps } of checks) {
    try {
      for (const step of steps) await take(step, { client, saved, streams });
      console.log(`ok      ${check}`);
    } catch (error) {
      failed += 1;
      console.log(`FAILED  ${check}: ${error.message}`);
    }
  }
  console.log(`${checks.length - failed} passed, ${failed} failed`);
  return failed;
}

async function take(step, { client, saved, streams }) {
  const method = step.call === undefined ? '' : methodOf(step.call);
  const request = filled(step.request ?? {}, saved);
  if (step.open !== undefined)
    return void streams.set(step.open, await opened(client.stream(method, request)));
  if (step.close !== undefined) return void (await streams.get(step.close).return());
  if (step.error !== undefined) return refuses(client.call(method, request), step);
  const answer =
    step.read === undefined
      ? await client.call(method, request)
      : await next(streams.get(step.read), filled(step.until, saved), step);
  const where = step.call ?? `stream ${step.read}`;
  const problem = differs(filled(step.expect ?? {}, saved), answer);
  if (problem !== null) throw new Error(`${where}: ${problem}`);
  for (const [name, path] of Object.entries(step.save ?? {})) saved[name] = at(answer, path);
}

function methodOf(name) {
  return name.includes('.') ? name : `${METHOD_PACKAGE}.${name}`;
}

async function refuses(answer, { call, error: expected }) {
  const [code, reason = ''] = expected.split(' ');
  const found = await answer.then(
    () => null,
    (error) => error,
  );
  if (found === null) throw new Error(`${call} was not refused with ${expected}`);
  if (!(found instanceof Refused)) throw found;
  if (found.code !== code || (reason !== '' && found.reason !== reason))
    throw new Error(`${call} was refused with ${found.message}, not with ${expected}`);
}

/** A stream whose first message has come, which every stream sends at once; it is read again. */
async function opened(stream) {
  const first = await stream.next();
  return (async function* again() {
    if (first.done) return;
    yield first.value;
    yield* stream;
  })();
}

async function next(stream, until, { read }) {
  const late = new Promise((_resolve, reject) => {
    setTimeout(() => reject(new Error(`stream ${read}: nothing fits within 20 s`)), 20_000).unref();
  });
  for (;;) {
    const { value, done } = await Promise.race([stream.next(), late]);
    if (done) throw new Error(`stream ${read} has ended before a message fits`);
    if (differs(until, value) === null) return value;
  }
}

function filled(value, saved) {
  if (typeof value === 'string' && value.startsWith('$')) return saved[value.slice(1)];
  if (Array.isArray(value)) return value.map((one) => filled(one, saved));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, filled(one, saved)]));
}

/** Null where the answer is as expected; a field that is absent has its default. */
function differs(expected, got, path = '') {
  const is = (ok, words) => (ok ? null : `${path || 'the answer'} is ${JSON.stringify(got)}, not ${words}`);
  if (expected === '*') return is(![undefined, '', 0, '0', false].includes(got), 'anything');
  if (path.endsWith('reason') && Array.isArray(expected))
    return is(expected.includes(got), expected.join(' or '));
  if (Array.isArray(expected)) {
    const list = got ?? [];
    const isEmpty = expected.length === 0;
    if (isEmpty ? list.length > 0 : list.length < expected.length)
      return is(false, `${expected.length} entries`);
    return firstOf(expected.map((one, i) => differs(one, list[i], `${path}.${i}`)));
  }
  if (typeof expected === 'object' && expected !== null) {
    if (expected.above !== undefined)
      return is(Number(got) > Number(expected.above), `above ${expected.above}`);
    const fields = Object.entries(expected);
    return firstOf(
      fields.map(([key, one]) => differs(one, got?.[key], path === '' ? key : `${path}.${key}`)),
    );
  }
  if ([false, 0, ''].includes(expected))
    return is([undefined, false, 0, '0', ''].includes(got), JSON.stringify(expected));
  return is(String(got) === String(expected), JSON.stringify(expected));
}

function firstOf(problems) {
  return problems.find((problem) => problem !== null) ?? null;
}

function at(value, path) {
  return path.split('.').reduce((now, key) => now?.[key], value);
}

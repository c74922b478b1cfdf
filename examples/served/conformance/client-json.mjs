#!/usr/bin/env node
// The checks with nothing but `fetch`: node client-json.mjs 127.0.0.1:50051. ORCHESTRATE_TOKEN is sent where it is set; it needs the role operator.
import process from 'node:process';
import { Refused, runChecks } from './checks.mjs';

const world = process.argv[2] ?? '127.0.0.1:50051';
const base = world.includes('://') ? world : `http://${world}`;
const token = process.env.ORCHESTRATE_TOKEN;
const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };

const post = (method, type, body, signal = null) =>
  fetch(`${base}/${method}`, { method: 'POST', headers: { ...headers, 'content-type': type }, body, signal });

function refused({ code, message, details = [] }) {
  const info = details.find(({ type }) => type === 'google.rpc.ErrorInfo');
  const reason = info === undefined ? '' : reasonOf(info.value);
  return new Refused(code.toUpperCase(), reason, message);
}

/** The first field of an ErrorInfo, whose bytes come in base64: a key, a length and the reason itself. */
function reasonOf(value) {
  const bytes = Buffer.from(value, 'base64');
  return bytes.subarray(2, 2 + bytes[1]).toString();
}

async function call(method, request) {
  const response = await post(method, 'application/json', JSON.stringify(request));
  const answer = await response.json();
  if (!response.ok) throw refused(answer);
  return answer;
}

/** The messages of a stream: each has a byte of flags and its length before it. */
async function* stream(method, request) {
  const json = Buffer.from(JSON.stringify(request));
  const head = Buffer.alloc(5);
  head.writeUInt32BE(json.length, 1);
  const leaving = new AbortController();
  const body = Buffer.concat([head, json]);
  const response = await post(method, 'application/connect+json', body, leaving.signal);
  let rest = Buffer.alloc(0);
  try {
    for await (const chunk of response.body) {
      rest = Buffer.concat([rest, chunk]);
      while (rest.length >= 5 && rest.length >= 5 + rest.readUInt32BE(1)) {
        const end = 5 + rest.readUInt32BE(1);
        const isLast = (rest[0] & 2) !== 0;
        const message = JSON.parse(rest.subarray(5, end).toString());
        rest = rest.subarray(end);
        if (!isLast) yield message;
        else if (message.error !== undefined) throw refused(message.error);
      }
    }
  } finally {
    leaving.abort();
  }
}

process.exit((await runChecks({ call, stream })) === 0 ? 0 : 1);

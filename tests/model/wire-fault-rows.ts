/** The table of faults, first part: what goes wrong between the sockets, and what HTTP says. */
import * as act from '../fake-server/behaviours.mjs';
import * as other from '../fake-server/other-answers.mjs';
import * as wire from '../fake-server/wire-faults.mjs';
import { TransportError } from '../../src/model/transport.js';
import { answered, paused, resent, retried, askedAgain, unreached } from './fault-rows.js';
import type { Detour, FaultRow, Row } from './fault-rows.js';

function fails(code: string, words: string): Detour {
  return { kind: 'fails', error: new TransportError(code, words) };
}

function elsewhere(url: (url: string) => string): Detour {
  return { kind: 'elsewhere', url };
}

const LATE = /no complete answer within/;
const BROKEN = /ECONNRESET|EPIPE|socket hang up/;

const TRANSPORT: readonly Row[] = [
  unreached(
    'refused',
    elsewhere((url) => url.replace(/:\d+\//, ':1/')),
    /connection refused/,
  ),
  retried('no route', fails('EHOSTUNREACH', 'connect EHOSTUNREACH'), /EHOSTUNREACH/),
  paused('DNS fail: no such host', fails('ENOTFOUND', 'getaddrinfo ENOTFOUND x'), /was not found/),
  unreached('DNS fail: no name server', fails('EAI_AGAIN', 'getaddrinfo EAI_AGAIN x'), /EAI_AGAIN/),
  resent('accept then RST, a kept connection', [act.reset]),
  retried('accept then RST, a fresh one too', [act.reset, act.reset], BROKEN),
  retried('accept then silence', [act.hang], LATE),
  resent('half-close, a kept connection', [wire.halfClose]),
  retried('half-close, a fresh one too', [wire.halfClose, wire.halfClose], BROKEN),
  paused(
    'TLS on plain port',
    elsewhere((url) => url.replace('http:', 'https:')),
    /can't be reached securely/,
  ),
  retried('plain on TLS port', [wire.tlsAlert], /HPE_|Parse Error/),
  retried('slow headers', [wire.headStops], LATE),
  retried('headers one byte per 5 s', [wire.headDrips(5000)], LATE),
  retried('body stall at 0 %', [wire.bodyStops(0)], LATE),
  retried('body stall at 50 %', [wire.bodyStops(0.5)], LATE),
  retried('body stall at 99 %', [wire.bodyStops(0.99)], LATE),
  retried('drip just under idle timeout', [wire.bodyDrips(4900)], LATE),
  retried('reset mid-body', [act.resetMidBody], /cut off/),
  retried('wrong Content-Length: body shorter', [act.cutMidBody], /cut off/),
  retried('wrong Content-Length: body longer', [act.longerThanAnnounced], /./),
  retried('truncated chunked: no last chunk', [act.cutChunked], /cut off/),
  retried('truncated chunked: inside a chunk', [wire.chunkCut], /cut off/),
  retried('truncated chunked: no length', [wire.chunkGarbled], /cut off|HPE_/),
  retried('gzip bomb', [wire.gzipBomb], /compressed \(gzip\)/),
  retried('bad gzip', [act.raw('no gzip', { 'content-encoding': 'gzip' })], /compressed \(gzip\)/),
  retried('bad gzip: unsaid', [wire.gzipUnsaid], /^200 /),
  retried('1 GB body', [wire.gigabyte], /longer than 8000000 bytes/),
  retried('1 GB body: without a length', [act.endless], /longer than 8000000 bytes/),
  askedAgain('1 MB single line', [act.message({ content: 'x'.repeat(1_000_000) })], /far too long|truncated/),
  answered('1 MB single line: beside the words', [
    act.changed((good) => ({ ...good, padding: 'x'.repeat(1_000_000) })),
  ]),
  resent('keep-alive socket reused after server close', [act.hangUp]),
  paused('redirect same host', [act.redirect('/v1/elsewhere')], /not followed.*: \/v1\/elsewhere/),
  paused('redirect other host', [act.redirect('http://127.0.0.2:1/v1')], /not followed/),
  paused('redirect loop', [act.redirect('/v1/chat/completions')], /not followed/),
  paused('redirect to file', [act.redirect('file:///etc/passwd')], /not followed/),
  paused(
    'redirect to 169.254 address',
    [act.redirect('http://169.254.169.254/latest/meta-data')],
    /not followed/,
  ),
];

/** Not in the list, found while it was played: an answer that is whole and answers nothing that was asked. */
const FOREIGN: readonly Row[] = [
  answered('two answers to one request', [wire.twoAnswers]),
  answered('a second answer behind the first', [wire.secondAnswer]),
  retried('an answer after its failure', [wire.answerAfter('504 Gateway Timeout')], /504/),
  paused('an answer after its redirect', [wire.answerAfter('302 Found')], /not followed/),
];

const SWITCHED = /101 Switching Protocols, which was not requested/;

/** Not in the list either: what HTTP has besides an answer. */
const OTHER: readonly Row[] = [
  retried('101 with Upgrade, then silence', [other.switches], SWITCHED),
  retried('101 without Upgrade, then silence', [other.switchesUnsaid], SWITCHED),
  retried('101, then bytes of another protocol', [other.switchesAndSpeaks], SWITCHED),
  retried('102, then 101', [other.switchesLater], SWITCHED),
  answered('200 that offers an upgrade', [other.offersUpgrade]),
  retried('100, then silence', [other.goesSilentAfter100], LATE),
  retried('102 each second, for ever', [other.announces(1000)], LATE),
  retried('103 without a pause', [other.announcesAlways], /longer than 8000000 bytes/),
  retried('a trailer that never comes', [other.trailerStops], LATE),
  retried('trailers for ever', [other.trailersDrip(1000)], LATE),
  retried('a chunk extension for ever', [other.chunkExtensionDrips(1000)], LATE),
];

const CONTEXT = "This model's maximum context length is 8 tokens";

function limited(header: string, value: string): FaultRow['does'] {
  return [act.rateLimited({ [header]: value })];
}

const HTTP: readonly Row[] = [
  retried('200 HTML', [act.status(200, '<html><h1>Log in</h1></html>')], /^200 Log in/),
  retried('200 empty', [act.raw('')], /cut/),
  retried('204', [act.noContent], /cut/),
  paused('400 context length', [act.error(400, CONTEXT)], /too long.*: This model/),
  paused('401', [act.error(401, 'Unauthorized')], /refused access \(HTTP 401\)/),
  paused('403', [act.error(403, 'Forbidden')], /refused access \(HTTP 403\)/),
  paused('404 model', [act.error(404, 'The model `x` does not exist.')], /does not have the model/),
  retried('408', [act.error(408, 'slow')], /slow/),
  retried('409', [act.error(409, 'conflict')], /conflict/),
  paused('413', [act.error(413, 'too large')], /too large/),
  paused('422', [act.status(422, { detail: [{ msg: 'Field required' }] })], /Field required/),
  retried('429 without Retry-After', [act.rateLimited()], /429/),
  retried('429 Retry-After 0', limited('retry-after', '0'), /429/),
  retried('429 Retry-After -1', limited('retry-after', '-1'), /429/),
  retried('429 Retry-After 1e9', limited('retry-after', '1e9'), /429/),
  retried('429 Retry-After NaN', limited('retry-after', 'NaN'), /429/),
  retried('429 Retry-After past date', limited('retry-after', 'Mon, 01 Jan 2001 00:00:00 GMT'), /429/),
  retried('429 Retry-After 2099 date', limited('retry-after', 'Thu, 01 Jan 2099 00:00:00 GMT'), /429/),
  retried('429 retry-after-ms', limited('retry-after-ms', '1200'), /429/),
  retried('500', [act.crashed], /500/),
  retried('502 HTML', [act.status(502, '<html><h1>Bad Gateway</h1></html>')], /Bad Gateway/),
  retried('503 loading 120 s', [act.error(503, 'Loading model', { 'retry-after': '120' })], /Loading model/),
  retried('529', [act.error(529, 'overloaded')], /overloaded/),
  answered('1xx flood', [act.informationFlood(200)]),
];

export const WIRE_FAULTS: readonly FaultRow[] = [
  ...TRANSPORT.map((row) => ({ group: 'Transport', ...row })),
  ...FOREIGN.map((row) => ({ group: 'Foreign', ...row })),
  ...OTHER.map((row) => ({ group: 'Other answers', ...row })),
  ...HTTP.map((row) => ({ group: 'HTTP', ...row })),
];

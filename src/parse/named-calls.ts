/**
 * Calls as servers without a parser leave them in a reply: the name of a tool and, with nothing but marks between, its arguments as an object
 * (`<function=GO>{…}`, `[TOOL_CALLS]GO[ARGS]{…}`, `functions.GO:0<|…|>{…}`), as parameters in tags (`<parameter=thing>…`, `<arg_key>…`)
 * or in brackets (`GO(thing="key")`). In go the raw content and its parts, out come spans with what they ask for.
 */
import { LIMITS } from '../base/limits.js';
import { problem } from '../base/problem.js';
import { quoted } from '../base/text.js';
import type { Vocabulary } from '../forms/vocabulary.js';
import { verbsOf } from '../forms/vocabulary.js';
import type { CallReading } from './call.js';
import { namedCall } from './call.js';
import type { LooseJson, LooseReading } from './loose-json.js';
import { readLoose } from './loose-json.js';
import type { TextSpan } from './reading.js';

export interface FoundCall extends TextSpan {
  readonly call: CallReading;
}

/** Name spaces, numbers and control tokens that servers leave at a tool's name. */
const AROUND_NAME = /^(?:functions|tools|default_api|api)[.:]|:\d{1,3}$|<\|.*$/g;

/** The bare name of a tool. */
export function calledName(name: string): string {
  return name.trim().replace(AROUND_NAME, '');
}

const remembered = new WeakMap<Vocabulary, RegExp>();

/** Where a call may begin: the name of a tool, or any name in the marks of a call. */
function namePattern(vocabulary: Vocabulary): RegExp {
  const before = remembered.get(vocabulary);
  if (before !== undefined) return before;
  const names = [...verbsOf(vocabulary).keys()].toSorted((a, b) => b.length - a.length);
  const pattern = new RegExp(
    `<function=["']?([A-Za-z_.]{1,60})["']?>|<invoke name=["']([A-Za-z_.]{1,60})["']>|\\[TOOL_CALLS\\]\\s{0,8}([A-Za-z_.]{1,60})(?=\\[ARGS\\]|\\{)|(?<![\\w"'])(?:(?:functions|tools|default_api|api)[.:])?(${names.join('|')})(?![A-Za-z_])`,
    'gi',
  );
  remembered.set(vocabulary, pattern);
  return pattern;
}

/** At most one more than LIMITS.replyCandidates. */
export function namedCalls(
  content: string,
  parts: readonly TextSpan[],
  vocabulary: Vocabulary,
): readonly FoundCall[] {
  const found: FoundCall[] = [];
  for (const part of parts) {
    let from = part.start;
    for (const match of content.slice(part.start, part.end).matchAll(namePattern(vocabulary))) {
      if (part.start + match.index < from) continue;
      const call = callAt(content, part.start, match, { parts, vocabulary });
      if (call === null) continue;
      found.push(call);
      from = call.end;
      if (found.length > LIMITS.replyCandidates) return found;
    }
  }
  return found;
}

interface CallContext {
  readonly parts: readonly TextSpan[];
  readonly vocabulary: Vocabulary;
}

function callAt(
  content: string,
  offset: number,
  match: RegExpExecArray,
  { parts, vocabulary }: CallContext,
): FoundCall | null {
  const name = match[1] ?? match[2] ?? match[3] ?? match[4] ?? '';
  const start = offset + match.index;
  const end = start + match[0].length;
  const input = argumentsAt(content, end, parts, match[4] === undefined);
  if (input === null) return null;
  if (input.ok) return { start, end: input.end, call: namedCall(calledName(name), input.value, vocabulary) };
  return { start, end, call: { ok: false, problem: brokenArguments(name) } };
}

function brokenArguments(name: string): ReturnType<typeof problem> {
  const told = `The arguments of your call of ${quoted(name, 60)} are not one well-formed JSON object.`;
  return problem('bad-argument', told);
}

/** What may stand between a name and its arguments: tokens, the end of its own mark, a fence, a content type. */
const BETWEEN =
  /(?::\d{1,3})?\s{0,8}(?:(?:<[|｜][^<>\n]{1,60}[|｜]>|\[ARGS\]|["']?>|`{3}(?:json)?|json(?=\s|<))\s{0,8}){0,4}/iy;
const BRACKETS = /(?::\d{1,3})?\(/y;

/** Null where no arguments follow. `isMarked`: the marks of a call stand around the name, so that there must be some. */
function argumentsAt(
  content: string,
  at: number,
  parts: readonly TextSpan[],
  isMarked: boolean,
): LooseReading | null {
  BRACKETS.lastIndex = at;
  const bracket = BRACKETS.exec(content)?.[0].length;
  if (bracket !== undefined) return readKeywords(content, at + bracket);
  BETWEEN.lastIndex = at;
  const body = at + (BETWEEN.exec(content)?.[0].length ?? 0);
  const part = parts.find((one) => one.start <= body && body < one.end);
  if (content[body] === '{' && part !== undefined) return readLoose(content, body, part.end);
  const tagged = readParameters(content, body, part?.end ?? body);
  if (tagged.ok) return tagged;
  return isMarked || tagged.at > body ? tagged : null;
}

const PARAMETER =
  /\s{0,8}(?:<parameter(?:=["']?| name=["'])([A-Za-z_]{1,40})["']?>([^<]{0,4000})<\/parameter>|<arg_key>\s{0,8}([A-Za-z_]{1,40})\s{0,8}<\/arg_key>\s{0,8}<arg_value>([^<]{0,4000})<\/arg_value>)/y;
const CLOSE = /\s{0,8}<\/(?:function|invoke|tool_call)>/y;

/** `<parameter=thing>brass key</parameter>`, `<arg_key>thing</arg_key><arg_value>brass key</arg_value>` … up to the end of the call. */
function readParameters(content: string, start: number, limit: number): LooseReading {
  const fields = new Map<string, LooseJson>();
  let at = start;
  for (;;) {
    PARAMETER.lastIndex = at;
    const match = PARAMETER.exec(content);
    if (match === null) break;
    const key = match[1] ?? match[3] ?? '';
    if (fields.has(key)) return { ok: false, at: at + 1 };
    fields.set(key, (match[2] ?? match[4] ?? '').trim());
    at += match[0].length;
  }
  CLOSE.lastIndex = at;
  const close = CLOSE.exec(content)?.[0].length;
  const isWhole = close !== undefined && at + close <= limit;
  return isWhole ? { ok: true, value: fields, end: at + close } : { ok: false, at };
}

const KEYWORD = /\s{0,8}([A-Za-z_]{1,40})\s{0,4}=\s{0,4}/y;
const NEXT = /\s{0,8}(,\s{0,8})?/y;

/** `direction="north", target=None)`: keywords up to the closing bracket; a value is one of JSON's or Python's. */
function readKeywords(content: string, start: number): LooseReading | null {
  const fields = new Map<string, LooseJson>();
  let at = start;
  while (content[at] !== ')') {
    KEYWORD.lastIndex = at;
    const match = KEYWORD.exec(content);
    if (match === null || fields.has(match[1] ?? '')) return null;
    const value = readLoose(content, at + match[0].length);
    if (!value.ok) return null;
    fields.set(match[1] ?? '', value.value);
    NEXT.lastIndex = value.end;
    const next = NEXT.exec(content);
    at = value.end + (next?.[0].length ?? 0);
    if (next?.[1] === undefined && content[at] !== ')') return null;
  }
  return { ok: true, value: fields, end: at + 1 };
}

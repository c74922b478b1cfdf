/**
 * Reads tool calls that a server without a parser for its model left in the text: the name of a tool and,
 * with only marks in between, its arguments as an object (`<function=GO>{…}`, `[TOOL_CALLS]GO[ARGS]{…}`,
 * `functions.GO:0<|…|>{…}`), as parameters in tags (`<parameter=thing>…`, `<arg_key>…`) or in brackets
 * (`GO(thing="key")`).
 */
import { LIMITS } from '../base/limits.js';
import type { Problem } from '../base/problem.js';
import { problem } from '../base/problem.js';
import { quoted } from '../base/text.js';
import type { Vocabulary } from '../forms/vocabulary.js';
import { verbsOf } from '../forms/vocabulary.js';
import type { CallReading } from './call.js';
import { callOf, namedCall } from './call.js';
import type { LooseJson } from './loose-json.js';
import { isLooseObject, readLoose } from './loose-json.js';
import { argumentsInBrackets, BARE_KEYS, endOf, membersAt } from './members.js';
import type { TextSpan } from './reading.js';

export interface FoundCall extends TextSpan {
  call: CallReading;
}

/** Namespaces, numbers and control tokens that servers attach to a tool's name. */
const AROUND_NAME = /^(?:functions|tools|default_api|api)[.:]|:\d{1,3}$|<\|.*$/g;

/** The bare name of a tool. */
export function calledName(name: string): string {
  return name.trim().replace(AROUND_NAME, '');
}

const patterns = new WeakMap<Vocabulary, RegExp>();

/** Where a call may begin: at the name of a tool, or at any name within the marks of a call. */
function namePattern(vocabulary: Vocabulary): RegExp {
  const known = patterns.get(vocabulary);
  if (known !== undefined) return known;
  const names = [...verbsOf(vocabulary).keys()].toSorted((a, b) => b.length - a.length);
  const pattern = new RegExp(
    `<function=["']?([A-Za-z_.]{1,60})["']?>|<(?:｜DSML｜)?invoke name=["']([A-Za-z_.]{1,60})["']>|\\[TOOL_CALLS\\]\\s{0,8}([A-Za-z_.]{1,60})(?=\\[(?:ARGS|CALL_ID)\\]|\\{)|(?<![\\w"'])(?:(?:functions|tools|default_api|api)[.:])?(${names.join('|')})(?![A-Za-z_])`,
    'gi',
  );
  patterns.set(vocabulary, pattern);
  return pattern;
}

/** At most one more than LIMITS.replyCandidates. */
export function namedCalls(
  content: string,
  parts: readonly TextSpan[],
  vocabulary: Vocabulary,
): readonly FoundCall[] {
  const calls: FoundCall[] = [];
  for (const part of parts) {
    let searchFrom = part.start;
    for (const match of content.slice(part.start, part.end).matchAll(namePattern(vocabulary))) {
      const end = part.start + match.index + match[0].length;
      if (part.start + match.index < searchFrom) continue;
      const call = foundCall(match, end, argumentsAt(content, end, parts), vocabulary);
      if (call === null) continue;
      calls.push(call);
      searchFrom = call.end;
      if (calls.length > LIMITS.replyCandidates) return calls;
    }
  }
  return calls;
}

/** Null if no complete arguments follow and no call marks surround the name, which ends at `end`. */
function foundCall(
  [whole, ...names]: RegExpExecArray,
  end: number,
  input: ArgumentsReading,
  vocabulary: Vocabulary,
): FoundCall | null {
  const bareName = names.pop();
  const name = bareName ?? names.find((one) => one !== undefined) ?? '';
  const start = end - whole.length;
  if (input.value !== undefined) {
    const call = namedCall(calledName(name), input.value, vocabulary);
    // `I will now go {"name": "GO", …}`: the object itself is the call, and the name a word before it.
    if (
      bareName !== undefined &&
      !call.ok &&
      isLooseObject(input.value) &&
      callOf(input.value, vocabulary)?.ok
    )
      return null;
    return { start, end: input.end, call };
  }
  if (bareName !== undefined && !input.hasStarted) return null;
  return { start, end, call: { ok: false, problem: brokenArguments(name) } };
}

export function brokenArguments(name: string): Problem {
  const message = `The arguments of your call of ${quoted(name, 60)} are not one well-formed JSON object.`;
  return problem('bad-argument', message);
}

type ArgumentsReading =
  | { value: LooseJson; end: number }
  /** Something that looked like arguments is invalid. */
  | { value?: undefined; hasStarted: boolean };

/**
 * What may stand between a name and its arguments: tokens, the end of the name's own mark, a fence, a content
 * type.
 */
const BETWEEN =
  /(?::\d{1,3})?\s{0,8}(?:(?:<[|｜][^<>\n]{1,60}[|｜]>|\[CALL_ID\][\w-]{1,40}|\[ARGS\]|["']?>|`{3}(?:json)?|json(?=\s|<))\s{0,8}){0,4}/iy;
const BRACKETS = /(?::\d{1,3})?\(/y;

function argumentsAt(content: string, at: number, parts: readonly TextSpan[]): ArgumentsReading {
  const bracket = endOf(BRACKETS, content, at);
  if (bracket !== null) return argumentsInBrackets(content, bracket) ?? { hasStarted: false };
  const body = endOf(BETWEEN, content, at) ?? at;
  const part = parts.find((one) => one.start <= body && body < one.end);
  if (part === undefined) return { hasStarted: false };
  const text = content.slice(0, part.end);
  if (content[body] !== '{') return parametersAt(text, body);
  return readLoose(text, body) ?? membersAt(text, body + 1, BARE_KEYS) ?? { hasStarted: true };
}

const PARAMETER =
  /\s{0,8}(?:<(?:｜DSML｜)?parameter(?:=["']?| name=["'])([A-Za-z_]{1,40})["']?(?: string="[a-z]{4,5}")?>((?:[^<]|<(?!\/?(?:｜DSML｜)?parameter)){0,4000})<\/(?:｜DSML｜)?parameter>|<arg_key>\s{0,8}([A-Za-z_]{1,40})\s{0,8}<\/arg_key>\s{0,8}<arg_value>((?:[^<]|<(?!\/?arg_)){0,4000})<\/arg_value>)/gy;
const CLOSE = /\s{0,8}<\/(?:｜DSML｜)?(?:function|invoke|tool_call)>/y;

/**
 * `<parameter=thing>brass key</parameter>`, `<arg_key>thing</arg_key><arg_value>brass key</arg_value>` … up
 * to the end of the call.
 */
function parametersAt(text: string, start: number): ArgumentsReading {
  const parameters = [...text.slice(start).matchAll(PARAMETER)];
  const value = new Map(parameters.map((one) => [one[1] ?? one[3] ?? '', (one[2] ?? one[4] ?? '').trim()]));
  const end = endOf(CLOSE, text, start + parameters.reduce((sum, [whole]) => sum + whole.length, 0));
  return end === null || value.size < parameters.length
    ? { hasStarted: parameters.length > 0 }
    : { value, end };
}

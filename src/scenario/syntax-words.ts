/**
 * The program's own message for every error code of the YAML parser, which replaces the parser's. In: the
 * text, the position and the open brackets and quotations; out: the mistake, a suggestion, and the position
 * to correct. Suggestions quote the user's text where possible, so that they can be copied.
 */
import type { ErrorCode } from 'yaml';

export interface SyntaxMessage {
  readonly message: string;
  readonly suggestion?: string | undefined;
  /** The position to correct, if it differs from where the parser stopped. */
  readonly offset?: number;
}

export interface SyntaxSpot {
  readonly text: string;
  readonly offset: number;
  /** The bracket around the position; null outside all brackets. */
  readonly bracket: string | null;
  /** Whether a quotation ends directly before the position. */
  readonly isAfterQuotation: boolean;
}

/** The text for a mistake at a position. */
export function syntaxMessage(code: ErrorCode, spot: SyntaxSpot): SyntaxMessage {
  const entry = MESSAGES[code];
  return typeof entry === 'function' ? entry(spot) : entry;
}

const MESSAGES: Readonly<Record<ErrorCode, SyntaxMessage | ((spot: SyntaxSpot) => SyntaxMessage)>> = {
  ALIAS_PROPS: { message: "an alias (*name) can't have an anchor", suggestion: 'remove the & before it' },
  BAD_ALIAS: { message: 'a name must follow & and *', suggestion: 'put the text in quotes' },
  BAD_COLLECTION_TYPE: { message: 'tags are not supported', suggestion: 'write only the value' },
  BAD_DIRECTIVE: { message: 'directives are not supported', suggestion: 'remove the line' },
  BAD_DQ_ESCAPE: {
    message: 'within " a backslash begins an escape sequence, and this is not a known one',
    suggestion: "write \\\\ for a backslash, or use ' for the quotes",
  },
  BAD_INDENT: badIndent,
  BAD_PROP_ORDER: { message: 'an anchor (&name) must follow the colon or the dash' },
  BAD_SCALAR_START: {
    message: "text can't begin with this character",
    suggestion: 'put the text in quotes',
  },
  BLOCK_AS_IMPLICIT_KEY: secondColon,
  BLOCK_IN_FLOW: colonInBrackets,
  DUPLICATE_KEY: { message: 'the key is repeated', suggestion: 'keep only one of the two' },
  IMPOSSIBLE: { message: 'this is not valid here' },
  KEY_OVER_1024_CHARS: {
    message: 'this key is too long: a key can have at most 1024 characters',
    suggestion: 'put the text in quotes',
  },
  MISSING_CHAR: missingCharacter,
  MULTILINE_IMPLICIT_KEY: multilineKey,
  MULTIPLE_ANCHORS: { message: 'there are two anchors (&name) here', suggestion: 'keep only one of the two' },
  MULTIPLE_DOCS: { message: 'the file holds several documents', suggestion: 'remove the line with ---' },
  MULTIPLE_TAGS: { message: 'tags are not supported', suggestion: 'write only the value' },
  NON_STRING_KEY: {
    message: 'a key must be text, not a list or a mapping',
    suggestion: 'put the key in quotes',
  },
  RESOURCE_EXHAUSTION: { message: 'nesting or aliases are too deep' },
  TAB_AS_INDENT: { message: 'tabs are not allowed as indentation', suggestion: 'indent with spaces' },
  TAG_RESOLVE_FAILED: { message: 'tags are not supported', suggestion: 'write only the value' },
  UNEXPECTED_TOKEN: unexpectedToken,
};

function badIndent({ text, offset, bracket }: SyntaxSpot): SyntaxMessage {
  if (bracket !== null)
    return { message: `the content of ${bracket} must be indented more than the line with the ${bracket}` };
  return misaligned(text, offset);
}

/** A line with the wrong indentation. The parser points at the spaces before it, the message at its text. */
function misaligned(text: string, offset: number): SyntaxMessage {
  return {
    message: 'this line is not indented like the lines it belongs with',
    suggestion: 'indent it exactly like those lines, or by two more spaces if it belongs to the line before',
    offset: text.slice(offset).search(/[^ ]/) + offset,
  };
}

/** Outside brackets: `text: a: b`, a list below something that is not a key, or a key below a value. */
function secondColon({ text, offset }: SyntaxSpot): SyntaxMessage {
  const value = /^[^\r\n]*?(?=\s+#|\s*$)/m.exec(text.slice(offset))?.[0].trim() ?? '';
  if (/^-\s/.test(value))
    return {
      message: 'this list item belongs to no list',
      suggestion:
        'indent it exactly like the items before; a list belongs below a key with nothing after its colon',
      offset: offset + text.slice(offset).indexOf('-'),
    };
  if (!value.includes(':'))
    return {
      message: 'this is a value, but the key below it is indented as if it belonged to it',
      suggestion: 'indent that key exactly like the keys that it belongs with',
    };
  return {
    message: 'a line can have only one key: here is a second colon',
    suggestion: `put text with a colon in quotes: ${quoted(value)}`,
  };
}

/** A line without a colon before a line with one: within brackets, a comma is missing, outside, a colon. */
function multilineKey(spot: SyntaxSpot): SyntaxMessage {
  if (spot.bracket !== null) return colonInBrackets(spot);
  return missingColon(spot) ?? { message: 'a key and its colon must be on one line' };
}

function missingColon({ text, offset }: SyntaxSpot): SyntaxMessage | undefined {
  const word = /^[a-z][\w-]{0,39}(?=\s*$)/m.exec(text.slice(offset))?.[0];
  if (word === undefined) return undefined;
  return { message: `a colon is missing after '${word}'`, suggestion: `write ${word}: and its value` };
}

/** Within brackets: a comma is missing before a key, or a text contains a colon. */
function colonInBrackets({ text, offset }: SyntaxSpot): SyntaxMessage {
  const [, before = '', key = '', valueText = ''] =
    /^((?:[^:]*\s)?)([^\s:]+)\s*:([^,}\]\r\n]*)/.exec(text.slice(offset)) ?? [];
  if (/^[-?]\s/.test(text.slice(offset)) || key === '')
    return { message: 'brackets can contain only [a, b] and {key: value}' };
  const quotedText = quoted(`${before}${key}:${valueText}`.trim());
  const isText = !/\n/.test(before) && before.trim().split(/\s+/).length > 1;
  if (before.trim() === '' || isText)
    return {
      message: 'here is a second colon',
      suggestion: `put text with a colon in quotes: ${quotedText}${isText ? `, or write a comma before ${shorten(key)}:` : ''}`,
    };
  return {
    message: `a comma is missing before '${shorten(key)}'`,
    suggestion: `write ${before.trim().slice(-30)}, ${shorten(key)}: …, or put text with a colon in quotes`,
    offset: offset + before.length,
  };
}

function shorten(key: string): string {
  return key.slice(0, 60);
}

/** In a form that YAML reads back; a long text is shortened to its beginning. */
function quoted(value: string): string {
  const short = value.length > 60 ? `${value.slice(0, 59)}…` : value;
  return `'${short.replaceAll("'", "''")}'`;
}

function missingCharacter(spot: SyntaxSpot): SyntaxMessage {
  if (spot.bracket !== null || spot.isAfterQuotation) return unexpectedToken(spot);
  const line = spot.text.slice(spot.offset).split('\n', 1)[0] ?? '';
  if (/^ *[^\s:]+:(?:\s|$)/.test(line)) return misaligned(spot.text, spot.offset);
  return missingColon(spot) ?? { message: 'a colon is missing here', suggestion: 'write key: value' };
}

function unexpectedToken({ text, offset, bracket, isAfterQuotation }: SyntaxSpot): SyntaxMessage {
  const [mark = ''] = text.slice(offset);
  if (mark === ',') return { message: 'there is nothing before this comma', suggestion: 'remove it' };
  if (mark === '}' || mark === ']') {
    const opening = mark === '}' ? '{' : '[';
    return {
      message: `this ${mark} closes nothing`,
      suggestion: `remove it, or add the missing ${opening}`,
    };
  }
  if (bracket !== null) {
    const key = /^[^\s:,{}[\]]{1,60}/.exec(text.slice(offset))?.[0];
    return {
      message: `a comma is missing before ${key === undefined ? 'this' : `'${key}'`}`,
      suggestion: 'write a comma between the two',
    };
  }
  if (isAfterQuotation)
    return {
      message: 'the quoted text ends before this point',
      suggestion: "put the whole text in single quotes ('), and write each single quote in it twice",
    };
  return {
    message: 'this does not belong here',
    suggestion: 'put the text in quotes, or in a block after |',
  };
}

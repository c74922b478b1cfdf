/**
 * Makes untrusted text (names, signs, speech, server messages) safe for one line of a prompt, a terminal or a
 * log. The result can't be mistaken for anything but data: well-formed, on one line, without control, bidi or
 * zero-width characters, cut by code point. In a prompt, it is a JSON string in which no model's control
 * token survives.
 */

/*
 * C0/C1 controls, soft hyphen, joiners, fillers, zero-width and bidi controls, line and paragraph separators,
 * BOM, shorthand and music controls, tag characters. Variation selectors stay, because emoji need them.
 */
const INVISIBLE =
  /[\u0000-\u001F\u007F-\u009F\u00AD\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B-\u200F\u2028-\u202E\u2060-\u206F\u3164\uFEFF\uFFA0\uFFF0-\uFFFB]|\u034F|\uDB40[\uDC00-\uDFFF]|\uD82F[\uDCA0-\uDCA3]|\uD834[\uDD73-\uDD7A]/g;

/** Cut to at most `max` code points; a cut is marked by an ellipsis within the limit. */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text;
  const points = Array.from(text);
  return points.length <= max ? text : `${points.slice(0, max - 1).join('')}…`;
}

/** Without invisible characters, including line breaks; spaces stay. */
export function visibleText(text: string): string {
  return text.toWellFormed().replace(INVISIBLE, '');
}

/**
 * Text that is safe in a terminal or on a page of text: visible characters and line feeds; a tab becomes four
 * spaces, and a Windows line end is accepted.
 */
export function printableText(text: string): string {
  if (!UNPRINTED.test(text)) return text;
  const lines = text.replace(/\t/g, '    ').replace(/\r(?!\n)/g, '\n');
  return lines
    .split(/(\r?\n)/)
    .map((part, i) => (i % 2 === 0 ? visibleText(part) : part))
    .join('');
}

/** Everything but plain letters, signs and line feeds. */
const UNPRINTED = /[^\n -~]/;

/**
 * JSON text from outside, in which an escape for half of a surrogate pair becomes U+FFFD: everything parsed
 * from it is well-formed, so that it can be hashed, stored as UTF-8 and sent.
 */
export function wellFormedJson(json: string): string {
  const text = json.toWellFormed();
  if (!HALF_ESCAPE.test(text)) return text;
  return text.replace(ESCAPE, (escape) =>
    escape.length === 6 && HALF_ESCAPE.test(escape) ? '\\ufffd' : escape,
  );
}

const HALF_ESCAPE = /\\ud[89a-f]/i;
/** A pair, a half, or any other escape; so the second of two backslashes does not begin an escape. */
const ESCAPE = /\\ud[89ab][\da-f]{2}\\ud[c-f][\da-f]{2}|\\ud[89a-f][\da-f]{2}|\\./gis;

/**
 * JSON text in which everything invisible is written as an escape: the same value, harmless in a terminal.
 */
export function escapeInvisible(json: string): string {
  return json.replace(INVISIBLE, (found) =>
    found
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}

/** Most lines contain none of these characters, and then there is nothing to clean. */
const UNCLEAN = /[^ -~]| {2}|^ | $/;

/** One visible line: white space folded, everything invisible removed, lone surrogates replaced. */
export function oneLine(text: string, max = Number.POSITIVE_INFINITY): string {
  if (text.length <= max && !UNCLEAN.test(text)) return text;
  // Applied again if an invisible character was between two spaces, so that a clean line stays unchanged.
  const clean = visibleText(text.replace(/\s+/g, ' ')).replace(/ {2,}/g, ' ').trim();
  return max === Number.POSITIVE_INFINITY ? clean : cutText(clean, max);
}

/*
 * Spellings that chat templates turn into control tokens: <|…|>, <｜…｜>, <start_of_turn>, <<SYS>>, <s>,
 * <think>, <box>, <tool_call>, [INST], [ARGS], [gMASK], ◁think▷ … Every model has others, so a list would
 * never be complete: a space after any opening bracket that is followed by something breaks them all and
 * stays readable. Some tokenizers first turn wide, raised or ornate letters and brackets into plain ones
 * (NFKC), so these count as what they become: WIDE has these letters.
 */
const WIDE = '\\u02B0-\\u02E4\\u1D2C-\\u1D6A\\u2100-\\u214F\\u24B6-\\u24E9\\uFF01-\\uFF5E\\uD835\\uD83C';
const CONTROL_TOKEN = new RegExp(
  String.raw`[<＜﹤◁［﹇](?=\S)|\[(?=\/?(?:[A-Z][A-Z_]+|s?g?MASK|multimodal)\b|\/?[A-Za-z_]{0,20}[${WIDE}])|(?<=[|｜])[>＞﹥]`,
  'g',
);

/** Characters at which a control token is broken; most texts contain none. */
const BRACKET = /[<＜﹤◁［﹇[>＞﹥]/;

/**
 * Breaks everything that some model would interpret as a control token; readable, and the same for every
 * model.
 */
export function breakControlTokens(text: string): string {
  if (!BRACKET.test(text)) return text;
  return text.replace(CONTROL_TOKEN, (bracket) =>
    '>＞﹥'.includes(bracket) ? ` ${bracket}` : `${bracket} `,
  );
}

/**
 * Untrusted text as a one-line JSON string for a prompt: it can't close its own quotation or imitate the
 * prompt's structure.
 */
export function quoted(text: string, max = Number.POSITIVE_INFINITY): string {
  return JSON.stringify(breakControlTokens(oneLine(text, max)));
}

/** The quoted parts of a line, as JSON strings. */
export function quotations(line: string): readonly string[] {
  return [...line.matchAll(/"(?:[^"\\]|\\.)*"/g)].flatMap((match) => {
    try {
      return [String(JSON.parse(match[0]))];
    } catch {
      return [];
    }
  });
}

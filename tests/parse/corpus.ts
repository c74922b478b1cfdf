/** Reads the labelled replies of `corpus/`; the format is told in `corpus/README.md`. */
import { readdirSync, readFileSync } from 'node:fs';
import type { ToolCall } from '../../src/model/chat.js';

/** `clear` and `unclear` replies are realistic, `trap`s are invented to mislead. */
export const CLASSES = ['clear', 'unclear', 'trap'] as const;
export type ReplyClass = (typeof CLASSES)[number];

export const PROTOCOLS = ['command', 'json', 'react', 'tools'] as const;
export type CorpusProtocol = (typeof PROTOCOLS)[number];

export interface LabelledReply {
  protocol: CorpusProtocol;
  file: string;
  line: number;
  class: ReplyClass;
  /** What a careful reader would take it for; several where any of them would do. */
  expected: readonly string[];
  finishReason: string | null;
  content: string;
  /** Native tool calls, written as lines `@call NAME arguments` before the text. */
  toolCalls: readonly ToolCall[];
}

const FOLDER = new URL('corpus/', import.meta.url);

/** The replies of a protocol, of one kind or of both. */
export function readCorpus(
  protocol: CorpusProtocol,
  kinds: readonly ('realistic' | 'adversarial')[] = ['realistic', 'adversarial'],
): readonly LabelledReply[] {
  return kinds.flatMap((kind) => {
    const place = new URL(`${kind}/${protocol}/`, FOLDER);
    const files = readdirSync(place).filter((file) => file.endsWith('.txt'));
    return files
      .toSorted()
      .flatMap((file) => blocks(protocol, file, readFileSync(new URL(file, place), 'utf8')));
  });
}

/** Whether a reply was read as labelled: `!` stands for any problem. */
export function isAsLabelled({ expected }: LabelledReply, got: string): boolean {
  return expected.some((one) => got === one || (one === '!' && got.startsWith('!')));
}

function blocks(protocol: CorpusProtocol, file: string, text: string): LabelledReply[] {
  const found: LabelledReply[] = [];
  let line = 1;
  for (const block of text.split(/^(?==== )/m)) {
    const newline = block.indexOf('\n');
    const [kind = '', expected = '', finish = 'stop'] = block.slice(4, newline).split(' | ');
    const text = block.slice(newline + 1).replace(/\n$/, '');
    found.push({
      protocol,
      file,
      line,
      class: classOf(kind.trim()),
      expected: expected.trim().split(' or ').map(unescaped),
      finishReason: finish.trim() === 'null' ? null : finish.trim(),
      ...replyOf(unescaped(text)),
    });
    line += block.split('\n').length - 1;
  }
  return found;
}

function unescaped(text: string): string {
  return text.replace(/\\u\{([0-9A-F]+)\}/g, (_, hex: string) =>
    String.fromCodePoint(Number.parseInt(hex, 16)),
  );
}

/** A reply as it is written in a corpus: native calls first, one a line, then the text. */
export function replyOf(text: string): Pick<LabelledReply, 'content' | 'toolCalls'> {
  const calls = [...text.matchAll(CALL)];
  return {
    content: text.replace(CALL, ''),
    toolCalls: calls.map(([, name = '', given = '']) => ({ name, arguments: given })),
  };
}

const CALL = /^@call ([^ \n]*) ?(.*)\n?/gm;

function classOf(kind: string): ReplyClass {
  const known = CLASSES.find((one) => one === kind);
  if (known === undefined) throw new Error(`unknown class of reply: ${kind}`);
  return known;
}

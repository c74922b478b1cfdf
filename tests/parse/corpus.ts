/** Reads the labelled replies of `corpus/*.txt`; the format is told in `corpus/README.md`. */
import { readdirSync, readFileSync } from 'node:fs';
import type { ToolCall } from '../../src/model/chat.js';

export const CLASSES = ['well-formed', 'sloppy', 'trap'] as const;
export type ReplyClass = (typeof CLASSES)[number];

export interface LabelledReply {
  readonly file: string;
  readonly line: number;
  readonly class: ReplyClass;
  readonly expected: string;
  readonly finishReason: string | null;
  readonly content: string;
  /** Native tool calls, written as lines `@call NAME arguments` before the text. */
  readonly toolCalls: readonly ToolCall[];
}

const FOLDER = new URL('corpus/', import.meta.url);

/** The replies of a folder within `corpus/`; those of the protocol `command` lie in `corpus/` itself. */
export function readCorpus(folder = ''): readonly LabelledReply[] {
  const place = new URL(folder, FOLDER);
  const files = readdirSync(place).filter((file) => file.endsWith('.txt'));
  return files.toSorted().flatMap((file) => blocks(file, readFileSync(new URL(file, place), 'utf8')));
}

function blocks(file: string, text: string): LabelledReply[] {
  const found: LabelledReply[] = [];
  let line = 1;
  for (const block of text.split(/^(?==== )/m)) {
    const newline = block.indexOf('\n');
    const [kind = '', expected = '', finish = 'stop'] = block.slice(4, newline).split(' | ');
    const text = block.slice(newline + 1).replace(/\n$/, '');
    found.push({
      file,
      line,
      class: classOf(kind.trim()),
      expected: expected.trim(),
      finishReason: finish === 'null' ? null : finish,
      ...replyOf(
        text.replace(/\\u\{([0-9A-F]+)\}/g, (_, hex: string) =>
          String.fromCodePoint(Number.parseInt(hex, 16)),
        ),
      ),
    });
    line += block.split('\n').length - 1;
  }
  return found;
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

/** Reads the labelled replies of `corpus/*.txt`; the format is told in `corpus/README.md`. */
import { readdirSync, readFileSync } from 'node:fs';

export const CLASSES = ['well-formed', 'sloppy', 'trap'] as const;
export type ReplyClass = (typeof CLASSES)[number];

export interface LabelledReply {
  readonly file: string;
  readonly line: number;
  readonly class: ReplyClass;
  readonly expected: string;
  readonly finishReason: string | null;
  readonly content: string;
}

const FOLDER = new URL('corpus/', import.meta.url);

export function readCorpus(): readonly LabelledReply[] {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith('.txt'));
  return files.toSorted().flatMap((file) => blocks(file, readFileSync(new URL(file, FOLDER), 'utf8')));
}

function blocks(file: string, text: string): LabelledReply[] {
  const found: LabelledReply[] = [];
  let line = 1;
  for (const block of text.split(/^(?==== )/m)) {
    const newline = block.indexOf('\n');
    const [kind = '', expected = '', finish = 'stop'] = block.slice(4, newline).split(' | ');
    const content = block.slice(newline + 1).replace(/\n$/, '');
    found.push({
      file,
      line,
      class: classOf(kind.trim()),
      expected: expected.trim(),
      finishReason: finish === 'null' ? null : finish,
      content: content.replace(/\\u\{([0-9A-F]+)\}/g, (_, hex: string) =>
        String.fromCodePoint(Number.parseInt(hex, 16)),
      ),
    });
    line += block.split('\n').length - 1;
  }
  return found;
}

function classOf(kind: string): ReplyClass {
  const known = CLASSES.find((one) => one === kind);
  if (known === undefined) throw new Error(`unknown class of reply: ${kind}`);
  return known;
}

/**
 * A text as YAML: its tree, and its mistakes and surprises before anything is set or checked. The runs of a
 * batch read the same text repeatedly, so the last parsed ones are cached. In: a source; out: immutable
 * values.
 */
import type { Diagnostic } from '../base/errors.js';
import { prescan } from './prescan.js';
import { diagnostic } from './source.js';
import type { SourceText } from './source.js';
import { parseTree } from './tree.js';
import type { Tree } from './tree.js';

export interface ParsedText {
  readonly tree: Tree;
  readonly findings: readonly Diagnostic[];
}

const KEPT = 4;
const lately: ParsedText[] = [];

/** Throws ScenarioError for what is no YAML, or too deep or too much of it. */
export function parsedText(source: SourceText): ParsedText {
  const known = lately.find(({ tree }) => isSame(tree.source, source));
  if (known !== undefined) return known;
  const findings: Diagnostic[] = [...prescan(source)];
  const tree = parseTree(source, (at, finding) => findings.push(diagnostic(source, at, finding)));
  const parsed = { tree, findings };
  lately.unshift(parsed);
  lately.length = Math.min(lately.length, KEPT);
  return parsed;
}

function isSame(one: SourceText, other: SourceText): boolean {
  return one.file === other.file && one.text === other.text;
}

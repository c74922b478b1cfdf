/**
 * Converts YAML to plain values and finds the position of each. The parser's document is walked once: aliases
 * are followed within a budget, and surprising spellings (0x10, 1e3, .inf, two equal keys, `__proto__`)
 * become mistakes instead of values. zod checks the result; paths in its issues lead back to a position here.
 */
import type { Document, Node, Pair, YAMLError } from 'yaml';
import { isAlias, isMap, isNode, isScalar, isSeq, parseDocument, Scalar } from 'yaml';
import { LIMITS } from '../base/limits.js';
import type { Diagnostic } from '../base/errors.js';
import type { Json } from '../base/json.js';
import type { SourceFinding, SourcePosition, SourceText } from './source.js';
import { diagnostic, positionAt, scenarioError } from './source.js';
import { prescan } from './prescan.js';
import { syntaxDiagnostic } from './syntax.js';

export type YamlPath = readonly (string | number)[];

type YamlValue = Json;

export interface Tree {
  source: SourceText;
  root: Node | null;
  value: YamlValue;
  /** Aliases and their targets. */
  targets: ReadonlyMap<Node, Node>;
  /** The key in paths for one in the file, if they differ because of what was drawn. */
  drawnKey?: (written: string) => string;
}

interface TreeWalk {
  source: SourceText;
  report: (at: SourcePosition, finding: SourceFinding) => void;
  anchors: Map<string, { node: Node; value: YamlValue; size: number; height: number }>;
  targets: Map<Node, Node>;
  /** The number of values so far, including those of aliases. */
  valueCount: number;
  /** The depth of the current value. */
  depth: number;
  /** The maximum depth reached within the current value. */
  maxDepth: number;
}

/**
 * JSON's \uD83D escapes can express half of a surrogate pair, which valid text can't contain; YAML has an
 * escape for the whole character.
 */
const HALF_PAIR: SourceFinding = {
  message: 'this text contains half of a surrogate pair',
  suggestion: 'write the character itself, or its full code point: "\\U0001F511"',
};

const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype']);

export function isForbiddenKey(key: string): boolean {
  return FORBIDDEN_KEYS.has(key);
}

/**
 * The values of a text, whose mistakes are added to `findings`. Throws ScenarioError for the first syntax
 * error, because later ones only follow from it, and for text that is nested too deeply or is too long.
 */
export function parseTree(source: SourceText, findings: Diagnostic[]): Tree {
  prescan(source);
  const document = documentOf(source);
  const isAboutTag = ({ code }: YAMLError): boolean => code === 'TAG_RESOLVE_FAILED';
  const fault = document.errors.find((error) => !isAboutTag(error));
  if (fault !== undefined) throw scenarioError([syntaxDiagnostic(source, document, fault)]);
  // A value with a tag is read as if it had none, so that what follows is checked, too.
  const tags = [...document.errors, ...document.warnings].filter(isAboutTag);
  for (const { pos, message } of tags.slice(0, LIMITS.diagnosticsPrinted)) {
    const finding = { message: `YAML: ${message}`, suggestion: 'write only the value' };
    findings.push(diagnostic(source, positionAt(source, pos[0]), finding));
  }
  const walk: TreeWalk = {
    source,
    report: (at, finding) => findings.push(diagnostic(source, at, finding)),
    anchors: new Map(),
    targets: new Map(),
    valueCount: 0,
    depth: 0,
    maxDepth: 0,
  };
  const root = document.contents;
  return { source, root, value: valueOf(walk, root), targets: walk.targets };
}

function documentOf(source: SourceText): Document.Parsed {
  try {
    return parseDocument(source.text, {
      version: '1.2',
      schema: 'core',
      resolveKnownTags: false,
      uniqueKeys: false, // its check is quadratic; the walk has its own
      prettyErrors: false,
      logLevel: 'silent',
    });
  } catch (error) {
    // Long runs of empty entries still exhaust the parser's stack; nothing else is known to throw here.
    if (!(error instanceof RangeError)) throw error;
    const message = 'the text has too many empty entries';
    throw scenarioError([diagnostic(source, positionAt(source, 0), { message })]);
  }
}

function valueOf(walk: TreeWalk, node: Node | null): YamlValue {
  const before = walk.valueCount++;
  if (node === null) return null;
  if (walk.valueCount > LIMITS.yamlValues) fail(walk, node, { message: 'the scenario has too many values' });
  if (isAlias(node)) return aliasValue(walk, node);
  const depthBefore = walk.maxDepth;
  const depth = ++walk.depth;
  walk.maxDepth = depth;
  const value = isMap(node)
    ? mapValue(walk, node.items)
    : isSeq(node)
      ? node.items.map((item) => valueOf(walk, nodeOf(item)))
      : isScalar(node)
        ? scalarValue(walk, node)
        : null;
  if ('anchor' in node && typeof node.anchor === 'string') {
    walk.anchors.set(node.anchor, {
      node,
      value,
      size: walk.valueCount - before,
      height: walk.maxDepth - depth + 1,
    });
  }
  walk.depth--;
  walk.maxDepth = Math.max(depthBefore, walk.maxDepth);
  return value;
}

function aliasValue(walk: TreeWalk, node: Node & { source: string }): YamlValue {
  const anchor = walk.anchors.get(node.source);
  if (anchor === undefined) {
    return fail(walk, node, { message: `there is no anchor before the alias *${node.source}` });
  }
  walk.targets.set(node, anchor.node);
  walk.valueCount += anchor.size;
  walk.maxDepth = Math.max(walk.maxDepth, walk.depth + anchor.height);
  if (walk.maxDepth > LIMITS.yamlDepth)
    fail(walk, node, { message: `nested more than ${LIMITS.yamlDepth} deep` });
  if (walk.valueCount > LIMITS.yamlValues)
    fail(walk, node, { message: 'aliases make the scenario too large' });
  return anchor.value;
}

function mapValue(walk: TreeWalk, items: readonly Pair[]): YamlValue {
  const record: Record<string, YamlValue> = {};
  for (const pair of items) {
    const key = keyOf(pair.key);
    const value = valueOf(walk, nodeOf(pair.value));
    const at = nodeOf(pair.key) ?? nodeOf(pair.value);
    if (key === undefined)
      reportAt(walk, at, {
        message: 'a key must be a scalar, not a list or a mapping',
        ...(isMap(pair.key) ? { suggestion: `write a drawn value in quotes: "{{name}}"` } : {}),
      });
    else if (!key.isWellFormed()) reportAt(walk, at, HALF_PAIR);
    else if (isForbiddenKey(key)) reportAt(walk, at, { message: `'${key}' is not a valid key` });
    else if (key === '<<')
      reportAt(walk, at, {
        message: "the merge key '<<' is not supported",
        suggestion: 'write the keys out',
      });
    else if (Object.hasOwn(record, key))
      reportAt(walk, at, { message: `the key '${key}' is repeated`, suggestion: 'keep only one of the two' });
    else record[key] = value;
  }
  return record;
}

/** The parser's types call the contents of collections unknown; in a parsed document, they are nodes. */
function nodeOf(item: unknown): Node | null {
  return isNode(item) ? item : null;
}

/** A key is its text as written, so that `~`, `1` and `yes` stay unchanged. */
function keyOf(key: unknown): string | undefined {
  if (!isScalar(key)) return undefined;
  if (typeof key.value === 'string') return key.value;
  return key.source;
}

function scalarValue(walk: TreeWalk, node: Scalar): YamlValue {
  const { value, source = '' } = node;
  warnOfSwallowedItem(walk, node);
  if (typeof value === 'string' && !value.isWellFormed()) reportAt(walk, node, HALF_PAIR);
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value;
  const finding =
    typeof value === 'number' ? describeOddNumber(source, value) : { message: 'this value is not supported' };
  if (finding !== undefined) reportAt(walk, node, finding);
  return typeof value === 'number' && Number.isFinite(value) ? value : 0;
}

/**
 * Unquoted text continues on lines that are indented further: a list item one space too far to the right
 * becomes part of the previous one.
 */
function warnOfSwallowedItem({ source, report }: TreeWalk, node: Scalar): void {
  if (!isPlain(node) || !node.range) return;
  const [start, end] = node.range;
  const at = source.text.slice(start, end).search(/\n *- /);
  if (at === -1) return;
  const dash = source.text.indexOf('-', start + at);
  report(positionAt(source, dash), {
    severity: 'warning',
    message: 'this dash begins no list item: the line continues the previous text',
    suggestion: "begin it exactly below the previous item's dash, or put the whole text in quotes",
  });
}

/**
 * The mistake in a number that is not in plain decimal form, or that the program can't represent exactly;
 * undefined if there is none.
 */
export function describeOddNumber(source: string, value: number): SourceFinding | undefined {
  const plain = /^-?(0|[1-9]\d*)(\.\d+)?$/.test(source) && source !== '-0';
  const quoteHint = `if you mean text, put it in quotes: '${source.slice(0, 40)}'`;
  if (!Number.isFinite(value))
    return { message: `${source.slice(0, 40)} is not a supported number`, suggestion: quoteHint };
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER)
    return { message: `the number ${source.slice(0, 40)} is too large`, suggestion: quoteHint };
  if (plain) return undefined;
  return {
    message: `YAML reads ${source.slice(0, 40)} as the number ${value}`,
    suggestion: `write ${value}; ${quoteHint}`,
  };
}

function reportAt(walk: TreeWalk, node: Node | null, finding: SourceFinding): void {
  walk.report(positionAt(walk.source, node?.range?.[0] ?? 0), finding);
}

function fail(walk: TreeWalk, node: Node, finding: SourceFinding): never {
  throw scenarioError([diagnostic(walk.source, positionAt(walk.source, node.range?.[0] ?? 0), finding)]);
}

interface ReachedNode {
  /** The node at a path, or the last existing one on the way. */
  node: Node | null;
  /** The key that leads there, or further on. */
  key: Node | null;
  isComplete: boolean;
}

function follow(tree: Tree, path: YamlPath): ReachedNode {
  let node = tree.root;
  let key: Node | null = null;
  const isKey = (item: Pair, step: string): boolean => {
    const written = keyOf(item.key);
    return written === step || (written !== undefined && tree.drawnKey?.(written) === step);
  };
  for (const step of path) {
    const holder: Node | null = isAlias(node) ? (tree.targets.get(node) ?? node) : node;
    const pair = isMap(holder) ? holder.items.find((item) => isKey(item, String(step))) : undefined;
    const next = isSeq(holder) ? nodeOf(holder.items[Number(step)]) : nodeOf(pair?.value);
    key = nodeOf(pair?.key);
    if (next === null) return { node, key, isComplete: false };
    node = next;
  }
  return { node, key, isComplete: true };
}

/** The node at a path, or the last existing one on the way; with `key`, the key that leads there. */
function nodeAt(tree: Tree, path: YamlPath, options: { key: boolean }): Node | null {
  const { node, key, isComplete } = follow(tree, path);
  return key !== null && (options.key || !isComplete) ? key : node;
}

/** Whether the file has something at a path. */
export function existsAt(tree: Tree, path: YamlPath): boolean {
  return follow(tree, path).isComplete;
}

/** The position of the value at a path, or of its key; if it is missing, where it should be. */
export function positionOf(
  tree: Tree,
  path: YamlPath,
  options: { key: boolean } = { key: false },
): SourcePosition {
  const node = nodeAt(tree, path, options);
  return positionAt(tree.source, node?.range?.[0] ?? 0);
}

/** The spelling of a scalar in the file, without quotes; undefined if the path does not lead to one. */
export function scalarAt(tree: Tree, path: YamlPath): Scalar | undefined {
  const node = nodeAt(tree, path, { key: false });
  return isScalar(node) ? node : undefined;
}

/** Whether the scalar is unquoted on its line. */
export function isPlain(scalar: Scalar): boolean {
  return scalar.type === Scalar.PLAIN;
}

/**
 * Line and column of a character in a block of text (`|`): `row` and `column` count from 0 within the block.
 */
export function positionInBlock(
  tree: Tree,
  path: YamlPath,
  within: { row: number; column: number },
): SourcePosition {
  const scalar = scalarAt(tree, path);
  const start = positionOf(tree, path);
  if (scalar === undefined || scalar.type !== Scalar.BLOCK_LITERAL) return start;
  const line = start.line + 1 + within.row;
  const row = String(scalar.value).split('\n')[within.row] ?? '';
  const from = tree.source.lineStarts[line - 1];
  if (from === undefined) return start;
  const end = tree.source.lineStarts[line] ?? tree.source.text.length;
  const lineText = tree.source.text.slice(from, end).replace(/\r?\n$/, '');
  return { line, column: Math.max(0, lineText.length - row.length) + within.column + 1 };
}

/**
 * Writes the page of what the package exports, docs/reference/api.md or another FILE, after a build. The page is part of the site and of the npm package
 * and not of the repository. Exits 1 where an export has no doc comment.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { readDoors } from './lib/declarations.mjs';
import { headingId } from './lib/heading-id.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PAGE = `${ROOT}docs/reference/api.md`;
const DOORS = [
  { source: 'src/index.ts', built: 'dist/modules/index.d.ts' },
  { source: 'src/conformance/index.ts', built: 'dist/modules/conformance/index.d.ts' },
];

const INTRODUCTION = `# The API

This page lists every export of \`orchestrate-vlm\` with its declaration, grouped by task. [Use the library](../how-to/use-the-library.md) shows how to use the most important ones. The page is generated from the sources.

These conventions apply to all exports. Turns and steps count from 1. Tiles count from 0, with \`x\` to the east and \`y\` to the south. Names end in their unit (\`timeoutMs\`, \`frameTilePixels\`). Lengths of texts (\`charactersMax\`) count code points, and positions in a reply (\`Span\`) count UTF-16 units. Hashes are SHA-256 as 64 hexadecimal digits. \`readonly\` values are never changed in place.
A mistake by an agent is a \`Problem\`, which is a value. A mistake by the user is an \`OrchestrateError\`, which is thrown. Any other exception is a bug in this program.
`;

/** Pages that a comment names, as links that read as the pages are called. @param {string} words */
function linked(words) {
  return words.replace(/\bdocs\/\S+\.md\b/g, (path) => {
    const [, title] = /^# (.+)$/m.exec(readFileSync(`${ROOT}${path}`, 'utf8')) ?? [];
    return `[${title}](${posix.relative(posix.dirname('docs/reference/api.md'), path)})`;
  });
}

/** @param {string} title @param {string} words @param {readonly import('./lib/declarations.mjs').Entry[]} entries */
function section(title, words, entries) {
  const told = entries.map(({ name, comment, code }) => {
    const block = code === '' ? '' : `\n\`\`\`ts\n${code}\n\`\`\`\n`;
    return `### ${name}\n\n${linked(comment)}\n${block}`;
  });
  return `## ${title}\n\n${linked(words)}\n\n${told.join('\n')}`;
}

/** Where each heading is found: the same letters in another case are numbered. @param {readonly import('./lib/declarations.mjs').Group[]} groups */
function anchorsOf(groups) {
  const anchors = new Map();
  const taken = new Map();
  for (const heading of groups.flatMap(({ title, entries }) => [title, ...entries.map(({ name }) => name)])) {
    const letters = headingId(heading);
    const number = taken.get(letters) ?? 0;
    taken.set(letters, number + 1);
    anchors.set(heading, number === 0 ? letters : `${letters}-${number}`);
  }
  return anchors;
}

/** @param {string} words */
function fail(words) {
  process.stderr.write(`${words}\n`);
  process.exitCode = 1;
}

const { groups, named } = readDoors(ROOT, DOORS);
const silent = groups.flatMap(({ entries }) => entries.filter(({ comment }) => comment === ''));
const anchors = anchorsOf(groups);
const contents = groups.map(({ title, entries }) => {
  const names = entries.map(({ name }) => `[\`${name}\`](#${anchors.get(name)})`);
  return `- **[${title}](#${anchors.get(title)})**: ${names.join(', ')}`;
});
const sections = groups.map(({ title, words, entries }) => section(title, words, entries));
const rest = section(
  'Types that these name',
  'They are not exported; their structure is documented here.',
  named,
);
const page = [INTRODUCTION, contents.join('\n'), ...sections, rest].join('\n\n');
const written = await format(page, { ...(await resolveConfig(PAGE)), parser: 'markdown' });

for (const { name } of silent) fail(`${name} is exported without a doc comment`);
writeFileSync(process.argv[2] ?? PAGE, written);

// @ts-check
/**
 * How long the system message of each shipped scenario is (of its first agent), as a Markdown table: characters, and tokens by o200k_base where
 * gpt-tokenizer is installed (`npm i --no-save gpt-tokenizer`; the project doesn't depend on it). docs/reference/prompts.md holds the figures.
 *
 *   npm run build && node scripts/prompt-tokens.mjs [command of the program to measure, node dist/cli/main.js by default]
 */
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';

const [program = 'node', ...args] =
  process.argv.length > 2 ? process.argv.slice(2) : ['node', 'dist/cli/main.js'];

/** @returns {Promise<((text: string) => number) | null>} */
async function tokenCounter() {
  // A name that no type checker looks up: the package is not installed by default.
  const name = 'gpt-tokenizer/encoding/o200k_base';
  try {
    const { encode } = await import(name);
    return (text) => encode(text).length;
  } catch {
    return null;
  }
}

/** @param {string} scenario */
function systemMessage(scenario) {
  const asked = ['preview', scenario, '--messages', '--json', '--guided', 'off'];
  const body = JSON.parse(execFileSync(program, [...args, ...asked], { encoding: 'utf8' }));
  return body.messages[0].content;
}

const tokensIn = await tokenCounter();
const counts = readdirSync('scenarios')
  .filter((name) => name.endsWith('.yaml'))
  .toSorted()
  .map((name) => {
    const text = systemMessage(`scenarios/${name}`);
    return { name, characters: text.length, tokens: tokensIn?.(text) ?? 0 };
  });
counts.push({
  name: 'all',
  characters: counts.reduce((sum, one) => sum + one.characters, 0),
  tokens: counts.reduce((sum, one) => sum + one.tokens, 0),
});

const rows = counts.map(({ name, characters, tokens }) => [
  name.replace('.yaml', ''),
  String(characters),
  ...(tokensIn === null ? [] : [String(tokens)]),
]);
const heading = ['scenario', 'characters', ...(tokensIn === null ? [] : ['tokens'])];
for (const row of [heading, heading.map(() => '---'), ...rows]) console.log(`| ${row.join(' | ')} |`);

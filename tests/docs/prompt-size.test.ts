/** The system messages of the shipped scenarios stay short: docs/reference/prompts.md tells by how much they became so. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { orchestrate } from '../support/captured-io.js';

/** Scenarios that were shipped later have no length from before. */
const LATER = ['berries.yaml', 'one-glance.yaml', 'three-keys.yaml'];

/** Characters of the twelve messages with the wording of prompts 2; tokens go with them. */
const BEFORE = 32_576;
const SCENARIOS = readdirSync('scenarios').filter((name) => name.endsWith('.yaml'));

async function systemMessage(name: string): Promise<string> {
  const asked = ['preview', `scenarios/${name}`, '--messages', '--json', '--guided', 'off'];
  const body = JSON.parse((await orchestrate(asked, {})).out) as {
    readonly messages: readonly [{ readonly content: string }];
  };
  return body.messages[0].content;
}

it('the twelve system messages have at most three quarters of the characters that they had', async () => {
  const compared = SCENARIOS.filter((name) => !LATER.includes(name));
  const lengths = await Promise.all(compared.map(async (name) => (await systemMessage(name)).length));
  const whole = lengths.reduce((sum, length) => sum + length, 0);
  expect(compared).toHaveLength(12);
  expect(whole).toBeLessThan(BEFORE * 0.75);
});

it('docs/reference/prompts.md tells of each shipped scenario how many tokens it has', () => {
  const page = readFileSync('docs/reference/prompts.md', 'utf8');
  for (const name of SCENARIOS)
    expect(page).toMatch(new RegExp(`\\| \`${name.replace('.yaml', '')}\` +\\| `));
});

it('an agent that is alone is told of no others', async () => {
  const [alone, several] = await Promise.all(['lever-gate.yaml', 'crypt.yaml'].map(systemMessage));
  expect(alone).not.toMatch(/other (characters|robots)|shared with/i);
  expect(several).toContain('Other characters act in the same world.');
});

/** The system messages of the shipped scenarios stay short: each verb, and what all of them share, has its budget. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { OTHERS, PICTURE_GUIDE, SYSTEM_TEMPLATE } from '../../src/agent/templates.js';
import { openScenario } from '../../src/assembly/open.js';
import { vocabularyOf } from '../../src/assembly/seats.js';
import { briefVocabulary } from '../../src/forms/brief.js';
import type { Vocabulary } from '../../src/forms/vocabulary.js';
import { protocolOf } from '../../src/parse/protocols.js';
import { openScenarioFile } from '../../src/scenario/folder.js';
import { PROTOCOL_NAMES } from '../../src/scenario/scenario.js';
import { MODULES } from '../../src/worlds/registry.js';
import { orchestrate } from '../support/captured-io.js';

const SCENARIOS = readdirSync('scenarios').filter((name) => name.endsWith('.yaml'));

async function systemMessage(name: string): Promise<string> {
  const asked = ['preview', `scenarios/${name}`, '--messages', '--json', '--guided', 'off'];
  const body = JSON.parse((await orchestrate(asked, {})).out) as {
    messages: readonly [{ content: string }];
  };
  return body.messages[0].content;
}

/** Characters; tokens go with them. */
const BUDGET = {
  /** What one verb adds to the answer format of a prompt, the most and on average. */
  verb: 300,
  verbOnAverage: 90,
  /** The answer format without its verbs. */
  format: 350,
  /** All that the system message has beside the answer format and the words of the scenario. */
  frame: 560,
};

/** By protocol and verb: what the verb adds to the answer format, the most in any shipped scenario. */
async function verbCosts(): Promise<{
  verbs: ReadonlyMap<string, number>;
  formats: readonly number[];
}> {
  const verbs = new Map<string, number>();
  const formats: number[] = [];
  for (const name of SCENARIOS) {
    const { scenario, environment } = await openScenario(openScenarioFile(`scenarios/${name}`), {
      modules: MODULES,
    });
    for (const { id } of scenario.agents)
      for (const protocol of PROTOCOL_NAMES) {
        const vocabulary = briefVocabulary(vocabularyOf(environment, id));
        const length = (verbsShown: Vocabulary): number =>
          protocolOf(protocol).instructions(verbsShown, { reasoning: true, offers: true }).length;
        const whole = length(vocabulary);
        const costs = vocabulary.map((verb) => whole - length(vocabulary.filter((one) => one !== verb)));
        for (const [i, verb] of vocabulary.entries()) {
          const key = `${protocol} ${verb.name}`;
          verbs.set(key, Math.max(verbs.get(key) ?? 0, costs[i] ?? 0));
        }
        formats.push(whole - costs.reduce((sum, cost) => sum + cost, 0));
      }
  }
  return { verbs, formats };
}

it('a verb has a budget of its own, and so has what all prompts share: a new verb costs no other one', async () => {
  const { verbs, formats } = await verbCosts();
  expect([...verbs].filter(([, cost]) => cost > BUDGET.verb)).toEqual([]);
  const costs = [...verbs.values()];
  expect(costs.reduce((sum, cost) => sum + cost, 0) / costs.length).toBeLessThan(BUDGET.verbOnAverage);
  expect(Math.max(...formats)).toBeLessThan(BUDGET.format);
  expect([SYSTEM_TEMPLATE, OTHERS, PICTURE_GUIDE].join('').length).toBeLessThan(BUDGET.frame);
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

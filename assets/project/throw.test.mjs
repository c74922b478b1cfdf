// The promises that every action keeps, and what yours is for. Run with `npm test`.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gridWith, openScenario, runScenario, scenarioFile } from 'orchestrate-vlm';
import { actionSuite } from 'orchestrate-vlm/conformance';
import { actions } from './throw.mjs';

const modules = [gridWith(...actions)];
const { environment } = await openScenario(scenarioFile('scenario.yaml'), { modules });

const suite = actionSuite({
  action: 'THROW',
  open: () => environment,
  // Leads to where it can be done.
  before: [{ agent: 'ada', action: 'TAKE', args: { thing: 'ball' } }],
});
for (const { name, run } of suite) test(`THROW: ${name}`, run);

test('a ball flies over the stream', async () => {
  const { end } = await runScenario('scenario.yaml', { modules });
  assert.equal(end.status, 'succeeded');
});

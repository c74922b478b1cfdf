/** A scenario's own templates: what they name must exist, and mistakes are told in their own file. */
import { expect, test } from 'vitest';
import { SYSTEM_TEMPLATE, SYSTEM_TEMPLATE_TEXT, TURN_TEMPLATE } from '../../src/agent/templates.js';
import { SECTION_IDS } from '../../src/worlds/grid/sections.js';
import { BASE, diagnose } from './support.js';

const told = (system: string, turn: string, path = 'test.yaml', more = '') =>
  diagnose(`${BASE}${more}prompt: { templates: { system: words/system.txt, turn: words/turn.txt } }\n`, {
    files: { 'words/system.txt': system, 'words/turn.txt': turn },
    path,
  });

test('the built-in wording is right', () => {
  expect(told(SYSTEM_TEMPLATE, TURN_TEMPLATE)).toEqual([]);
  expect(told(SYSTEM_TEMPLATE_TEXT, TURN_TEMPLATE)).toEqual([]);
});

test('a place that does not exist is told at its line and column of the template', () => {
  const found = told(
    `${SYSTEM_TEMPLATE}\n{{turn}}`,
    'Turn {{turn}}.\n\nYou: {{acitons}} {{actions}}{{problem}}',
  );
  expect(found).toMatchObject([
    { severity: 'error', file: 'words/system.txt', column: 1, source: '{{turn}}' },
    {
      severity: 'error',
      file: 'words/turn.txt',
      line: 3,
      column: 6,
      message: "unknown placeholder 'acitons' in the turn template",
      suggestion: "did you mean 'actions'?",
      source: 'You: {{acitons}} {{actions}}{{problem}}',
    },
  ]);
  expect(found[0]?.suggestion).toBe(
    'known: answer_format, goals, name, others, persona, picture, scenario_rules',
  );
});

test.each(['{{ turn }}', '{{Turn}}', '{{turns}}'])(
  '%s is no place, and the right one is suggested',
  (place) => {
    const [found] = told(SYSTEM_TEMPLATE, `${TURN_TEMPLATE}${place}`, 'some/where/test.yaml');
    expect(found).toMatchObject({ file: 'some/where/words/turn.txt', suggestion: "did you mean 'turn'?" });
  },
);

test('each section of the environment has a place, in a turn only', () => {
  const places = [...SECTION_IDS, 'numbers'].map((id) => `{{${id}}}`).join('\n');
  expect(told(SYSTEM_TEMPLATE, `${TURN_TEMPLATE}\n${places}`)).toEqual([]);
  expect(told(`${SYSTEM_TEMPLATE}\n${places}`, TURN_TEMPLATE)).toHaveLength(SECTION_IDS.length + 1);
});

test('a template that leaves an agent in the dark is a warning', () => {
  const found = told('You are {{name}}.', '{{sections}}');
  expect(found).toMatchObject([
    {
      severity: 'warning',
      file: 'words/system.txt',
      message: expect.stringContaining('lacks {{answer_format}}'),
    },
    { severity: 'warning', file: 'words/turn.txt', message: expect.stringContaining('lacks {{actions}}') },
    { severity: 'warning', file: 'words/turn.txt', message: expect.stringContaining('lacks {{problem}}') },
  ]);
});

test.each([
  ['require', 0],
  ['auto', 1],
])('with guided: %s, an answer whose form nobody is told is %i warning', (guided, count) => {
  const models = `models: { main: { base_url: "http://localhost/v1", guided: ${guided} } }\n`;
  const system = SYSTEM_TEMPLATE.replaceAll('{{answer_format}}', '');
  const found = told(system, TURN_TEMPLATE, 'test.yaml', models);
  expect(found.filter(({ message }) => message.includes('answer_format'))).toHaveLength(count);
});

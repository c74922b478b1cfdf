/** What ships loads without a warning, uses only tiles that exist, and needs no server as it stands. */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { openScenarioFile } from '../../src/scenario/folder.js';
import { loadScenario } from '../../src/scenario/load.js';
import { ownSprites } from './support.js';
import { READERS } from '../../src/worlds/registry.js';

const NAMES = [
  'crypt',
  'brass-key',
  'two-keepers',
  'watchman',
  'lever-gate',
  'door-puzzle',
  'three-keys',
  'lost-ring',
  'high-water',
  'berries',
  'car-repair',
  'two-robots',
  'one-glance',
  'react',
  'files',
];

describe.each(NAMES)('%s', (name) => {
  const path = `scenarios/${name}.yaml`;
  const known = existsSync('assets/tileset.json') ? { sprites: ownSprites() } : {};

  test('loads without a warning', () => {
    const { scenario, warnings, source } = loadScenario(openScenarioFile(path), () => undefined, {
      known,
      worlds: READERS,
    });
    expect(warnings).toEqual([]);
    expect(scenario.name).toBe(name);
    expect(source).toBe(readFileSync(path, 'utf8'));
  });

  test('is played by the built-in player, and names a model to switch to', () => {
    const { scenario } = loadScenario(openScenarioFile(path), () => 'http://gpu:8000/v1', {
      known,
      worlds: READERS,
    });
    expect(scenario.agents.map(({ controller }) => controller.kind)).not.toContain('model');
    expect(scenario.models['main']?.baseUrl).toBe('http://gpu:8000/v1');
  });

  test('tells editors its schema', () => {
    expect(readFileSync(path, 'utf8').split('\n')[0]).toBe(
      '# yaml-language-server: $schema=../schema/scenario.schema.json',
    );
  });
});

test('the crypt stands as the demonstration asks', () => {
  const { definition } = loadScenario(openScenarioFile('scenarios/crypt.yaml'), () => undefined, {
    worlds: READERS,
  }).scenario;
  expect(definition).toMatchObject({
    size: { width: 20, height: 15 },
    agents: [
      { id: 'wizard', x: 4, y: 7 },
      { id: 'blacksmith', x: 18, y: 5 },
      { id: 'knight', x: 18, y: 10 },
    ],
  });
});

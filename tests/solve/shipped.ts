/** A shipped scenario opened for the solver: its environment, first position and rules of the turn. */
import { readFileSync } from 'node:fs';
import { openScenario } from '../../src/assembly/open.js';
import type { Environment } from '../../src/environment/environment.js';
import type { SolveOptions } from '../../src/solve/solve.js';

export interface Puzzle {
  environment: Environment<unknown>;
  start: { state: unknown; turn: number };
  options: SolveOptions;
}

/** `text` is YAML, or the path of a file that ends in .yaml. */
export async function puzzle(text: string, effort: number): Promise<Puzzle> {
  const path = text.endsWith('.yaml') ? text : 'test.yaml';
  const content = path === text ? readFileSync(path, 'utf8') : text;
  const { scenario, environment } = await openScenario({ path, content, readFile: refuse });
  const { order, max, freeActs } = scenario.turns;
  return {
    environment,
    start: { state: environment.create(scenario.seed), turn: 1 },
    options: { order, turnsMax: max, freeActs, effort },
  };
}

function refuse(): Uint8Array {
  throw new Error('there is no such file');
}

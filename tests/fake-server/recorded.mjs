// @ts-check
/**
 * Answers that a real vLLM gave, as files: `npm run test:vllm -- --record` writes them, the fake server plays them again. So ordinary tests read what a
 * server truly says, refusals in its own words among them.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { status } from './behaviours.mjs';

const FOLDER = fileURLToPath(new URL('../fixtures/vllm', import.meta.url));

/** @typedef {{ server: string, status: number, body: unknown }} Answer  `server` names program and version */

/** Without endings. */
export function recordedNames() {
  return readdirSync(FOLDER)
    .map((file) => file.replace(/\.json$/, ''))
    .toSorted();
}

/** @param {string} name @returns {Answer} */
export function recordedAnswer(name) {
  return JSON.parse(readFileSync(join(FOLDER, `${name}.json`), 'utf8'));
}

/** @param {string} name @returns {import('./behaviours.mjs').Behaviour} */
export function recorded(name) {
  const answer = recordedAnswer(name);
  return status(answer.status, answer.body);
}

/** @param {string} name @param {Answer} answer */
export function record(name, answer) {
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, `${name}.json`), `${JSON.stringify(answer, null, 2)}\n`);
}

// @ts-check
/** Where the packages live that the examples for other platforms need: a virtual environment for each in the user's cache folder, shared by every checkout. */
import { fileURLToPath } from 'node:url';
import { foundEnvironment, madeEnvironment } from './vllm-place.mjs';

export const EXAMPLES = /** @type {const} */ (['openenv', 'verifiers']);

/** @typedef {(typeof EXAMPLES)[number]} Example */

/** @param {Example} example */
const named = (example) =>
  /** @type {const} */ ([
    `example-${example}`,
    [fileURLToPath(new URL(`../../tests/examples/pinned/${example}.txt`, import.meta.url))],
  ]);

/** Its python, after the environment was made where it was not there. Throws where that fails. @param {Example} example */
export const madeExamplePython = (example) => madeEnvironment(...named(example));

/** Its python; null where `node scripts/python-examples.mjs` was not run. @param {Example} example */
export const examplePython = (example) => foundEnvironment(...named(example));

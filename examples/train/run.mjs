// @ts-check
/** Runs programs: shows what is run, as a line that can be typed, and fails where the program does. */
import { execFileSync, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';

/**
 * @param {string} program
 * @param {readonly string[]} words
 * @param {{ shown: readonly string[], env?: Record<string, string>, log?: string | null }} options  `log`: a file for what it prints
 * @returns {Promise<void>}
 */
export function run(program, words, { shown, env = {}, log = null }) {
  console.log(`$ ${shown.join(' ')}`);
  const file = log === null ? null : openSync(log, 'a');
  const output = file ?? 'inherit';
  const child = spawn(program, [...words], {
    stdio: ['ignore', output, output],
    env: { ...process.env, ...env },
  });
  return new Promise((done, failed) => {
    child.once('error', failed).once('close', (code, signal) => {
      if (file !== null) closeSync(file);
      if (code === 0) return done();
      const where = log === null ? '' : `; its output is in ${log}`;
      failed(new Error(`${shown[0]} ${shown[1]} ended with ${code ?? signal}${where}`));
    });
  });
}

/** What a program prints. @param {string} program @param {readonly string[]} words */
export function printed(program, words) {
  return execFileSync(program, [...words], {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}

/** Carries out for each item, `width` at a time. @template T @param {number} width @param {readonly T[]} items @param {(item: T) => Promise<unknown>} carryOut */
export async function atOnce(width, items, carryOut) {
  const left = [...items];
  const worker = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await carryOut(item);
  };
  await Promise.all(Array.from({ length: width }, worker));
}

/** Chains of a run in a log, made again from what the log holds. */
import type { LogReader } from '../../src/log/reader.js';
import { genesis, stepChain, stepContent } from '../../src/trajectory/chain.js';

/** The chain of every step, made again by its definition from what the log holds, whatever the program's words are today. */
export function chainsOf(
  reader: LogReader,
  runId: string,
): readonly (readonly [stored: string, made: string])[] {
  const { scenario, seed, versions, genesisHash } = reader.run(runId);
  const first = genesis({ scenario, seed, rules: versions.rules, log: versions.log });
  let chain = first;
  const chains: (readonly [string, string])[] = [[genesisHash, first]];
  for (const step of reader.steps(runId)) {
    const made = reader.calls(runId, step.step);
    const calls = step.calls.flatMap((number) => made.filter(({ request }) => request.call === number));
    chain = stepChain(chain, stepContent(step, calls));
    chains.push([step.chain, chain]);
  }
  return chains;
}

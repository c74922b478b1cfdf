/** A served world for one test: its scenario's text goes in; the world and clients of it come out, and both end with the test. */
import { onTestFinished } from 'vitest';
import type { ScenarioSource } from '../../src/scenario/folder.js';
import { clientsOf, served } from '../serve/served.js';
import type { Clients, Served, ServedOptions } from '../serve/served.js';
import { temporaryFolder } from './folder.js';

export async function servedWorld(
  source: ScenarioSource,
  options: ServedOptions = {},
): Promise<Served & Clients> {
  const one = await served(source, temporaryFolder(), options);
  onTestFinished(() => one.close());
  return { ...one, ...clientsOf(one.address) };
}

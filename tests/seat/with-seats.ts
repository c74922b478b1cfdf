/** A served world for a test, with the page on which people play, as `serve` has it. */
import { pageHeaders, readPageFiles, seatHtml } from '../../src/view/html.js';
import type { ScenarioSource } from '../../src/scenario/folder.js';
import { temporaryFolder } from '../support/folder.js';
import { served } from '../serve/served.js';
import type { Served, ServedOptions } from '../serve/served.js';

export function withSeats(source: ScenarioSource, options: ServedOptions = {}): Promise<Served> {
  const files = readPageFiles('seat');
  const pages = new Map([['/seat', { html: seatHtml(files), headers: pageHeaders(files) }]]);
  return served(source, temporaryFolder(), { ...options, pages });
}

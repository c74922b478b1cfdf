/** The formats by name. A new one is a file beside this and a line in the list. */
import type { Format } from '../format.js';
import { jsonl } from './jsonl.js';
import { openai, trl } from './openai.js';

export const FORMATS: readonly Format[] = [jsonl, openai, trl];

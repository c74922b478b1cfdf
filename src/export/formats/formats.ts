/** The formats by name. A new format is a file in this folder and a line in the list. */
import type { ExportFormat } from '../format.js';
import { agentTraces } from './agent-traces.js';
import { atif } from './atif.js';
import { coco } from './coco.js';
import { frames, imagefolder } from './folders.js';
import { jsonl } from './jsonl.js';
import { labels } from './labels.js';
import { llamaFactory, llava } from './llava.js';
import { openai } from './openai.js';
import { trl } from './trl.js';
import { parquet } from './parquet.js';
import { preference } from './preference.js';
import { qa } from './qa.js';
import { webdataset } from './webdataset.js';

export const FORMATS: readonly ExportFormat[] = [
  jsonl,
  openai,
  trl,
  parquet,
  webdataset,
  imagefolder,
  llava,
  llamaFactory,
  preference,
  labels,
  coco,
  qa,
  frames,
  atif,
  agentTraces,
];

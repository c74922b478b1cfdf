/**
 * The protocol `json`: a brief thought, then one JSON object `{"name": "…", "parameters": {…}}`. The object
 * is found in any prose by its balanced braces; the last one that names an action counts.
 */
import { jsonForm } from '../forms/json-form.js';
import type { Vocabulary } from '../forms/vocabulary.js';
import type { ReplyText } from './page.js';
import { pageOf } from './page.js';
import type { Protocol, ReplyOrigin } from './protocol.js';
import type { ReplyReading } from './reading.js';
import { refusedReading } from './reading.js';
import { toolCallProblem } from './shapes.js';
import { readCalls } from './text-calls.js';

export const jsonProtocol: Protocol = { ...jsonForm, read };

const ENDING = 'End your reply with one JSON object: {"name": "<action>", "parameters": {…}}.';

function read(reply: ReplyText, vocabulary: Vocabulary, origin?: ReplyOrigin): ReplyReading {
  const pageReading = pageOf(reply, ENDING);
  if (!pageReading.ok) return refusedReading(pageReading.problem);
  if (reply.toolCalls.length > 0) return refusedReading(toolCallProblem(ENDING));
  return readCalls(pageReading.page, vocabulary, {
    rung: 'object',
    ending: ENDING,
    shownLines: origin?.shownLines,
  });
}

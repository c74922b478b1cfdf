/**
 * `doctor`'s test of guided decoding and tool calls: one small request for each constraint that this kind of
 * server supports (one that no model would satisfy by itself), and one for native tool calls. None of these
 * findings is an error, because a run can do without all of this.
 */
import { ModelError } from '../base/errors.js';
import { oneLine } from '../base/text.js';
import type { ModelSpec } from '../scenario/scenario.js';
import type { Message, Reply, RequestForm } from './chat.js';
import { CONSTRAINT_FIELDS, constraintWays } from './capabilities.js';
import type { ConstraintWay, ServerKind } from './capabilities.js';
import { fieldsFor } from './constraint.js';
import type { Dependencies } from './dependencies.js';
import type { ServerFinding, KnownPicture } from './finding.js';
import { satisfiesConstraint } from './guided-check.js';
import { openChatModel } from './openai.js';

export interface FormTrial {
  /** With the model named. */
  spec: ModelSpec;
  kind: ServerKind | null;
  dependencies: Dependencies;
  /** Sent with every request, as in a run. */
  picture: KnownPicture;
  signal: AbortSignal;
}

const TOOL = 'choose_word';
/** No model would give one of these answers to the question unless the server enforces it. */
const CHOICE = ['marzipan', 'gravel'];
const WORD = { type: 'object', properties: { word: { enum: CHOICE } }, required: ['word'] };
const GUIDED_FORM = {
  regex: `(${CHOICE.join('|')})`,
  gbnf: `root ::= ${CHOICE.map((word) => `"${word}"`).join(' | ')}`,
  schema: { ...WORD, additionalProperties: false },
};
const WORDS_FORM: RequestForm = { tools: [], guided: GUIDED_FORM };
const TOOL_FORM: RequestForm = {
  tools: [{ name: TOOL, description: 'Chooses a word.', parameters: WORD }],
  guided: null,
};

const QUESTION = 'What is two and two? Answer with the number.';
const REQUEST = `Call the tool ${TOOL} with the word "gravel".`;

/**
 * A line for each way to constrain, in the table's order, and one for tool calls. Throws AbortError on
 * signal.
 */
export async function tryForms(trial: FormTrial): Promise<readonly ServerFinding[]> {
  const findings: ServerFinding[] = [];
  for (const way of constraintWays(trial.kind)) findings.push(await tryWay(trial, way));
  findings.push(await tryTools(trial));
  return findings;
}

async function tryWay(trial: FormTrial, way: ConstraintWay): Promise<ServerFinding> {
  const request = requestFor(way);
  const finding = (status: ServerFinding['status'], text: string): ServerFinding => ({
    about: 'guided',
    status,
    text: `${way.name} ${text}`,
    hints: [],
  });
  const reply = await answer(trial, { ...request, question: QUESTION });
  if (reply instanceof ModelError) return finding('warn', `is refused: ${reply.message}`);
  if (reply.finishReason !== 'stop' && reply.finishReason !== 'tool_calls')
    return finding(
      'warn',
      `can't be judged: the answer has the finish reason ${reply.finishReason ?? 'null'}`,
    );
  const isHonoured = satisfiesConstraint(way.language, request.form, reply);
  return isHonoured ? finding('ok', 'is honoured') : finding('warn', `is ignored: ${describeAnswer(reply)}`);
}

/**
 * A required tool call is sent as a run sends it. Each way to constrain text is tried by itself; a run uses
 * only the first.
 */
function requestFor(way: ConstraintWay): Omit<FormQuestion, 'question'> {
  if (way.language === 'tools') return { fields: {}, form: TOOL_FORM, guided: 'require' };
  return { fields: fieldsFor(way, GUIDED_FORM[way.language]), form: WORDS_FORM, guided: 'off' };
}

async function tryTools(trial: FormTrial): Promise<ServerFinding> {
  const finding = (text: string, hints: readonly string[]): ServerFinding => ({
    about: 'tools',
    status: 'warn',
    text,
    hints,
  });
  const reply = await answer(trial, { fields: {}, form: TOOL_FORM, guided: 'off', question: REQUEST });
  if (reply instanceof ModelError) return finding(`tools are refused: ${reply.message}`, reply.hints);
  if (reply.toolCalls.some(({ name }) => name === TOOL))
    return { about: 'tools', status: 'ok', text: 'the server returns native tool calls', hints: [] };
  const isWritten = reply.content.includes(TOOL);
  return finding(
    isWritten
      ? `tool calls are returned as text: ${describeAnswer(reply)}`
      : `no tool was called: ${describeAnswer(reply)}`,
    ["use a protocol other than `tools`, or turn on the server's tool call parser"],
  );
}

interface FormQuestion {
  fields: ModelSpec['extra'];
  form: RequestForm;
  guided: ModelSpec['guided'];
  question: string;
}

/** The reply, or the reason why there was none. */
async function answer(trial: FormTrial, request: FormQuestion): Promise<Reply | ModelError> {
  const { spec, dependencies, picture, signal } = trial;
  const userFields = Object.entries(spec.extra).filter(([field]) => !CONSTRAINT_FIELDS.includes(field));
  const extra = { ...Object.fromEntries(userFields), ...request.fields };
  const client = openChatModel({ ...spec, guided: request.guided, retries: 0, extra }, dependencies);
  const { png, frameHash } = picture;
  const parts = [
    { kind: 'text', text: request.question } as const,
    { kind: 'image', png, frameHash } as const,
  ];
  const messages: readonly Message[] = [{ role: 'user', parts }];
  try {
    return await client.complete(messages, signal, request.form.tools.length > 0 ? request.form : undefined);
  } catch (error) {
    if (error instanceof ModelError) return error;
    throw error;
  }
}

function describeAnswer({ content }: Reply): string {
  return content === '' ? 'its answer was empty' : `it answered ${JSON.stringify(oneLine(content, 100))}`;
}

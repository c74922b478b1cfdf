/**
 * An interview: a question about one step, put to the agent's model after the run. The request consists of
 * that step's exact request, the reply, and the question. The answer is a separate call in the same log,
 * after the run's end: it belongs to no session, step or chain. So, like a run, it needs exclusive access to
 * the log.
 */
import { known } from '../base/assert.js';
import { errorMessage, UsageError } from '../base/errors.js';
import { WORLD_ID } from '../base/ids.js';
import { LIMITS } from '../base/limits.js';
import { lookUp } from '../base/look-up.js';
import { breakControlTokens } from '../base/text.js';
import { NO_ACTION } from '../agent/templates.js';
import { modelController } from '../agent/controllers/model.js';
import type { CallEnd, CallRequest, LoggedCall } from '../trajectory/records.js';
import { LogWriter } from '../log/writer.js';
import type { Message, Reply } from '../model/chat.js';
import { FREE_FORM } from '../model/chat.js';
import { systemDependencies } from '../model/dependencies.js';
import type { KeyAddresses } from '../model/keys.js';
import { openChatModel } from '../model/openai.js';
import { withLogReader } from './claimed-run.js';
import type { ModelSpec, Scenario } from '../scenario/scenario.js';
import { defaultModel } from '../scenario/settings.js';

/** A question about a step of a log. */
export interface InterviewOptions {
  /** Path of the log. */
  log: string;
  runId: string;
  /** From 1. */
  step: number;
  /** The agent of the step; null for any agent. */
  agent: string | null;
  question: string;
  /** Used instead of the address of the agent's model; needed for an agent that was not played by a model. */
  baseUrl?: string | undefined;
  /** Used instead of the agent's model. */
  model?: string | undefined;
  /** Where the server's key is looked up; nowhere by default. */
  variables?: (name: string) => string | undefined;
  /** Addresses that a key may be sent to, by the variable that holds it, as in `PlayOptions`. */
  keys?: KeyAddresses;
  signal?: AbortSignal;
}

/**
 * Asks the question and logs the answer. Throws UsageError if there is no agent or step to ask about,
 * ModelError if the server can't be used (the call is logged as failed), StorageError if the log can't be
 * written or another process writes it.
 */
export async function interview(options: InterviewOptions): Promise<LoggedCall> {
  const subject = subjectOf(options);
  const signal = options.signal ?? new AbortController().signal;
  const model = openChatModel(
    subject.spec,
    systemDependencies(options.variables ?? (() => undefined), options.keys),
  );
  await model.prepare(signal);
  const controller = modelController(subject.modelName, model);
  const writer = new LogWriter(options.log);
  try {
    // Called only when no other process is writing.
    const call = withLogReader(options.log, (reader) => reader.nextCall(options.runId));
    // The request of a step, the reply given to it, and the question.
    const messages: readonly Message[] = [
      ...subject.request.messages,
      { role: 'assistant', parts: [{ kind: 'text', text: replyText(subject.reply) }] },
      {
        role: 'user',
        parts: [
          { kind: 'text', text: NO_ACTION },
          { kind: 'text', text: options.question },
        ],
      },
    ];
    const request: CallRequest = {
      ...subject.request,
      call,
      attempt: 1,
      purpose: 'interview',
      controller: controller.name,
      messages,
      settings: controller.settings?.(FREE_FORM) ?? null,
      startedAt: Date.now(),
    };
    writer.request(request, true);
    const reply = await model.complete(messages, signal).catch((error: unknown) => {
      writer.reply(options.runId, call, { kind: 'failed', error: errorMessage(error) }, true);
      throw error;
    });
    const end: CallEnd = { kind: 'replied', reply, memory: null };
    writer.reply(options.runId, call, end, true);
    return { request, end };
  } finally {
    writer.close();
  }
}

/** The model that an interview asks. Throws UsageError if there is no agent or step to ask about. */
export function interviewModel(options: InterviewOptions): ModelSpec {
  return subjectOf(options).spec;
}

function replyText({ content, toolCalls }: Reply): string {
  const calls = toolCalls.map((call) => `${call.name} ${call.arguments}`);
  const text = [content.trim(), ...calls].filter((part) => part !== '').join('\n');
  return text === '' ? '(no answer)' : breakControlTokens(text);
}

interface InterviewedCall {
  request: CallRequest;
  reply: Reply;
  spec: ModelSpec;
  modelName: string;
}

function subjectOf(options: InterviewOptions): InterviewedCall {
  const { runId, step: stepNumber, question } = options;
  if (question.trim() === '' || Array.from(question).length > LIMITS.questionCharacters)
    throw new UsageError(`a question must have 1 to ${LIMITS.questionCharacters} characters`);
  return withLogReader(options.log, (reader) => {
    const step = reader.step(runId, stepNumber);
    if (step === null) throw new UsageError(`the run has no step ${stepNumber}`);
    if (step.agent === WORLD_ID)
      throw new UsageError(`no agent acts in step ${stepNumber}: it is a step of the world`, [
        'choose a step of an agent: orchestrate show lists them',
      ]);
    if (options.agent !== null && options.agent !== step.agent)
      throw new UsageError(`step ${stepNumber} is ${step.agent}'s, not ${options.agent}'s`, [
        `pass --agent ${step.agent}, or choose another step`,
      ]);
    const lastCall = reader
      .calls(runId, stepNumber)
      .findLast(({ request }) => step.calls.includes(request.call));
    if (lastCall?.end?.kind !== 'replied')
      throw new UsageError(`no controller was called in step ${stepNumber}`);
    const answerer = answeringModel(reader.run(runId).scenario, step.agent, options);
    return { request: lastCall.request, reply: lastCall.end.reply, ...answerer };
  });
}

/** The model that answers: the agent's own, as stored in the log, with the given changes. */
function answeringModel(
  { agents, models }: Scenario,
  agent: string,
  { baseUrl, model }: Pick<InterviewOptions, 'baseUrl' | 'model'>,
): Pick<InterviewedCall, 'spec' | 'modelName'> {
  const { controller } = known(
    agents.find(({ id }) => id === agent),
    `the agent ${agent}`,
  );
  const ownModel = controller.kind === 'model' ? lookUp(models, controller.model) : undefined;
  if (ownModel === undefined && baseUrl === undefined && model === undefined)
    throw new UsageError(
      `${agent} was played by the controller ${controller.kind}, not by a model, so it can't answer questions`,
      ['choose a server whose model answers instead: --base-url http://localhost:8000/v1'],
    );
  const spec = ownModel ?? Object.values(models)[0] ?? defaultModel();
  return {
    spec: { ...spec, baseUrl: baseUrl ?? spec.baseUrl, model: model ?? spec.model },
    modelName: controller.kind === 'model' ? controller.model : 'interview',
  };
}

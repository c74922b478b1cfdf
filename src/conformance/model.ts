/**
 * The promises of a model behind a server, as checks: it is reachable, answers properly, sees pictures, stops
 * on abort, and fails with typed errors. Each sends at most one small request.
 */
import { randomInt } from 'node:crypto';
import { builtInTileset } from '../assembly/tilesets.js';
import { ModelError } from '../base/errors.js';
import type { Message, MessagePart, Reply } from '../model/chat.js';
import { systemDependencies } from '../model/dependencies.js';
import { verdict } from '../model/doctor.js';
import { openChatModel } from '../model/openai.js';
import type { OpenChatModel } from '../model/openai.js';
import { numberPicture } from '../render/test-picture.js';
import type { ModelSpec } from '../scenario/scenario.js';
import { defaultModel } from '../scenario/settings.js';
import type { ConformanceCheck } from './check.js';
import { demand } from './check.js';
import { demandReply } from './controller.js';
import { inTime } from './time-limit.js';

/** A model to check; omitted settings have the same defaults as in a scenario. */
export interface ModelUnderTest extends Partial<Omit<ModelSpec, 'baseUrl'>> {
  /** The address of the server; ends in /v1. */
  baseUrl: string;
  /** Where the key is looked up by the name in `apiKeyEnv`; nowhere by default. */
  variables?: (name: string) => string | undefined;
}

/** The checks that a model must pass to play. */
export function modelSuite({ variables, ...settings }: ModelUnderTest): readonly ConformanceCheck[] {
  const spec: ModelSpec = { ...defaultModel(), ...settings };
  const { apiKeyEnv, baseUrl } = spec;
  const keys = apiKeyEnv === null ? {} : { [apiKeyEnv]: [baseUrl] };
  const dependencies = systemDependencies(variables ?? (() => undefined), keys);
  const openModel = async (changes: Partial<ModelSpec> = {}): Promise<OpenChatModel> => {
    const model = openChatModel({ ...spec, ...changes }, dependencies);
    await model.prepare(NEVER);
    return model;
  };
  return [
    { name: 'it is reachable', run: async () => void (await openModel()) },
    {
      name: 'it gives a complete reply',
      run: async () => demandReply(await complete(await openModel(), [text('Answer with the word yes.')])),
    },
    { name: 'it sees a picture', run: async () => checkVision(await openModel()) },
    {
      name: 'it stops when it is aborted',
      run: async () => checkAbort(await openModel(), spec.timeoutMs),
    },
    {
      name: 'failures are typed errors',
      run: async () => {
        const model = openChatModel({ ...spec, model: 'no-such-model', retries: 0 }, dependencies);
        const error = await complete(model, [text('Answer with the word yes.')]).catch((one: unknown) => one);
        demand(
          error instanceof ModelError,
          'a request to a model that does not exist was answered, or failed without a typed error',
        );
      },
    },
  ];
}

const NEVER = new AbortController().signal;

function text(content: string): MessagePart {
  return { kind: 'text', text: content };
}

function complete(model: OpenChatModel, parts: readonly MessagePart[]): Promise<Reply> {
  const messages: readonly Message[] = [{ role: 'user', parts }];
  return model.complete(messages, NEVER);
}

async function checkVision(model: OpenChatModel): Promise<void> {
  const { tileset } = await builtInTileset();
  const { png, hash, question, accepted } = numberPicture(tileset, (end) => randomInt(end));
  const { content } = await complete(model, [text(question), { kind: 'image', png, frameHash: hash }]);
  const explanation = `shown the number ${accepted[0] ?? ''}, it answered ${JSON.stringify(content.slice(0, 200))}`;
  demand(verdict(content, accepted) === true, explanation);
}

async function checkAbort(model: OpenChatModel, timeoutMs: number): Promise<void> {
  const stop = new AbortController();
  const parts = [text('Count slowly from one to a hundred.')];
  await inTime(timeoutMs, 'the request does not stop when it is aborted', async () => {
    const answering = model.complete([{ role: 'user', parts }], stop.signal).then(
      () => undefined,
      () => undefined,
    );
    stop.abort();
    await answering;
  });
}

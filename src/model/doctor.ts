/**
 * `doctor`'s examination of a model server: is it there, which program, which models, how long a context, does
 * it see a known picture, what can it hold a reply to. Every finding is a line with what to do about it. A server
 * that can't be used is a finding, not an exception. The command line prints the lines.
 */
import { counted } from '../base/counted.js';
import { ModelError } from '../base/errors.js';
import { oneLine } from '../base/text.js';
import type { ModelSpec } from '../scenario/scenario.js';
import type { Message, Reply } from './chat.js';
import { openChatModel } from './openai.js';
import type { OpenChatModel } from './openai.js';
import type { Dependencies } from './dependencies.js';
import type { Finding, KnownPicture } from './finding.js';
import { tryForms } from './doctor-forms.js';
import { chooseModel, identify, kindNamed } from './server.js';
import type { ServerModel } from './server.js';

export interface ServerReport {
  readonly baseUrl: string;
  readonly findings: readonly Finding[];
  /** False where a finding failed. */
  readonly isUsable: boolean;
  /** The model that was asked, null where none could be chosen. */
  readonly model: string | null;
  /** Whether it described the picture; null where it was not asked or nothing could be told from the answer. */
  readonly sees: boolean | null;
}

/** Examines the server. Throws UsageError for an address that can't be used, AbortError on signal; nothing else. */
export async function examineServer(
  spec: ModelSpec,
  dependencies: Dependencies,
  picture: KnownPicture,
  signal: AbortSignal,
): Promise<ServerReport> {
  const client = openChatModel(spec, dependencies);
  const findings: Finding[] = [];
  const report = (model: string | null, sees: boolean | null): ServerReport => ({
    baseUrl: client.baseUrl,
    findings,
    isUsable: findings.every((finding) => finding.status !== 'fail'),
    model,
    sees,
  });
  try {
    const models = await client.models(signal);
    findings.push(found('address', `${client.baseUrl} answers`), modelsFinding(models));
    const model = chosenModel(models, spec.model, client.baseUrl);
    const identity = await identify(client.baseUrl, models ?? [], dependencies, signal);
    findings.push(serverFinding(identity), found('model', `asking ${oneLine(model, 100)}`));
    const known = models?.find((item) => item.id === model)?.contextTokens ?? identity.contextTokens;
    findings.push(contextFinding(known, spec.maxTokens));
    const { sees, lines } = await look(
      openChatModel({ ...spec, model, guided: 'off' }, dependencies),
      picture,
      signal,
    );
    findings.push(...lines);
    const kind = kindNamed(spec.server) ?? identity.kind;
    const trial = { spec: { ...spec, model }, kind, dependencies, picture, signal };
    if (lines.every(({ status }) => status !== 'fail')) findings.push(...(await tryForms(trial)));
    return report(model, sees);
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    findings.push({ about: findings.length === 0 ? 'address' : 'model', ...failure(error) });
    return report(null, null);
  }
}

function found(about: Finding['about'], text: string): Finding {
  return { about, status: 'ok', text, hints: [] };
}

function failure(error: ModelError): Pick<Finding, 'status' | 'text' | 'hints'> {
  return { status: 'fail', text: error.message, hints: error.hints };
}

function modelsFinding(models: readonly ServerModel[] | null): Finding {
  if (models === null) {
    return {
      about: 'models',
      status: 'warn',
      text: 'gives no list of models',
      hints: ['name the model with --model'],
    };
  }
  const ids = models.slice(0, 8).map((model) => oneLine(model.id, 100));
  return found('models', `${models.length}: ${ids.join(', ')}${models.length > 8 ? ', …' : ''}`);
}

function chosenModel(models: readonly ServerModel[] | null, named: string | null, baseUrl: string): string {
  return models === null && named !== null ? named : chooseModel(models ?? [], named, baseUrl);
}

function serverFinding({ kind, version }: Awaited<ReturnType<typeof identify>>): Finding {
  if (kind === null) return found('server', 'of a kind that it does not tell');
  return found('server', version === null ? kind : `${kind} ${version}`);
}

/** Rules, a few turns of history and one picture: less than this leaves a game no room. */
const ROOM_TOKENS = 4096;

function contextFinding(contextTokens: number | null, maxTokens: number): Finding {
  if (contextTokens === null) return found('context', 'of a length that the server does not tell');
  const text = `${counted(contextTokens, 'token')}, ${maxTokens} of them for the answer`;
  if (contextTokens - maxTokens >= ROOM_TOKENS) return found('context', text);
  return {
    about: 'context',
    status: 'warn',
    text,
    hints: ['start the server with a longer context, or keep less history'],
  };
}

interface Look {
  readonly sees: boolean | null;
  readonly lines: readonly Finding[];
}

async function look(client: OpenChatModel, picture: KnownPicture, signal: AbortSignal): Promise<Look> {
  const { png, frameHash, question } = picture;
  const parts = [{ kind: 'text', text: question } as const, { kind: 'image', png, frameHash } as const];
  const messages: readonly Message[] = [{ role: 'user', parts }];
  try {
    const reply = await client.complete(messages, signal);
    const sees = verdict(reply.content, picture.accepted);
    return { sees, lines: [sightFinding(sees, reply), usageFinding(reply), latencyFinding(reply)] };
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    return { sees: null, lines: [{ about: 'sight', ...failure(error) }] };
  }
}

const BLIND =
  /\b(can ?not|can't|could not|unable to|don't|do not) (see|view|access|display|open)|\bno (image|picture)\b|text-based/i;

/** True: it named what is there. False: it said that it sees nothing. Null: neither, or both. */
export function verdict(answer: string, accepted: readonly string[]): boolean | null {
  const spoken = ` ${answer.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' ')} `;
  const isNamed = accepted.some((word) => spoken.includes(` ${word.toLowerCase()} `));
  return isNamed === BLIND.test(answer) ? null : isNamed;
}

function sightFinding(sees: boolean | null, reply: Reply): Finding {
  const said =
    reply.content === '' ? 'it said nothing' : `it said ${JSON.stringify(oneLine(reply.content, 160))}`;
  const ended = reply.finishReason === 'stop' ? '' : ` (ended by ${reply.finishReason ?? 'nothing'})`;
  if (sees === true) return found('sight', `sees the picture: ${said}${ended}`);
  const hints =
    reply.finishReason === 'length'
      ? ['the answer was cut: a model that reasons needs more max_tokens']
      : [
          'is it a vision model? for llama.cpp: was it started with --mmproj?',
          'by text alone: --set render.channel=text',
        ];
  return {
    about: 'sight',
    status: 'warn',
    text: `${sees === false ? 'does not see the picture' : 'unclear whether it sees'}: ${said}${ended}`,
    hints,
  };
}

function usageFinding({ usage }: Reply): Finding {
  const told = [
    ['prompt', usage.promptTokens],
    ['answer', usage.completionTokens],
    ['picture', usage.imageTokens],
    ['cached', usage.cachedTokens],
  ] as const;
  const known = told.flatMap(([name, tokens]) => (tokens === null ? [] : [`${name} ${tokens}`]));
  if (known.length === 0)
    return { about: 'usage', status: 'warn', text: 'the server counts no tokens', hints: [] };
  const missing = usage.imageTokens === null || usage.cachedTokens === null;
  const hints = missing ? ['vLLM tells picture and cache tokens with --enable-prompt-tokens-details'] : [];
  return { about: 'usage', status: 'ok', text: `tokens: ${known.join(', ')}`, hints };
}

function latencyFinding({ latencyMs, tries }: Reply): Finding {
  if (tries.length === 0) return found('latency', `${latencyMs} ms`);
  const problems = tries.map((item) => item.problem).join('; ');
  return {
    about: 'latency',
    status: 'warn',
    text: `${latencyMs} ms, after ${tries.length} failed: ${problems}`,
    hints: [],
  };
}

/**
 * `doctor`'s examination of a model server: whether it is reachable, which program it is, its models, its
 * context length, whether it sees a known picture, and what it can enforce. Every finding is a line with a
 * hint. A server that can't be used is a finding, not an exception. The command line prints the lines.
 */
import { counted } from '../base/counted.js';
import { ModelError } from '../base/errors.js';
import { oneLine } from '../base/text.js';
import type { ModelSpec } from '../scenario/scenario.js';
import type { Message, Reply } from './chat.js';
import { openChatModel } from './openai.js';
import type { OpenChatModel } from './openai.js';
import { describeFrameCost } from './frame-words.js';
import type { Dependencies } from './dependencies.js';
import type { ServerFinding, KnownPicture } from './finding.js';
import { tryForms } from './doctor-forms.js';
import {
  blindHints,
  contextFinding,
  countingHints,
  kindFindings,
  thinkingHint,
  unguidedFindings,
} from './doctor-kind.js';
import { kindNamed } from './capabilities.js';
import type { ServerKind } from './capabilities.js';
import { chooseModel, identify } from './server.js';
import type { ServerModel } from './server.js';

export interface ServerReport {
  baseUrl: string;
  findings: readonly ServerFinding[];
  /** False if a finding failed. */
  isUsable: boolean;
  /** The model that was asked, null if none could be chosen. */
  model: string | null;
  /** Whether it described the picture; null if it was not asked or the answer was inconclusive. */
  sees: boolean | null;
}

/**
 * Examines the server. Throws UsageError for an address that can't be used, AbortError on signal; nothing
 * else.
 */
export async function examineServer(
  spec: ModelSpec,
  dependencies: Dependencies,
  picture: KnownPicture,
  signal: AbortSignal,
): Promise<ServerReport> {
  const client = openChatModel(spec, dependencies);
  const findings: ServerFinding[] = [];
  const report = (model: string | null, sees: boolean | null): ServerReport => ({
    baseUrl: client.baseUrl,
    findings,
    isUsable: findings.every((finding) => finding.status !== 'fail'),
    model,
    sees,
  });
  try {
    const models = await client.models(signal);
    findings.push(okFinding('address', `${client.baseUrl} answers`), modelsFinding(models));
    const model = chooseModel(models, spec.model, client.baseUrl);
    const identity = await identify(client.baseUrl, models ?? [], dependencies, signal);
    const kind = kindNamed(spec.server) ?? identity.kind;
    findings.push(serverFinding(identity), ...kindFindings(kind, spec));
    findings.push(okFinding('model', `asking ${oneLine(model, 100)}`));
    const contextTokens = models?.find((item) => item.id === model)?.contextTokens ?? identity.contextTokens;
    findings.push(contextFinding(contextTokens, spec.maxTokens, kind));
    const sightClient = openChatModel({ ...spec, model, guided: 'off' }, dependencies);
    const { sees, lines } = await testSight(sightClient, { model, picture, kind }, signal);
    findings.push(...lines);
    const trial = { spec: { ...spec, model }, kind, dependencies, picture, signal };
    if (lines.every(({ status }) => status !== 'fail'))
      findings.push(
        ...(await testSeveralPictures(sightClient, picture, signal)),
        ...unguidedFindings(kind, spec),
        ...(await tryForms(trial)),
      );
    return report(model, sees);
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    findings.push({ about: findings.length === 0 ? 'address' : 'model', ...failure(error) });
    return report(null, null);
  }
}

function okFinding(about: ServerFinding['about'], text: string): ServerFinding {
  return { about, status: 'ok', text, hints: [] };
}

function failure(error: ModelError): Pick<ServerFinding, 'status' | 'text' | 'hints'> {
  return { status: 'fail', text: error.message, hints: error.hints };
}

function modelsFinding(models: readonly ServerModel[] | null): ServerFinding {
  if (models === null) {
    return {
      about: 'models',
      status: 'warn',
      text: 'the server returns no list of models',
      hints: ['specify the model with --model'],
    };
  }
  const ids = models.slice(0, 8).map((model) => oneLine(model.id, 100));
  return okFinding('models', `${models.length}: ${ids.join(', ')}${models.length > 8 ? ', …' : ''}`);
}

function serverFinding({ kind, version }: Awaited<ReturnType<typeof identify>>): ServerFinding {
  if (kind === null) return okFinding('server', 'unknown server type');
  return okFinding('server', version === null ? kind : `${kind} ${version}`);
}

async function testSight(
  client: OpenChatModel,
  { model, picture, kind }: { model: string; picture: KnownPicture; kind: ServerKind | null },
  signal: AbortSignal,
): Promise<{ sees: boolean | null; lines: readonly ServerFinding[] }> {
  const { png, frameHash, question } = picture;
  const parts = [{ kind: 'text', text: question } as const, { kind: 'image', png, frameHash } as const];
  const messages: readonly Message[] = [{ role: 'user', parts }];
  try {
    const reply = await client.complete(messages, signal);
    const sees = verdict(reply.content, picture.accepted);
    const { frame } = picture;
    const cost = frame === undefined ? null : describeFrameCost(model, frame, reply.usage.imageTokens);
    const tokens = [usageFinding(reply, kind), ...(cost === null ? [] : [okFinding('frame', cost)])];
    return { sees, lines: [sightFinding(sees, reply, kind), ...tokens, latencyFinding(reply)] };
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    return { sees: null, lines: [{ about: 'sight', ...failure(error) }] };
  }
}

/** The scenario's largest request by its pictures: servers limit their number. Nothing where each has one. */
async function testSeveralPictures(
  client: OpenChatModel,
  { png, frameHash, question, atOnce = 1 }: KnownPicture,
  signal: AbortSignal,
): Promise<readonly ServerFinding[]> {
  if (atOnce === 1) return [];
  const image = { kind: 'image', png, frameHash } as const;
  const parts = [{ kind: 'text', text: question } as const, ...Array.from({ length: atOnce }, () => image)];
  try {
    const { usage } = await client.complete([{ role: 'user', parts }], signal);
    const cost = usage.imageTokens === null ? '' : `: ${counted(usage.imageTokens, 'token')}`;
    return [
      okFinding('pictures', `accepts the ${atOnce} pictures that a request of this scenario can have${cost}`),
    ];
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    return [{ about: 'pictures', ...failure(error) }];
  }
}

const BLIND =
  /\b(can ?not|can't|could not|unable to|don't|do not) (see|view|access|display|open)|\bno (image|picture)\b|text-based/i;

/** True: it named what is in the picture. False: it said that it sees nothing. Null: neither, or both. */
export function verdict(answer: string, accepted: readonly string[]): boolean | null {
  const normalised = ` ${answer.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' ')} `;
  const isNamed = accepted.some((word) => normalised.includes(` ${word.toLowerCase()} `));
  return isNamed === BLIND.test(answer) ? null : isNamed;
}

function sightFinding(sees: boolean | null, reply: Reply, kind: ServerKind | null): ServerFinding {
  const answer =
    reply.content === ''
      ? 'its answer was empty'
      : `it answered ${JSON.stringify(oneLine(reply.content, 160))}`;
  const ending = reply.finishReason === 'stop' ? '' : ` (finish reason: ${reply.finishReason ?? 'null'})`;
  if (sees === true) return okFinding('sight', `sees the picture: ${answer}${ending}`);
  const hints =
    reply.finishReason === 'length'
      ? [`the answer was truncated: a reasoning model needs more max_tokens${thinkingHint(kind)}`]
      : blindHints(kind);
  return {
    about: 'sight',
    status: 'warn',
    text: `${sees === false ? 'does not see the picture' : 'unclear whether it sees the picture'}: ${answer}${ending}`,
    hints,
  };
}

function usageFinding({ usage }: Reply, kind: ServerKind | null): ServerFinding {
  const counts = [
    ['prompt', usage.promptTokens],
    ['answer', usage.completionTokens],
    ['picture', usage.imageTokens],
    ['cached', usage.cachedTokens],
  ] as const;
  const reported = counts.flatMap(([name, tokens]) => (tokens === null ? [] : [`${name} ${tokens}`]));
  if (reported.length === 0)
    return { about: 'usage', status: 'warn', text: 'the server reports no token counts', hints: [] };
  const isIncomplete = usage.imageTokens === null || usage.cachedTokens === null;
  const hints = isIncomplete ? countingHints(kind) : [];
  return { about: 'usage', status: 'ok', text: `tokens: ${reported.join(', ')}`, hints };
}

function latencyFinding({ latencyMs, tries }: Reply): ServerFinding {
  if (tries.length === 0) return okFinding('latency', `${latencyMs} ms`);
  const problems = tries.map((item) => item.problem).join('; ');
  return {
    about: 'latency',
    status: 'warn',
    text: `${latencyMs} ms, after ${counted(tries.length, 'failed try', 'failed tries')}: ${problems}`,
    hints: [],
  };
}

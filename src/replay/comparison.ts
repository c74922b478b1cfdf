/**
 * Compares a logged request, step or end with the replayed one. Times, tries, usage, settings and run ids do
 * not affect a run and are not compared.
 */
import { lookUp } from '../base/look-up.js';
import { ACT_FIELDS, LATER_ACT_FIELDS, OTHER_ACTS } from '../trajectory/act.js';
import { messagesHash } from '../trajectory/chain.js';
import { hashOfJson } from '../trajectory/content.js';
import type { CallRequest, RunEnd, StepRecord } from '../trajectory/records.js';
import type { Message, MessagePart } from '../model/chat.js';
import type { JsonPath } from './compare.js';
import { valueDifference } from './compare.js';
import { DifferenceFound } from './difference.js';
import type { FoundDifference } from './difference.js';

/** The environment's hashes of a state's parts. */
export type PartsOf = (state: unknown) => Readonly<Record<string, string>>;

interface ComparedStep {
  step: number | null;
  agent: string | null;
}

interface ComparedAspect {
  part: string;
  /** The position of the values. */
  at: JsonPath;
  note: string;
}

/** Throws if the values differ. */
export function assertSame(
  moment: ComparedStep,
  aspect: ComparedAspect,
  logged: unknown,
  made: unknown,
): void {
  const difference = valueDifference(logged, made);
  if (difference === null) return;
  const { part, at, note } = aspect;
  const { step, agent } = moment;
  throw new DifferenceFound({ ...difference, step, agent, part, path: [...at, ...difference.path], note });
}

/** Compares the step's agent before anything is asked in the step. */
export function compareOwner(
  logged: StepRecord,
  { step, agent, turn }: Pick<CallRequest, 'step' | 'agent' | 'turn'>,
): void {
  const note = 'the replay has a different step here';
  assertSame({ step, agent }, { part: 'step', at: ['agent'], note }, logged.agent, agent);
  assertSame({ step, agent }, { part: 'step', at: ['turn'], note }, logged.turn, turn);
}

/** Most likely, the run was played with another module of the user's than the given one. */
const OTHER_ACTIONS = 'the actions differ, so the run was probably played with other modules';

const HEAD = ['turn', 'agent', 'attempt', 'purpose'] as const;

export function compareRequest(logged: CallRequest, made: CallRequest, index: number): void {
  const moment = { step: made.step, agent: made.agent };
  const at = ['calls', index];
  for (const key of HEAD) {
    const aspect = { part: 'call', at: [...at, key], note: 'the replay makes a different call here' };
    assertSame(moment, aspect, logged[key], made[key]);
  }
  const scope = { part: 'observation', at: [...at, 'observation', 'scope'], note: OTHER_ACTIONS };
  assertSame(moment, scope, logged.observation.scope, made.observation.scope);
  // Both hashes are cached: the reader has computed one, and the chain needs the other.
  if (hashOfJson(logged.observation) !== hashOfJson(made.observation)) {
    const note = `${made.agent} gets a different observation`;
    assertSame(
      moment,
      { part: 'observation', at: [...at, 'observation'], note },
      logged.observation,
      made.observation,
    );
  }
  const frame = { part: 'frame', at: [...at, 'frameHash'], note: 'a different picture is drawn' };
  assertSame(moment, frame, logged.frameHash, made.frameHash);
  if (messagesHash(logged.messages) !== messagesHash(made.messages)) differentMessages(logged, made, at);
}

function differentMessages(logged: CallRequest, made: CallRequest, at: JsonPath): void {
  const difference = valueDifference(logged.messages.map(withoutPng), made.messages.map(withoutPng));
  if (difference === null) return;
  const [index] = difference.path;
  const isPast = typeof index === 'number' && index > 0 && index < made.messages.length - 1;
  throw new DifferenceFound({
    ...difference,
    step: made.step,
    agent: made.agent,
    part: isPast ? 'memory' : 'messages',
    path: [...at, 'messages', ...difference.path],
    note: isPast ? `${made.agent} gets a different history` : `${made.agent} gets a different text`,
  });
}

function withoutPng({ role, parts }: Message): object {
  return {
    role,
    parts: parts.map((part) =>
      part.kind === 'text' ? part : { kind: part.kind, frameHash: part.frameHash },
    ),
  };
}

type ComparedImagePart = Extract<MessagePart, { kind: 'image' }>;

/** Pictures whose files differ; their pixels may still be equal. */
export function differingImages(
  logged: readonly Message[],
  made: readonly Message[],
): readonly (readonly [logged: ComparedImagePart, made: ComparedImagePart])[] {
  const [replayedImages, loggedImages] = [imagesOf(made), imagesOf(logged)];
  return replayedImages.flatMap((image, i) => {
    const loggedImage = loggedImages[i];
    return loggedImage === undefined || Buffer.compare(image.png, loggedImage.png) === 0
      ? []
      : [[loggedImage, image] as const];
  });
}

function imagesOf(messages: readonly Message[]): readonly ComparedImagePart[] {
  return messages.flatMap(({ parts }) => parts.filter((part) => part.kind === 'image'));
}

/** `made` with the log's numbers of its calls. */
export function compareStep(logged: StepRecord, made: StepRecord, partsOf: PartsOf): void {
  const moment = { step: made.step, agent: made.agent };
  compareOwner(logged, made);
  compareActs(moment, logged, made);
  assertSame(
    moment,
    { part: 'call', at: ['calls'], note: 'this step has different calls' },
    logged.calls,
    made.calls,
  );
  assertSame(
    moment,
    { part: 'events', at: ['events'], note: 'this step has different events' },
    logged.events,
    made.events,
  );
  compareParts(moment, logged.parts, made.parts);
  const rewards = { part: 'rewards', at: ['rewards'], note: 'this step has different rewards' };
  assertSame(moment, rewards, logged.rewards, asLogged(made.rewards, logged.rewards, ['byName']));
  const state = { part: 'state', at: ['stateHash'], note: 'the hash of the state differs' };
  assertSame(moment, state, logged.stateHash, made.stateHash);
  compareStates(moment, ['snapshot'], { logged: logged.snapshot, made: made.snapshot }, partsOf);
  const chain = 'requests and actions are the same: a reply, or the chain itself, was changed';
  assertSame(moment, { part: 'chain', at: ['chain'], note: chain }, logged.chain, made.chain);
}

/** Without those fields that the log lacks because they are `later` than the program that wrote it. */
function asLogged<T extends object>(
  made: T | undefined,
  logged: T | undefined,
  later: readonly string[],
): Partial<T> | undefined {
  const lacking = later.filter((field) => lookUp(logged ?? {}, field) === undefined);
  if (made === undefined || lacking.length === 0) return made;
  return Object.fromEntries(Object.entries(made).filter(([field]) => !lacking.includes(field))) as Partial<T>;
}

function compareActs(moment: ComparedStep, logged: StepRecord, made: StepRecord): void {
  const later = Object.keys(LATER_ACT_FIELDS);
  const acts = made.acts.map((act, i) => asLogged(act, logged.acts[i], later));
  const difference = valueDifference(logged.acts, acts);
  if (difference === null) return;
  throw new DifferenceFound({
    ...moment,
    ...difference,
    path: ['acts', ...difference.path],
    ...aspectOfAct(difference.path),
  });
}

function aspectOfAct([, field, within]: JsonPath): Pick<FoundDifference, 'part' | 'note'> {
  if (field === 'intent' && within === 'outside')
    return { part: 'outside', note: 'the output of an outside effect differs' };
  const { part, note } = lookUp(ACT_FIELDS, String(field)) ?? OTHER_ACTS;
  return { part, note };
}

function compareParts(moment: ComparedStep, logged: StepRecord['parts'], made: StepRecord['parts']): void {
  const difference = valueDifference(logged, made);
  if (difference === null) return;
  const part = String(difference.path[0]);
  const note = `the state's ${part} differ after this step (the log contains only their hash)`;
  throw new DifferenceFound({ ...moment, ...difference, part, path: ['parts', ...difference.path], note });
}

/** Compares whole states, if both are available; the hashes name the part. */
export function compareStates(
  moment: ComparedStep,
  at: JsonPath,
  states: { logged: unknown; made: unknown },
  partsOf: PartsOf,
): void {
  const part = (): string => partOfState(states, partsOf);
  const difference = valueDifference(states.logged, states.made);
  if (difference === null) return;
  const note = 'the stored state differs from the replayed one';
  throw new DifferenceFound({
    ...moment,
    ...difference,
    part: part(),
    path: [...at, ...difference.path],
    note,
  });
}

function partOfState(states: { logged: unknown; made: unknown }, partsOf: PartsOf): string {
  try {
    const difference = valueDifference(partsOf(states.logged), partsOf(states.made));
    return difference === null ? 'state' : String(difference.path[0] ?? 'state');
  } catch {
    // A state that the environment can't read has no parts.
    return 'state';
  }
}

const END = ['status', 'reason', 'turns', 'steps', 'stateHash', 'chain'] as const;

export function compareEnd(logged: RunEnd, made: RunEnd, partsOf: PartsOf): void {
  const moment = { step: null, agent: null };
  const replayedEnd = { ...made, reason: made.reason.toWellFormed() };
  for (const key of END) {
    const aspect = { part: 'end', at: ['end', key], note: 'the run ends differently' };
    assertSame(moment, aspect, logged[key], replayedEnd[key]);
  }
  compareStates(moment, ['end', 'finalState'], { logged: logged.finalState, made: made.finalState }, partsOf);
}

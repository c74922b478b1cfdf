/**
 * A sample: one call whose reply shaped a step, with its inputs and results. The messages are those that the
 * server got, in its order (`model/request.ts`), so picture, text and reply always belong together; anything
 * known only afterwards is in `result`, `after` and `outcome`.
 */
import { at } from '../base/assert.js';
import type { JsonObject } from '../base/json.js';
import { WORLD_ID } from '../base/ids.js';
import { once } from '../base/once.js';
import type { Event, Intent } from '../environment/action.js';
import type { Observation } from '../environment/observation.js';
import { judgedAct } from '../log/annotations.js';
import type { Annotation, AnnotationReader } from '../log/annotations.js';
import type { LogReader } from '../log/reader.js';
import { laterValues } from '../trajectory/act.js';
import type { LaterActValue } from '../trajectory/act.js';
import { answeredTurn } from '../trajectory/answered-turn.js';
import { callModel, callPlayer, stepLineup } from '../trajectory/player-names.js';
import type {
  PlayedStep,
  RunRecord,
  SentCall,
  SentRequest,
  SessionRecord,
  StepOutline,
} from '../trajectory/records.js';
import { NO_USAGE } from '../model/chat.js';
import type { Message, Reply, ToolCall, Usage } from '../model/chat.js';
import { arrangeMessages, sentParts, messageText } from '../model/request.js';
import type { RunSegment } from '../log/lineage.js';
import { inOwnForm } from '../parse/own-form.js';
import type { SaidAnswer } from '../parse/own-form.js';
import type { Command, ParseTier, TextSpan } from '../parse/reading.js';
import { drawnText } from '../scenario/scenario.js';
import type { RenderSpec } from '../scenario/scenario.js';
import { hasStepCost, type Costs, type StepCost } from './costs.js';
import { promptTurn } from './prompt-turn.js';
import type { PromptTurn, SampleImage } from './prompt-turn.js';
import { returnsIn } from './rewards.js';
import { agentOutcomesIn, outcomeWhenPicked } from './run-outcome.js';
import type { RunOutcome } from './run-outcome.js';
import type { StepReturn } from './rewards.js';
import type { PickedRun } from './picked-runs.js';

/** What was sent to get a reply. */
export interface SamplePrompt {
  messages: readonly PromptTurn[];
  /** Index in `messages` of this turn's first message. */
  turnStart: number;
  /**
   * The rules, if they begin the first user message because the server took no system message; otherwise
   * null.
   */
  foldedRules: string | null;
}

/**
 * How a scene became a picture: a tile's side in pixels, whether there is a margin of one tile with numbers,
 * and the version of the renderer.
 */
export type DrawnFrameSettings = Pick<RenderSpec, 'tilePixels' | 'ruler'> & { version: number };

/** What an agent answered. */
export interface SampleAnswer {
  text: string;
  /** Null if the server gave no separate reasoning. */
  reasoning: string | null;
  toolCalls: readonly ToolCall[];
  finishReason: string | null;
  usage: Usage;
}

/** The result of a reply; `code` is null if the reply did what it asked for. */
export interface SampleResult {
  ok: boolean;
  code: string | null;
  message: string;
}

/** One call with the purpose `act` or `repair` that a step lists. */
export interface ExportSample {
  /** Safe in a file's name, and sorts in the order of the export: `00001-000012-knight-1`. */
  key: string;
  runId: string;
  scenario: string;
  seed: string;
  /** In words; null for a scenario without draws. */
  drawn: string | null;
  environment: string;
  protocol: string;
  /** The model that the server was asked for; null if no model answered. */
  model: string | null;
  /** The model that answered, as its server named it; null if no server did. */
  answeredAs: string | null;
  /** When it was asked and when it had answered, in milliseconds since 1970. */
  askedAt: number;
  answeredAt: number;
  /** The version of the program that began the run. */
  program: string;
  controller: string;
  /** Who answered: the name of the player that all commands use (`trajectory/player-names.ts`). */
  player: string;
  /** The name in the batch of all players of its run together, if different ones had the seats; otherwise null. */
  lineup: string | null;
  agent: string;
  step: number;
  turn: number;
  call: number;
  /** Counts the calls for a step from 1. */
  attempt: number;
  purpose: 'act' | 'repair';
  /** Read from the log when it is called. */
  prompt: () => SamplePrompt;
  /** The pictures in the prompt's messages, in order. */
  pictures: () => readonly SampleImage[];
  /** The pictures of this turn; available without the prompt. */
  shown: () => readonly SampleImage[];
  /** What the request contained besides its messages; null if nothing was sent. */
  settings: JsonObject | null;
  answer: SampleAnswer;
  /**
   * What a model is to learn: the answer in the protocol's own form, or as it was received if it was not
   * understood.
   */
  target: SaidAnswer;
  intent: Pick<Intent, 'action' | 'args'> | null;
  /** The command as the reply says it, with names as written; null if it was not understood. */
  command: Pick<Command, 'action' | 'args'> | null;
  rung: ParseTier | null;
  /** The accepted words within the answer's text. */
  span: TextSpan | null;
  /** The later fields of its act. */
  actValues: Readonly<Record<string, LaterActValue | null>>;
  /** Null for a person's correction of the reply, because it was never tried. */
  result: SampleResult | null;
  /** Whether this is the reply that settled the step. */
  isSettling: boolean;
  /** The events after the reply that the agent could perceive. */
  after: () => readonly Event[];
  outcome: RunOutcome;
  /** How the run ended for the agent, by its own conditions or the run's; null if the log does not say. */
  agentOutcome: string | null;
  /**
   * What the agent was paid for the step, on the reply that settled it; null on other replies, and without
   * rewards.
   */
  paid: StepReturn | null;
  /** What the step cost, on its last reply; null on earlier ones, and if it is not known. */
  cost: StepCost | null;
  /** A person's verdict, on the last reply of a step; if it is a correction, `answer` is the person's. */
  mark: Annotation | null;
  /** The original answer, if it was corrected; otherwise null. */
  originalText: string | null;
  /** The agent's observation, for formats that label it; read from the log on demand. */
  observation: () => Observation;
  /** How the picture of the observation was drawn. */
  frameSettings: DrawnFrameSettings;
}

/** Which samples are read at all; `filter.ts` has the other filters. */
export interface SampleRange {
  /** First and last turn, both included. */
  turns: { from: number; to: number } | null;
  /** The ids of the agents; null for all. */
  agents: readonly string[] | null;
}

export interface SampleSource {
  reader: LogReader;
  marks: AnnotationReader;
  picked: PickedRun;
  /** Whether replies are given as they were played, even if a person corrected them. */
  isAsPlayed?: boolean;
  /** What the steps of this run cost, searched when it is first asked for; none by default. */
  costs?: () => Costs;
}

/**
 * In the order of the steps. If a fork's parent is exported too, only the fork's own steps are read
 * (`picked.firstStep`).
 */
export function* samplesOf(
  source: SampleSource,
  range: SampleRange,
  /** Called for each passed step, to report progress. */
  onStep: (step: number) => void = () => undefined,
): Generator<ExportSample> {
  const { reader, picked } = source;
  const open = openRun(source);
  for (const played of reader.played(picked.runId, { from: picked.firstStep })) {
    // A run in progress now has more steps than the export's inputs list.
    if (played.step.step > picked.lastStep) return;
    if (isWanted(played.step, range)) yield* samplesAt(open, played);
    onStep(played.step.step);
  }
}

/** A run with what all of its samples share. */
export interface SampledRun extends SampleSource {
  run: RunRecord;
  outcome: RunOutcome;
  /** By agent, without agents that the log does not name. */
  agentOutcomes: ReadonlyMap<string, string>;
  /** The sessions of the run itself; steps of its parent have the names that their calls recorded. */
  sessions: readonly SessionRecord[];
  /** What its steps were paid; null if the scenario has no rewards. */
  returns: ReadonlyMap<number, StepReturn> | null;
  /** Where its steps are stored, oldest first; a fork may draw differently from its parent. */
  segments: readonly (RunSegment & { drawn: DrawnFrameSettings })[];
}

export function openRun(source: SampleSource): SampledRun {
  const { reader, picked } = source;
  const run = reader.run(picked.runId);
  const segments = reader.stretches(picked.runId).map((stretch) => {
    const { scenario, versions } = stretch.runId === run.runId ? run : reader.run(stretch.runId);
    const { tilePixels, ruler } = scenario.render;
    return { ...stretch, drawn: { tilePixels, ruler, version: versions.render } };
  });
  const sessions = reader.sessions(picked.runId);
  const returns = run.scenario.rewards === undefined ? null : returnsIn(reader, picked);
  const agentOutcomes = agentOutcomesIn(reader, picked);
  return {
    ...source,
    run,
    outcome: outcomeWhenPicked(reader, picked),
    agentOutcomes,
    sessions,
    segments,
    returns,
  };
}

/** The samples of one step, in order. */
export function samplesAt(source: SampledRun, { step, calls }: PlayedStep): readonly ExportSample[] {
  if (step.agent === WORLD_ID || step.calls.length === 0) return [];
  const samples: ExportSample[] = [];
  for (const call of calls()) {
    if (!step.calls.includes(call.request.call)) continue;
    const answeredRequest = requestAnsweredBy(source, step, call);
    const sample = answeredRequest === null ? null : sampleOf(source, step, call, answeredRequest);
    if (sample !== null) samples.push(sample);
  }
  return samples;
}

/**
 * The request that the reply answers: its own, or that of an earlier turn if the reply says so. If the log
 * lacks the earlier one, nobody knows what was answered: the result is null, and the reply makes no row.
 */
function requestAnsweredBy(
  { reader, picked }: SampledRun,
  step: StepOutline,
  { request, reply }: SentCall,
): SentRequest | null {
  const turn = reply === null ? null : answeredTurn(reply);
  if (turn === null) return request;
  const range = { from: picked.firstStep, to: step.step - 1, agent: step.agent };
  for (const earlier of reader.played(picked.runId, range)) {
    if (earlier.step.turn !== turn) continue;
    const first = earlier.calls().find((call) => call.request.purpose === 'act');
    return first?.request ?? null;
  }
  return null;
}

function isWanted({ agent, turn }: StepOutline, { agents, turns }: SampleRange): boolean {
  if (agent === WORLD_ID || (agents !== null && !agents.includes(agent))) return false;
  return turns === null || (turn >= turns.from && turn <= turns.to);
}

/**
 * Null for a call that was not meant to act, or that got no answer. `answered`: the request that its reply
 * answers.
 */
function sampleOf(
  source: SampledRun,
  step: StepOutline,
  { request, reply }: SentCall,
  answered: SentRequest,
): ExportSample | null {
  const { run, picked, outcome, segments, sessions, marks, returns, isAsPlayed = false, costs } = source;
  const { agent, attempt, call, purpose } = request;
  if ((purpose !== 'act' && purpose !== 'repair') || reply === null) return null;
  const act = step.acts.find((one) => one.call === call);
  const spec = run.scenario.agents.find(({ id }) => id === agent);
  if (act === undefined || spec === undefined) return null;
  const isSettling = step.acts.at(-1) === act;
  const segment = at(
    segments,
    segments.findIndex(({ to }) => step.step <= to),
  );
  const mark = judgedAct(step)?.call === call ? marks.of(segment.runId, step.step) : null;
  const { content: text, reasoning, toolCalls, finishReason, usage } = reply;
  const answer = { text, reasoning, toolCalls, finishReason, usage };
  const { result } = act;
  const prompt = once(() => promptOf(answered.messages(), purpose, reply));
  const sample: ExportSample = {
    key: `${picked.ordinal}-${String(step.step).padStart(6, '0')}-${agent}-${attempt}`,
    runId: picked.runId,
    scenario: run.scenario.name,
    seed: run.seed,
    drawn: run.scenario.draw === undefined ? null : drawnText(run.scenario.draw.drawn),
    environment: run.scenario.environment,
    protocol: spec.protocol,
    model: callModel(sessions, request),
    answeredAs: reply.model,
    askedAt: request.startedAt,
    answeredAt: request.startedAt + reply.latencyMs,
    program: run.versions.program,
    controller: request.controller,
    player: callPlayer(sessions, request),
    lineup: stepLineup(sessions, request),
    agent,
    step: step.step,
    turn: step.turn,
    call,
    attempt,
    purpose,
    prompt,
    pictures: once(() => picturesIn(prompt())),
    shown: () => [answered.picture()].filter((picture) => picture !== null),
    settings: request.settings,
    answer,
    target: inOwnForm(answer, act.reading, spec.protocol),
    intent: act.intent === null ? null : { action: act.intent.action, args: act.intent.args },
    command: act.reading?.ok === true ? act.reading.command : null,
    rung: act.reading?.rung ?? null,
    span: act.reading?.span ?? null,
    actValues: laterValues(act),
    result: result.ok
      ? { ok: true, code: null, message: result.message }
      : { ok: false, code: result.problem.code, message: result.problem.message },
    isSettling,
    mark,
    originalText: null,
    after: once(() => step.events().filter(({ seenBy }) => seenBy.includes(agent))),
    outcome,
    agentOutcome: source.agentOutcomes.get(agent) ?? null,
    paid: isSettling ? (returns?.get(step.step) ?? null) : null,
    cost: hasStepCost(step.acts, act) ? (costs?.()?.get(step.step) ?? null) : null,
    observation: () => answered.observation(),
    frameSettings: segment.drawn,
  };
  return mark?.verdict === 'corrected' && !isAsPlayed ? withCorrection(sample, mark.text) : sample;
}

/** A repair repeats the turn, the rejected reply and the reason. */
const TURN_MESSAGES = { act: 1, repair: 3 } as const;

function promptOf(
  messages: readonly Message[],
  purpose: keyof typeof TURN_MESSAGES,
  { adaptations }: Reply,
): SamplePrompt {
  const foldSystem = adaptations.includes('system-folded');
  const sent = arrangeMessages(messages, { foldSystem });
  const turns = sent.map((message) => {
    const parts = sentParts(message).map((part) =>
      typeof part === 'string' ? part : { hash: part.frameHash, png: part.png },
    );
    return promptTurn({ role: message.role, parts });
  });
  const system = messages.filter(({ role }) => role === 'system');
  return {
    messages: turns,
    turnStart: Math.max(0, turns.length - TURN_MESSAGES[purpose]),
    foldedRules: foldSystem ? system.map(messageText).join('\n\n') : null,
  };
}

/** The same sample with another prompt. */
export function withPrompt(sample: ExportSample, make: () => SamplePrompt): ExportSample {
  const prompt = once(make);
  return { ...sample, prompt, pictures: once(() => picturesIn(prompt())) };
}

function picturesIn({ messages }: SamplePrompt): readonly SampleImage[] {
  return messages.flatMap(({ pictures }) => pictures);
}

/**
 * With a person's correction in place of the reply. It was never parsed or tried, so the reply's results are
 * left out.
 */
function withCorrection(sample: ExportSample, text: string): ExportSample {
  const answer = { text, reasoning: null, toolCalls: [], finishReason: null, usage: NO_USAGE };
  const unknown = {
    intent: null,
    command: null,
    rung: null,
    span: null,
    actValues: {},
    result: null,
    paid: null,
    cost: null,
  };
  return { ...sample, ...unknown, after: () => [], answer, target: answer, originalText: sample.answer.text };
}

/**
 * A checked, effective scenario: plain data, every default filled in, environment variables read. The log
 * stores it, and everything after the loader uses only it. `schema.ts` defines its form in YAML.
 */
import { lookUp } from '../base/look-up.js';
import { isRecord, type Json } from '../base/json.js';
import type { SpokenNames } from '../environment/action.js';
import type { PlainControllerKind } from './controllers.js';

export interface Goal {
  /** Smaller is more important. */
  priority: number;
  name: string;
  description: string;
  /** `task`: what to achieve; `rule`: what to obey; `example`: how it may be done. */
  kind: 'task' | 'rule' | 'example';
}

/** The reply formats, as scenarios and the command line name them; `parse/protocols.ts` has one of each. */
export const PROTOCOL_NAMES = ['command', 'json', 'react', 'tools'] as const;
export type ProtocolName = (typeof PROTOCOL_NAMES)[number];

export interface MemorySpec {
  /**
   * `none`: no history. `window`: the newest turns. `history`: past turns, append-only, dropped in blocks.
   * `summary`: the model summarises dropped turns. `notes`: a history, and the agent's notes (NOTE). `file`:
   * notes kept across runs.
   */
  kind: 'none' | 'window' | 'history' | 'summary' | 'notes' | 'file';
  /** Maximum number of turns before a block is dropped. */
  turnsMax: number;
  /** Turns left after a block is dropped. */
  turnsKept: number;
  /** Maximum length of a summary. */
  charactersMax: number;
  /** Maximum number of notes. */
  notesMax: number;
  /** The number of newest past turns that are sent with their pictures; absent for none. */
  pictures?: number;
  /** The number of past pictures that the agent may request in one turn (RECALL); absent for none. */
  recalls?: number;
}

/** Programs that serve models, by their names in scenarios. */
export const SERVER_NAMES = ['vllm', 'llama.cpp', 'ollama', 'sglang', 'lm-studio', 'openrouter'] as const;

export type ServerName = (typeof SERVER_NAMES)[number];

/**
 * A model behind an OpenAI-compatible server. Fractions are stored as decimal text, because state contains no
 * floats.
 */
export interface ModelSpec {
  baseUrl: string;
  /** The model's name on the server; null for the server's only model. */
  model: string | null;
  /** The name of the environment variable with the key, never the key itself; null if no key is sent. */
  apiKeyEnv: string | null;
  /** Decimal text, for example "0.2". */
  temperature: string;
  topP: string;
  /** Maximum tokens of a reply. */
  maxTokens: number;
  /**
   * The sampling seed of every request; if null, each request has its own, derived from the run's seed, the
   * agent, the step and the attempt.
   */
  seed: number | null;
  /** The time limit for a whole reply. */
  timeoutMs: number;
  /** Retries after a temporary failure. */
  retries: number;
  guided: GuidedMode;
  /** The program that serves the model, if the server does not report it; if null, it is detected. */
  server: ServerName | null;
  /** Per million tokens, as decimal text. */
  price: { prompt: string; reply: string };
  /**
   * Additional fields of the request, passed to the server unchanged. Fractions are stored as `{ "decimal":
   * "0.9" }`.
   */
  extra: { readonly [field: string]: Json };
}

/**
 * Whether the server enforces the form of replies. `auto`: it does if it supports that. `require`: the run
 * does not begin unless it does.
 */
export type GuidedMode = 'off' | 'auto' | 'require';

/** Nobody names a program here: docs/decisions/0013-programs.md. */
export type ControllerSpec =
  | { kind: 'model'; model: string }
  | { [K in PlainControllerKind]: { kind: K } }[PlainControllerKind]
  | {
      kind: 'replies';
      replies: readonly string[];
      then: 'wait' | 'repeat' | 'stop';
    };

/** An agent of the scenario, with defaults filled in. */
export interface AgentSpec {
  id: string;
  name: string;
  /** Labels by which programs select the agent; absent for none. Agents never see them. */
  tags?: readonly string[];
  /** Absent for an agent that a player may play; part of the world: its controller is the scenario's own. */
  part?: 'world';
  /** The agent's character, in its system text; '' for none. */
  persona: string;
  /** The agent's goals by priority, then in the scenario's order. */
  goals: readonly Goal[];
  controller: ControllerSpec;
  protocol: ProtocolName;
  memory: MemorySpec;
  reflection: ReflectionSpec;
}

/** Whether an agent is asked to explain its decisions after the run. Not part of the chain. */
export interface ReflectionSpec {
  when: 'success' | 'always' | 'never';
  /** The question; null for the built-in one. */
  question: string | null;
}

export const PROBE_KINDS = [
  'beside',
  'tile',
  'count',
  'side',
  'door',
  'holds',
  'named',
  'unknowable',
] as const;
export type ProbeKind = (typeof PROBE_KINDS)[number];

/** Those that can be asked about one thing in words that tell nothing of it. */
export const ASKED_KINDS = ['side', 'count', 'door', 'holds'] as const satisfies readonly ProbeKind[];

/** A question about what a scenario's author names. */
export interface AskSpec {
  /** The id of a thing, a door, a creature or an agent. */
  about: string;
  kind: (typeof ASKED_KINDS)[number];
  /** What the question calls it: its name, unless the author chose other words. */
  as?: string;
}

/** When agents are asked what they see. Not part of the chain. */
export interface ProbesSpec {
  /** The interval in turns, beginning with turn 1; null if no turns are specified. */
  every: number | null;
  steps: readonly number[];
  kinds: readonly ProbeKind[];
  /** The number of questions per step. */
  each: number;
  /** If present, only these questions are asked, and `kinds` has no effect. */
  ask?: readonly AskSpec[];
  /** Whether each question is asked a second time with a grey picture. Absent if not. */
  grey?: true;
}

export interface TurnSpec {
  order: 'sequential' | 'simultaneous';
  max: number;
  /** If set, `max` was this many times the turns of the best solution, or less. */
  timesBest?: number;
  /** Maximum number of replies in one step that can't be read or are refused, before it is given up. */
  attempts: number;
  /**
   * Maximum number of refused actions in one step; `attempts` then counts only replies that can't be
   * read. Absent if it counts both.
   */
  refusals?: number;
  /** What happens if a step is given up: it counts as a wait, or the run ends. */
  givenUp: 'wait' | 'stop';
  /** Maximum number of free actions in one step. */
  freeActs: number;
  /** Whether an unreadable reply is followed by a request for only the answer, which counts as an attempt. */
  repair: boolean;
  /** What happens after the same action in the same situation, `times` in a row; null if nothing happens. */
  repeats: { times: number; then: 'nudge' | 'stop' } | null;
  /** Limits of speculative calls; null if there are none, as in logs from before this setting existed. */
  speculate?: SpeculateSpec | null;
}

/** Which agents are called before their turn, in sequential order. */
export interface SpeculateSpec {
  /** Maximum number of agents at once. */
  ahead: number;
  /** Speculation stops for an agent after this many more discarded than useful calls. */
  wastedMax: number;
}

/** What a scenario measures, as its author says. */
export interface MeasuresSpec {
  /** In percent of seeds. */
  chance: number;
  needs: readonly ('picture' | 'speech')[];
  /** What must have reached an agent before it can decide well. Absent if its author doesn't say. */
  facts?: readonly NeededFact[];
}

/** Exactly one of `seen` and `told` is present. */
export interface NeededFact {
  /** The id of what the agent must have seen. */
  seen?: string;
  /** Words that it must have heard, read or been told by the world. */
  told?: string;
  /** The agent that needs it; absent: every agent that a player may play. */
  agent?: string;
}

/** Limits of a run, which ends when it reaches one of them; null means no limit. */
export interface BudgetSpec {
  /** The maximum number of steps, of all agents together. */
  steps: number | null;
  tokens: number | null;
  seconds: number | null;
  /** Decimal text, in the currency of the models' prices. */
  cost: string | null;
}

/** The rewards of agents, as decimal text; '0' pays nothing. */
export interface RewardSpec {
  /** Paid once, when the agent or the run succeeds, or fails. */
  success: string;
  failure: string;
  /** Paid for each turn in which a controller decided for the agent. */
  step: string;
  /** Paid for each action that was understood but refused. */
  refused: string;
  /** Paid for each reply that was not understood. */
  unreadable: string;
  /** Paid for each turn by which success came closer. */
  progress: string;
  /** The learner's discount, from 0 to 1. */
  discount: string;
  /** Maximum number of steps that the solver searches after each turn. */
  effort: number;
}

export interface RenderSpec {
  /** The side of a tile in pixels of the sent frame. */
  tilePixels: number;
  /** The window in tiles; odd, so that the agent is in the middle. */
  columns: number;
  rows: number;
  /** The path of the manifest as written in the scenario; null for the built-in tileset. */
  tileset: string | null;
  /** Whether the model gets the picture, the text, or both. */
  channel: 'both' | 'image' | 'text';
  /**
   * Whether offers contain names if only the picture is sent. Absent with other channels, and in older logs,
   * whose offers contained names.
   */
  names?: boolean;
  /** Whether the picture is grey all over, as a control. Absent if it shows the scene. */
  blank?: true;
  /** Numbered marks on things, which the text repeats. */
  marks: boolean;
  /** A section that describes the appearance of things in the picture. */
  legend: boolean;
  /** Row and column numbers along the edge. */
  ruler: boolean;
  /** The skin of floors and walls, 0 … LIMITS.skinNumber; 0 is the tileset's own. */
  skin: number;
}

export interface PromptSpec {
  /**
   * The contents of templates by name; the others use the built-in wording. See docs/reference/prompts.md.
   */
  templates: Readonly<Record<string, string>>;
  /** Rules of the scenario, shown to every agent; '' for none. */
  rules: string;
  /** Whether a turn's text and the guided form list the legal actions. */
  offers: boolean;
  /** False if a reply is only the action, without reasoning before it. Absent if reasoning is allowed. */
  reasoning?: false;
  /** A section that repeats what the agent knows, as JSON: everything, or these keys. */
  snapshot: boolean | readonly string[];
}

/** One value of a list in `draw`. */
export type DrawnValue = DrawnScalar | { readonly [part: string]: DrawnScalar };
export type DrawnScalar = string | number | boolean;

/** What was drawn, by the names in `draw`; for a shuffled list, its values in order. */
export interface Drawn {
  readonly [name: string]: DrawnValue | readonly DrawnValue[];
}

export interface DrawSpec {
  drawn: Drawn;
  /**
   * The scenario as it was written, without settings of models and other files: what else might have been drawn.
   * Fractions are stored as in `ModelSpec.extra`.
   */
  from: Json;
}

/** `colour red, n 2, pair (a · b), key (word rouge, at 3)`. */
export function drawnText(drawn: Drawn): string {
  const textOf = (value: Drawn[string]): string => {
    if (typeof value !== 'object') return String(value);
    return `(${isRecord<DrawnScalar>(value) ? drawnText(value) : value.map(textOf).join(' · ')})`;
  };
  return Object.entries(drawn)
    .map(([name, value]) => `${name} ${textOf(value)}`)
    .join(', ');
}

/** A checked scenario with defaults filled in: plain JSON, stored as a whole in the log. */
export interface Scenario {
  name: string;
  title: string;
  description: string;
  /** Any text; whole numbers are stored as text. */
  seed: string;
  /** Absent if nothing was drawn. What was drawn stands at its places; this tells what it was. */
  draw?: DrawSpec;
  environment: string;
  /** Other names for actions; absent if there are none. */
  spokenNames?: SpokenNames;
  /** The definition of its environment. */
  definition: Json;
  agents: readonly AgentSpec[];
  /** The models by the name that controllers use. */
  models: Readonly<Record<string, ModelSpec>>;
  turns: TurnSpec;
  budget: BudgetSpec;
  /** Absent if there are no rewards. */
  rewards?: RewardSpec;
  /** Absent if its author doesn't say. */
  measures?: MeasuresSpec;
  render: RenderSpec;
  prompt: PromptSpec;
  /** Null if no agent is asked. */
  probes: ProbesSpec | null;
}

/** The models that a scenario's agents ask, except agents with another controller. */
export function modelsOfAgents(
  { agents, models }: Scenario,
  otherwiseControlled: readonly string[] = [],
): readonly ModelSpec[] {
  const names = agents.flatMap(({ id, controller }) =>
    controller.kind === 'model' && !otherwiseControlled.includes(id) ? [controller.model] : [],
  );
  return [...new Set(names)].flatMap((name) => lookUp(models, name) ?? []);
}

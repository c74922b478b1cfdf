/**
 * A checked, effective scenario: plain data, every default filled in, environment variables read. The log
 * stores it, and everything after the loader uses only it. `schema.ts` defines its form in YAML.
 */
import { lookUp } from '../base/look-up.js';
import type { Json } from '../base/json.js';
import type { SpokenNames } from '../environment/action.js';

export interface Goal {
  /** Smaller is more important. */
  readonly priority: number;
  readonly name: string;
  readonly description: string;
  /** `task`: what to achieve; `rule`: what to obey; `example`: how it may be done. */
  readonly kind: 'task' | 'rule' | 'example';
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
  readonly kind: 'none' | 'window' | 'history' | 'summary' | 'notes' | 'file';
  /** Maximum number of turns before a block is dropped. */
  readonly turnsMax: number;
  /** Turns left after a block is dropped. */
  readonly turnsKept: number;
  /** Maximum length of a summary. */
  readonly charactersMax: number;
  /** Maximum number of notes. */
  readonly notesMax: number;
  /** The number of newest past turns that are sent with their pictures; absent for none. */
  readonly pictures?: number;
  /** The number of past pictures that the agent may request in one turn (RECALL); absent for none. */
  readonly recalls?: number;
}

/** Programs that serve models, by their names in scenarios. */
export const SERVER_NAMES = ['vllm', 'llama.cpp', 'ollama', 'sglang', 'lm-studio', 'openrouter'] as const;

export type ServerName = (typeof SERVER_NAMES)[number];

/**
 * A model behind an OpenAI-compatible server. Fractions are stored as decimal text, because state contains no
 * floats.
 */
export interface ModelSpec {
  readonly baseUrl: string;
  /** The model's name on the server; null for the server's only model. */
  readonly model: string | null;
  /** The name of the environment variable with the key, never the key itself; null if no key is sent. */
  readonly apiKeyEnv: string | null;
  /** Decimal text, for example "0.2". */
  readonly temperature: string;
  readonly topP: string;
  /** Maximum tokens of a reply. */
  readonly maxTokens: number;
  /**
   * The sampling seed of every request; if null, each request has its own, derived from the run's seed, the
   * agent, the step and the attempt.
   */
  readonly seed: number | null;
  /** The time limit for a whole reply. */
  readonly timeoutMs: number;
  /** Retries after a temporary failure. */
  readonly retries: number;
  readonly guided: GuidedMode;
  /** The program that serves the model, if the server does not report it; if null, it is detected. */
  readonly server: ServerName | null;
  /** Per million tokens, as decimal text. */
  readonly price: { readonly prompt: string; readonly reply: string };
  /**
   * Additional fields of the request, passed to the server unchanged. Fractions are stored as `{ "decimal":
   * "0.9" }`.
   */
  readonly extra: { readonly [field: string]: Json };
}

/**
 * Whether the server enforces the form of replies. `auto`: it does if it supports that. `require`: the run
 * does not begin unless it does.
 */
export type GuidedMode = 'off' | 'auto' | 'require';

export type ControllerSpec =
  | { readonly kind: 'model'; readonly model: string }
  | { readonly kind: 'scripted' }
  | { readonly kind: 'random' }
  /** Plays the shortest plan that the solver finds, with full knowledge of the world. */
  | { readonly kind: 'oracle' }
  /** A person; the caller of the run asks them. */
  | { readonly kind: 'human' }
  /** The user's own program. A scenario can never name it: docs/decisions/0013-programs.md. */
  | { readonly kind: 'process' }
  | {
      readonly kind: 'replies';
      readonly replies: readonly string[];
      readonly then: 'wait' | 'repeat' | 'stop';
    };

/** An agent of the scenario, with defaults filled in. */
export interface AgentSpec {
  readonly id: string;
  readonly name: string;
  /** Labels by which programs select the agent; absent for none. Agents never see them. */
  readonly tags?: readonly string[];
  /** Absent for an agent that a player may play; part of the world: its controller is the scenario's own. */
  readonly part?: 'world';
  /** The agent's character, in its system text; '' for none. */
  readonly persona: string;
  /** The agent's goals by priority, then in the scenario's order. */
  readonly goals: readonly Goal[];
  readonly controller: ControllerSpec;
  readonly protocol: ProtocolName;
  readonly memory: MemorySpec;
  readonly reflection: ReflectionSpec;
}

/** Whether an agent is asked to explain its decisions after the run. Not part of the chain. */
export interface ReflectionSpec {
  readonly when: 'success' | 'always' | 'never';
  /** The question; null for the built-in one. */
  readonly question: string | null;
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

/** When agents are asked what they see. Not part of the chain. */
export interface ProbesSpec {
  /** The interval in turns, beginning with turn 1; null if no turns are specified. */
  readonly every: number | null;
  readonly steps: readonly number[];
  readonly kinds: readonly ProbeKind[];
  /** The number of questions per step. */
  readonly each: number;
}

export interface TurnSpec {
  readonly order: 'sequential' | 'simultaneous';
  readonly max: number;
  /** Maximum number of replies in one step before it counts as a wait. */
  readonly attempts: number;
  /** What happens if all attempts fail: the step counts as a wait, or the run ends. */
  readonly givenUp: 'wait' | 'stop';
  /** Maximum number of free actions in one step. */
  readonly freeActs: number;
  /** Whether an unreadable reply is followed by a request for only the answer, which counts as an attempt. */
  readonly repair: boolean;
  /** What happens after the same action in the same situation, `times` in a row; null if nothing happens. */
  readonly repeats: { readonly times: number; readonly then: 'nudge' | 'stop' } | null;
  /** Limits of speculative calls; null if there are none, as in logs from before this setting existed. */
  readonly speculate?: SpeculateSpec | null;
}

/** Which agents are called before their turn, in sequential order. */
export interface SpeculateSpec {
  /** Maximum number of agents at once. */
  readonly ahead: number;
  /** Speculation stops for an agent after this many more discarded than useful calls. */
  readonly wastedMax: number;
}

/** Limits of a run, which ends when it reaches one of them; null means no limit. */
export interface BudgetSpec {
  /** The maximum number of steps, of all agents together. */
  readonly steps: number | null;
  readonly tokens: number | null;
  readonly seconds: number | null;
  /** Decimal text, in the currency of the models' prices. */
  readonly cost: string | null;
}

/** The rewards of agents, as decimal text; '0' pays nothing. */
export interface RewardSpec {
  /** Paid once, when the agent or the run succeeds, or fails. */
  readonly success: string;
  readonly failure: string;
  /** Paid for each turn in which a controller decided for the agent. */
  readonly step: string;
  /** Paid for each action that was understood but refused. */
  readonly refused: string;
  /** Paid for each reply that was not understood. */
  readonly unreadable: string;
  /** Paid for each turn by which success came closer. */
  readonly progress: string;
  /** The learner's discount, from 0 to 1. */
  readonly discount: string;
  /** Maximum number of steps that the solver searches after each turn. */
  readonly effort: number;
}

export interface RenderSpec {
  /** The side of a tile in pixels of the sent frame. */
  readonly tilePixels: number;
  /** The window in tiles; odd, so that the agent is in the middle. */
  readonly columns: number;
  readonly rows: number;
  /** The path of the manifest as written in the scenario; null for the built-in tileset. */
  readonly tileset: string | null;
  /** Whether the model gets the picture, the text, or both. */
  readonly channel: 'both' | 'image' | 'text';
  /**
   * Whether offers contain names if only the picture is sent. Absent with other channels, and in older logs,
   * whose offers contained names.
   */
  readonly names?: boolean;
  /** Whether the picture is grey all over, as a control. Absent if it shows the scene. */
  readonly blank?: true;
  /** Numbered marks on things, which the text repeats. */
  readonly marks: boolean;
  /** A section that describes the appearance of things in the picture. */
  readonly legend: boolean;
  /** Row and column numbers along the edge. */
  readonly ruler: boolean;
  /** The skin of floors and walls, 0 … LIMITS.skinNumber; 0 is the tileset's own. */
  readonly skin: number;
}

export interface PromptSpec {
  /**
   * The contents of templates by name; the others use the built-in wording. See docs/reference/prompts.md.
   */
  readonly templates: Readonly<Record<string, string>>;
  /** Rules of the scenario, shown to every agent; '' for none. */
  readonly rules: string;
  /** Whether a turn's text and the guided form list the legal actions. */
  readonly offers: boolean;
  /** False if a reply is only the action, without reasoning before it. Absent if reasoning is allowed. */
  readonly reasoning?: false;
  /** A section that repeats what the agent knows, as JSON: everything, or these keys. */
  readonly snapshot: boolean | readonly string[];
}

/** A checked scenario with defaults filled in: plain JSON, stored as a whole in the log. */
export interface Scenario {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Any text; whole numbers are stored as text. */
  readonly seed: string;
  readonly environment: string;
  /** Other names for actions; absent if there are none. */
  readonly spokenNames?: SpokenNames;
  /** The definition of its environment. */
  readonly definition: Json;
  readonly agents: readonly AgentSpec[];
  /** The models by the name that controllers use. */
  readonly models: Readonly<Record<string, ModelSpec>>;
  readonly turns: TurnSpec;
  readonly budget: BudgetSpec;
  /** Absent if there are no rewards. */
  readonly rewards?: RewardSpec;
  readonly render: RenderSpec;
  readonly prompt: PromptSpec;
  /** Null if no agent is asked. */
  readonly probes: ProbesSpec | null;
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

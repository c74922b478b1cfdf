/**
 * A checked scenario as it takes effect: plain data, every default filled in, environment variables read. The log
 * stores it, and everything after the loader works from it alone. How it is written in YAML is `schema.ts`.
 */
import { lookUp } from '../base/look-up.js';
import type { Json } from '../base/json.js';
import type { SpokenNames } from '../environment/action.js';

export interface Goal {
  /** Smaller is more important. */
  readonly priority: number;
  readonly name: string;
  readonly description: string;
  /** What to reach, what to keep to meanwhile, how it may be done. */
  readonly kind: 'task' | 'rule' | 'example';
}

/** The reply formats, as scenarios and the command line name them; `parse/protocols.ts` has one of each. */
export const PROTOCOL_NAMES = ['command', 'json', 'react', 'tools'] as const;
export type ProtocolName = (typeof PROTOCOL_NAMES)[number];

export interface MemorySpec {
  /**
   * `none`: no past. `window`: the newest turns. `history`: past turns, append-only, trimmed in blocks. `summary`: what is trimmed is summed
   * up by the model. `notes`: a history, and what the agent writes down with NOTE. `file`: notes that last over runs.
   */
  readonly kind: 'none' | 'window' | 'history' | 'summary' | 'notes' | 'file';
  /** Turns kept at the most before a block is dropped. */
  readonly turnsMax: number;
  /** Turns left after a block was dropped. */
  readonly turnsKept: number;
  /** A summary's length at the most. */
  readonly charactersMax: number;
  /** Notes kept at the most. */
  readonly notesMax: number;
}

/** Programs that serve models, as a scenario names them. */
export const SERVER_NAMES = ['vllm', 'llama.cpp', 'ollama', 'sglang', 'lm-studio', 'openrouter'] as const;

export type ServerName = (typeof SERVER_NAMES)[number];

/** A model behind an OpenAI-compatible server. Fractions are kept as decimal text, since state holds no floats. */
export interface ModelSpec {
  readonly baseUrl: string;
  /** Null: the server's only model. */
  readonly model: string | null;
  /** The name of the environment variable that holds the key, never the key. Null: none needed. */
  readonly apiKeyEnv: string | null;
  /** Decimal text, such as "0.2". */
  readonly temperature: string;
  readonly topP: string;
  /** Of a reply. */
  readonly maxTokens: number;
  /** Of every request; null: each has one that follows from the run's seed, the agent, the step and the attempt. */
  readonly seed: number | null;
  /** For one reply, whole. */
  readonly timeoutMs: number;
  /** Further tries after a failure that may pass. */
  readonly retries: number;
  readonly guided: GuidedMode;
  /** The program that serves it, if the server itself does not report it; null: detected. */
  readonly server: ServerName | null;
  /** For a million tokens, as decimal text. */
  readonly price: { readonly prompt: string; readonly reply: string };
  /**
   * Additional body fields that a server understands, passed unchanged. Floats are decimal text `{ "decimal":
   * "0.9" }`.
   */
  readonly extra: { readonly [field: string]: Json };
}

/** Whether replies are held to a form while the server makes them. `auto`: where it can. `require`: or the run does not begin. */
export type GuidedMode = 'off' | 'auto' | 'require';

export type ControllerSpec =
  | { readonly kind: 'model'; readonly model: string }
  | { readonly kind: 'scripted' }
  | { readonly kind: 'random' }
  /** A person, asked by the caller of the run. */
  | { readonly kind: 'human' }
  /** A program of the user's. Which one is never the scenario's to say: docs/decisions/0013-programs.md. */
  | { readonly kind: 'process' }
  | {
      readonly kind: 'replies';
      readonly replies: readonly string[];
      readonly then: 'wait' | 'repeat' | 'stop';
    };

/** An agent as the scenario says it, defaults filled in. */
export interface AgentSpec {
  readonly id: string;
  readonly name: string;
  /** What programs find it by; absent for none. No agent sees them. */
  readonly tags?: readonly string[];
  /** Who it is, in its system text; '' for nothing. */
  readonly persona: string;
  /** By priority, then in the scenario's order. */
  readonly goals: readonly Goal[];
  readonly controller: ControllerSpec;
  readonly protocol: ProtocolName;
  readonly memory: MemorySpec;
  readonly reflection: ReflectionSpec;
}

/** Whether an agent is asked to explain itself once the run is over. Outside the chain. */
export interface ReflectionSpec {
  readonly when: 'success' | 'always' | 'never';
  /** Null: the built-in question. */
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

/** When agents are asked what they see. Outside the chain. */
export interface ProbesSpec {
  /** In turn 1 and every so many turns after it; null: not by turns. */
  readonly every: number | null;
  readonly steps: readonly number[];
  readonly kinds: readonly ProbeKind[];
  /** Questions at such a step. */
  readonly each: number;
}

export interface TurnSpec {
  readonly order: 'sequential' | 'simultaneous';
  readonly max: number;
  /** Replies asked for within one step before it counts as a wait. */
  readonly attempts: number;
  /** What happens if all of them failed: a wait replaces the action, or the run ends. */
  readonly givenUp: 'wait' | 'stop';
  /** Free actions within one step. */
  readonly freeActs: number;
  /** Whether an unreadable reply is first asked for once more in its form. It counts as an attempt. */
  readonly repair: boolean;
  /** What becomes of the same action in the same situation, `times` in a row; null: nothing. */
  readonly repeats: { readonly times: number; readonly then: 'nudge' | 'stop' } | null;
  /** Limits of speculative calls; null: none are made, as in logs from before this setting existed. */
  readonly speculate?: SpeculateSpec | null;
}

/** Who is asked ahead of their turn, where turns are taken one after the other. */
export interface SpeculateSpec {
  /** Agents at the most at a time. */
  readonly ahead: number;
  /** Speculation stops for an agent after this many more discarded than useful calls. */
  readonly wastedMax: number;
}

/** What a run may use up before it ends; null: no limit. */
export interface BudgetSpec {
  /** Agents' steps, all together. */
  readonly steps: number | null;
  readonly tokens: number | null;
  readonly seconds: number | null;
  /** Decimal text, in the currency of the models' prices. */
  readonly cost: string | null;
}

/** What agents are rewarded for, as decimal text; '0' pays nothing. */
export interface RewardSpec {
  /** Paid once, when the agent or the run succeeds, or fails. */
  readonly success: string;
  readonly failure: string;
  /** For each turn in which somebody decided for the agent. */
  readonly step: string;
  /** For each action that was understood and not done. */
  readonly refused: string;
  /** For each reply that was not understood. */
  readonly unreadable: string;
  /** For each turn by which success came nearer. */
  readonly progress: string;
  /** The learner's discount, from 0 to 1. */
  readonly discount: string;
  /** How many steps the solver may try after each turn. */
  readonly effort: number;
}

export interface RenderSpec {
  /** Pixels of a tile's side in the frame that is sent. */
  readonly tilePixels: number;
  /** The window in tiles; odd, so that the agent is in the middle. */
  readonly columns: number;
  readonly rows: number;
  /** Null: the project's own. Else the manifest's path as the scenario names it. */
  readonly tileset: string | null;
  /** What the model gets. */
  readonly channel: 'both' | 'image' | 'text';
  /** Whether offers have names where only the picture is sent. Absent with other channels, and in logs of before, whose offers had them. */
  readonly names?: boolean;
  /** Numbered marks on things that the text repeats. */
  readonly marks: boolean;
  /** A section that describes the appearance of things in the picture. */
  readonly legend: boolean;
  /** Row and column numbers along the edge. */
  readonly ruler: boolean;
  /** Which look of floors and walls, 0 … LIMITS.skinNumber; 0 is the tileset's own. */
  readonly skin: number;
}

export interface PromptSpec {
  /** Templates by name, already read; names not given use the built-in one. See docs/reference/prompts.md. */
  readonly templates: Readonly<Record<string, string>>;
  /** Shared rules of the scenario, shown to every agent; '' for none. */
  readonly rules: string;
  /** Whether a turn's text and the guided form list the legal actions. */
  readonly offers: boolean;
  /** A section that repeats all that the agent knows as JSON. */
  readonly snapshot: boolean;
}

/** A checked scenario, defaults filled in: plain JSON, kept whole in the log. */
export interface Scenario {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Any text; integers are written as such. */
  readonly seed: string;
  readonly environment: string;
  /** Names that actions go by instead of their own; left out where there are none. */
  readonly spokenNames?: SpokenNames;
  /** The environment's own definition, opened by its kind. */
  readonly definition: Json;
  readonly agents: readonly AgentSpec[];
  /** By the name that controllers give them. */
  readonly models: Readonly<Record<string, ModelSpec>>;
  readonly turns: TurnSpec;
  readonly budget: BudgetSpec;
  /** Absent: nothing is rewarded. */
  readonly rewards?: RewardSpec;
  readonly render: RenderSpec;
  readonly prompt: PromptSpec;
  /** Null: no agent is asked. */
  readonly probes: ProbesSpec | null;
}

/** The models that a scenario's agents ask, but for those whom others decide for. */
export function modelsAsked(
  { agents, models }: Scenario,
  others: readonly string[] = [],
): readonly ModelSpec[] {
  const names = agents.flatMap(({ id, controller }) =>
    controller.kind === 'model' && !others.includes(id) ? [controller.model] : [],
  );
  return [...new Set(names)].flatMap((name) => lookUp(models, name) ?? []);
}

/**
 * Makes an environment from a short specification: actions, an initial state, the text for agents, and the
 * end condition. The rest of the contract is derived: WAIT, the turn counter, result messages, offers (from
 * the actions' `check`), hashes. In: a specification with pure functions; out: a kind of environment like any
 * other. Intents are performed in the given order.
 */
import { assert, AssertionError, known } from '../base/assert.js';
import { hashOf } from '../base/canonical.js';
import type { Json } from '../base/json.js';
import { lookUp } from '../base/look-up.js';
import type { Problem } from '../base/problem.js';
import { problem } from '../base/problem.js';
import type { Action, ActionRegistry, Event, Intent } from './action.js';
import { actionRegistry } from './action.js';
import { UsageError } from '../base/errors.js';
import type { ActResult, Environment, EnvironmentKind, Outcome } from './environment.js';
import type { Noun, Observation } from './observation.js';
import { isOfferable, offerOf } from './legal-action.js';
import type { ActionSpec } from './own-action.js';
import { completeAction } from './own-action.js';
import { resultOf } from './own-failure.js';
import type { Scene } from './scene.js';
import { waitAction } from './standard-actions.js';

/**
 * `C` is the definition from the scenario, with the ids of its agents. `S` is the state of the world: plain
 * JSON without fractions, which must never be changed in place, because hashes are cached by object.
 */
export interface EnvironmentSpec<C, S> {
  /** Its name in scenarios, as the value of `environment`. */
  readonly kind: string;
  /** Increase it whenever the same log would play differently. */
  readonly rulesVersion: number;
  /** Actions besides WAIT, which every environment has. */
  readonly actions: readonly ActionSpec<S>[];
  /** The state before the first turn. All randomness must follow from the seed. */
  create(settings: C & WithAgents, seed: string): S;
  /** The agent's text for each turn, one line per entry; the result of its last action is added. */
  tell(state: S, agent: string, settings: C & WithAgents): readonly string[];
  /** Called after every step. */
  outcome(state: S, settings: C & WithAgents): Outcome;
  /** False if there is no success condition, so that running out of turns is not a failure. Default: true. */
  readonly hasGoal?: boolean;
  /** Names of the actions that an agent may ever be offered. Default: all. */
  scope?(agent: string, settings: C & WithAgents): readonly string[];
  /** Whether an agent still acts. Default: always. */
  isActive?(state: S, agent: string): boolean;
  /** What an agent may name in an argument. Default: nothing. */
  nouns?(state: S, agent: string): readonly SpecNoun[];
  /** The same knowledge as data, for programs. Default: nothing. */
  facts?(state: S, agent: string): Observation['facts'];
  /** What an agent sees, or everything if the agent is null. Default: the environment has no picture. */
  scene?(state: S, agent: string | null): Scene;
  /** The world's part of a turn. Default: nothing happens by itself. */
  endTurn?(state: S): { readonly state: S; readonly events?: readonly Event[] };
}

/** A noun; in most worlds it has no aliases. */
export type SpecNoun = Omit<Noun, 'aliases'> & Partial<Pick<Noun, 'aliases'>>;

/** The agents, which every definition has in addition to its settings. */
export interface WithAgents {
  /** Ids, in turn order. */
  readonly agents: readonly string[];
}

/** The state of a world made from a specification. */
export interface DefinedState<S> {
  /** From 1. */
  readonly turn: number;
  /** By agent: the message about its last action, or the reason why it was refused. */
  readonly last: Readonly<Record<string, string>>;
  /** The specification's own state. */
  readonly world: S;
}

/** Ids of the sections in its observations, which a turn's template may name. */
export const DEFINED_SECTIONS = ['place', 'last'] as const;

/**
 * Makes a kind of environment from a specification. Throws UsageError if two actions have the same name; if a
 * function of the specification returns the wrong type, the call throws UsageError with the function's name.
 */
export function defineEnvironment<C extends object, S>(
  spec: EnvironmentSpec<C, S>,
): EnvironmentKind<DefinedState<S>> {
  const completeActions: readonly Action<S>[] = [
    waitAction<S>(),
    ...spec.actions.map((action) => completeAction(action, (state) => worldHash(spec, state))),
  ];
  const actions = actionRegistry(completeActions.map((action) => liftAction(action)));
  return {
    kind: spec.kind,
    rulesVersion: spec.rulesVersion,
    actionNames: actions.list().map(({ name }) => name),
    open: (definition) => openSpec({ spec, actions, settings: settingsOf<C>(definition) }),
  };
}

function settingsOf<C extends object>(definition: Json): C & WithAgents {
  const isRecord = typeof definition === 'object' && definition !== null && 'agents' in definition;
  assert(isRecord && Array.isArray(definition['agents']), 'a definition must list its agents');
  // The scenario's reader has already checked the rest.
  return definition as unknown as C & WithAgents;
}

/** Converts an action on the specification's own state into one on the whole state. */
function liftAction<S>(action: Action<S>): Action<DefinedState<S>> {
  return {
    ...action,
    check: ({ world }, agent, args) => action.check(world, agent, args),
    apply: (state, agent, args, outside) => {
      const applied = action.apply(state.world, agent, args, outside);
      return { ...applied, state: { ...state, world: applied.state } };
    },
  };
}

interface OpenedSpec<C, S> {
  readonly spec: EnvironmentSpec<C, S>;
  readonly actions: ActionRegistry<DefinedState<S>>;
  readonly settings: C & WithAgents;
}

function openSpec<C, S>(opened: OpenedSpec<C, S>): Environment<DefinedState<S>> {
  const { spec, actions, settings } = opened;
  const scene = ({ world }: DefinedState<S>, agent: string | null): Scene | null =>
    spec.scene?.(world, agent) ?? null;
  return {
    kind: spec.kind,
    rulesVersion: spec.rulesVersion,
    actions,
    agents: settings.agents,
    hasGoal: spec.hasGoal ?? true,
    create: (seed) => ({ turn: 1, last: {}, world: spec.create(settings, seed) }),
    scope: (agent) => scopeOf(opened, agent),
    active: ({ world }) => settings.agents.filter((agent) => spec.isActive?.(world, agent) ?? true),
    legalActions: (state, agent) => offersFor(opened, state, agent),
    observe: (state, agent) => ({
      agent,
      turn: state.turn,
      sections: sectionsOf(opened, state, agent),
      scope: scopeOf(opened, agent),
      offered: offersFor(opened, state, agent),
      nouns: nounsOf(spec, state, agent),
      facts: spec.facts?.(state.world, agent) ?? {},
      scene: scene(state, agent),
    }),
    scene,
    check: (state, intent) => refusalOf(opened, state, intent),
    advance: (state, intents) => advance(opened, state, intents),
    endTurn: (state) => {
      const { state: world, events = [] } = requireTurnEnd(spec, state.world);
      return { state: { ...state, turn: state.turn + 1, world }, events };
    },
    outcome: ({ world }) => requireOutcome(spec, spec.outcome(world, settings)),
    parts: ({ turn, last, world }) => ({
      turn: hashOf(turn),
      last: hashOf(last),
      world: worldHash(spec, world),
    }),
  };
}

function scopeOf<C, S>({ spec, actions, settings }: OpenedSpec<C, S>, agent: string): readonly string[] {
  const all = actions.list().map(({ name }) => name);
  const scoped = spec.scope?.(agent, settings);
  return scoped === undefined ? all : all.filter((name) => scoped.includes(name));
}

function offersFor<C, S>(
  opened: OpenedSpec<C, S>,
  state: DefinedState<S>,
  agent: string,
): Observation['offered'] {
  const scope = scopeOf(opened, agent);
  const nouns = nounsOf(opened.spec, state, agent);
  return opened.actions.list().flatMap((action) => {
    if (!scope.includes(action.name)) return [];
    const offer = offerOf(action, {
      nouns,
      spoken: (id) => spokenName(nouns, id),
      accepts: (args) => isOfferable(action.check(state, agent, args)),
    });
    return offer === null ? [] : [offer];
  });
}

/** How an offer names a noun: by its name if no other noun has it, otherwise by its distinct name or its id. */
function spokenName(nouns: readonly Noun[], id: string): string {
  const noun = nouns.find((one) => one.id === id);
  if (noun === undefined) return id;
  const isShared = nouns.some((other) => other.id !== id && other.name === noun.name);
  return isShared ? (noun.distinctName ?? id) : noun.name;
}

function sectionsOf<C, S>(
  { spec, settings }: OpenedSpec<C, S>,
  { world, last }: DefinedState<S>,
  agent: string,
): Observation['sections'] {
  const lastMessage = lookUp(last, agent);
  return [
    { id: 'place', lines: requireLines(spec, spec.tell(world, agent, settings)) },
    { id: 'last', lines: lastMessage === undefined ? [] : [lastMessage] },
  ];
}

function refusalOf<C, S>(
  opened: OpenedSpec<C, S>,
  state: DefinedState<S>,
  { agent, action, args }: Intent,
): Problem | undefined {
  const scope = scopeOf(opened, agent);
  if (scope.includes(action))
    return known(opened.actions.get(action), `the action ${action}`).check(state, agent, args);
  return problem('not-offered', `You can't use ${action} here. You can use ${scope.join(', ')}.`);
}

function advance<C, S>(
  opened: OpenedSpec<C, S>,
  start: DefinedState<S>,
  intents: readonly Intent[],
): ReturnType<Environment<DefinedState<S>>['advance']> {
  let state = start;
  const results: ActResult[] = [];
  const events: Event[] = [];
  for (const intent of intents) {
    const { agent } = intent;
    const refusal = refusalOf(opened, state, intent);
    if (refusal !== undefined) {
      state = withLastMessage(state, agent, refusal.message);
      results.push({ ok: false, problem: refusal });
      continue;
    }
    const action = known(opened.actions.get(intent.action), `the action ${intent.action}`);
    const applied = action.apply(state, agent, intent.args, intent.outside);
    state = withLastMessage(applied.state, agent, applied.message);
    results.push(resultOf(applied));
    events.push(...applied.events);
  }
  return { state, results, events };
}

function withLastMessage<S>(state: DefinedState<S>, agent: string, message: string): DefinedState<S> {
  return { ...state, last: { ...state.last, [agent]: message } };
}

function nounsOf<C, S>(
  spec: EnvironmentSpec<C, S>,
  { world }: DefinedState<S>,
  agent: string,
): readonly Noun[] {
  return (spec.nouns?.(world, agent) ?? []).map((noun) => ({ aliases: [], ...noun }));
}

type NamedSpec = Pick<EnvironmentSpec<never, never>, 'kind'>;

function requireLines(spec: NamedSpec, lines: readonly string[]): readonly string[] {
  if (Array.isArray(lines) && lines.every((line) => typeof line === 'string'))
    return lines.map((line) => line.toWellFormed());
  throw new UsageError(`${spec.kind}: \`tell\` must return a list of strings, one per line`);
}

function requireTurnEnd<C, S>(
  spec: EnvironmentSpec<C, S>,
  state: S,
): { state: S; events?: readonly Event[] } {
  if (spec.endTurn === undefined) return { state };
  const end = Object(spec.endTurn(state)) as { state?: S; events?: readonly Event[] };
  if (end.state !== undefined) return { ...end, state: end.state };
  throw new UsageError(`${spec.kind}: endTurn did not return { state }`, [
    'return the state, changed or unchanged, in a record: { state }',
  ]);
}

const STATUSES: readonly Outcome['status'][] = ['running', 'succeeded', 'failed', 'ended'];

function requireOutcome(spec: NamedSpec, outcome: Outcome): Outcome {
  const { status, reason } = Object(outcome) as Partial<Outcome>;
  if (STATUSES.some((valid) => valid === status) && typeof reason === 'string') return outcome;
  throw new UsageError(`${spec.kind}: outcome did not return { status, reason }`, [
    `the status must be one of ${STATUSES.join(', ')}, and the reason must be text`,
  ]);
}

function worldHash<C, S>({ kind }: EnvironmentSpec<C, S>, world: S): string {
  try {
    return hashOf(world as Json);
  } catch (error) {
    if (!(error instanceof AssertionError)) throw error;
    throw new UsageError(`${kind}: the state is not plain JSON: ${error.message}`, [
      'use whole numbers, text, booleans, lists and records, but no fractions, no undefined, no Map or Set',
    ]);
  }
}

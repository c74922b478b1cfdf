/**
 * Makes an environment from a short specification: actions, an initial state, the text for agents, and the
 * end condition. The rest of the contract is derived: WAIT, the turn counter, result messages, what agents
 * hear and notice of each other, offers (from the actions' `check`), hashes.
 */
import { assert, AssertionError } from '../base/assert.js';
import { hashOf } from '../base/canonical.js';
import { UsageError } from '../base/errors.js';
import type { Json } from '../base/json.js';
import { lookUp } from '../base/look-up.js';
import { stream } from '../base/rng.js';
import type { Action, Event } from './action.js';
import { actionRegistry } from './action.js';
import { advance, isActive, newsOf, noticed, refusalOf, scopeOf, withWords } from './defined-step.js';
import type { Environment, EnvironmentKind, Outcome, SearchAids } from './environment.js';
import type { DefinedState, EnvironmentSpec, OpenedSpec, WithAgents } from './environment-spec.js';
import { isOfferable, offerOf } from './legal-action.js';
import { newsFacts, newsLines } from './news.js';
import type { Noun, Observation, Section } from './observation.js';
import type { CompleteAction } from './own-action.js';
import { completeAction } from './own-action.js';
import type { Scene } from './scene.js';
import { waitAction } from './standard-actions.js';
import { TIES } from './turn-order.js';

/**
 * Makes a kind of environment from a specification. Throws UsageError if two actions have the same name; if a
 * function of the specification returns the wrong type, the call throws UsageError with the function's name.
 */
export function defineEnvironment<C extends object, S>(
  spec: EnvironmentSpec<C, S>,
): EnvironmentKind<DefinedState<S>> {
  const actions = actionRegistry([
    liftAction(spec, waitAction<S>()),
    ...spec.actions.map((action) =>
      liftAction(
        spec,
        completeAction(action, (state) => worldParts(spec, state)),
      ),
    ),
  ]);
  return {
    kind: spec.kind,
    rulesVersion: spec.rulesVersion,
    actionNames: actions.list().map(({ name }) => name),
    open: (definition) => {
      const isRecord = typeof definition === 'object' && definition !== null && 'agents' in definition;
      assert(isRecord && Array.isArray(definition['agents']), 'a definition must list its agents');
      // The scenario's reader has already checked the rest.
      return openSpec({ spec, actions, settings: definition as unknown as C & WithAgents });
    },
  };
}

/** Converts an action on the specification's own state into one on the whole state. */
function liftAction<C, S>(spec: EnvironmentSpec<C, S>, action: CompleteAction<S>): Action<DefinedState<S>> {
  return {
    ...action,
    check: ({ world }, agent, args) => action.check(world, agent, args),
    apply: (state, agent, args, outside) => {
      const { spoken, ...applied } = action.apply(state.world, agent, args, outside);
      const after = { ...state, world: applied.state };
      const isHeard = spec.notice !== undefined && spoken !== undefined;
      return { ...applied, state: isHeard ? withWords(after, agent, spoken) : after };
    },
  };
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
    ...(spec.pictureGuide === undefined ? {} : { pictureGuide: spec.pictureGuide }),
    create: (seed) => ({
      turn: 1,
      last: {},
      world: spec.create(settings, seed),
      ...(spec.notice === undefined ? {} : { news: {} }),
      ...(spec.order === 'drawn' ? { ties: stream(seed, TIES) } : {}),
    }),
    scope: (agent) => scopeOf(opened, agent),
    active: ({ world }) => settings.agents.filter((agent) => isActive(opened, world, agent)),
    legalActions: (state, agent) => offersFor(opened, state, agent),
    observe: (state, agent) => ({
      agent,
      turn: state.turn,
      sections: sectionsOf(opened, state, agent),
      scope: scopeOf(opened, agent),
      offered: offersFor(opened, state, agent),
      nouns: nounsOf(spec, state, agent),
      facts: factsOf(spec, state, agent),
      scene: scene(state, agent),
    }),
    scene,
    check: (state, intent) => refusalOf(opened, state, intent),
    advance: (state, intents) => advance(opened, state, intents),
    endTurn: (state) => {
      const { state: world, events = [] } = requireTurnEnd(spec, state.world);
      return { state: noticed(spec, { ...state, turn: state.turn + 1, world }, events), events };
    },
    outcome: ({ world }) => requireOutcome(spec, spec.outcome(world, settings)),
    ...(spec.inventory === undefined ? {} : { inventory: ({ world }) => spec.inventory?.(world) ?? [] }),
    parts: ({ turn, last, world, news, ties }) => ({
      ...worldParts(spec, world),
      turn: hashOf(turn),
      last: hashOf(last),
      ...(news === undefined ? {} : { news: hashOf(news) }),
      ...(ties === undefined ? {} : { rng: hashOf(ties) }),
    }),
    ...(spec.search === undefined ? {} : { search: liftSearch(spec.search) }),
  };
}

/** The hints for the whole state: if the order of ticks is drawn, their future depends on the stream, too. */
function liftSearch<S>(search: Omit<SearchAids<S>, 'indistinguishableWorlds'>): SearchAids<DefinedState<S>> {
  const keyOf = ({ world, ties }: DefinedState<S>): string => {
    const key = search.key?.(world) ?? '';
    return ties === undefined ? key : hashOf([key, ties]);
  };
  return {
    ...(search.key === undefined ? {} : { key: keyOf }),
    ...(search.mind === undefined ? {} : { mind: ({ world }, agent) => search.mind?.(world, agent) ?? '' }),
    estimate: ({ world }, withdrawn) =>
      search.estimate === undefined ? 0 : search.estimate(world, withdrawn),
    isUnattainable: ({ world }) => search.isUnattainable?.(world) ?? false,
    texts: ({ world }, agent) => search.texts?.(world, agent) ?? [],
  };
}

/** None for an agent that no longer acts. */
function offersFor<C, S>(
  opened: OpenedSpec<C, S>,
  state: DefinedState<S>,
  agent: string,
): Observation['offered'] {
  if (!isActive(opened, state.world, agent)) return [];
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
  state: DefinedState<S>,
  agent: string,
): Observation['sections'] {
  const lastMessage = lookUp(state.last, agent);
  const last = { id: 'last', lines: lastMessage === undefined ? [] : [lastMessage] };
  const told = spec.tell(state.world, agent, settings);
  const news = newsOf(state, agent);
  const heard = { id: 'heard', lines: newsLines(news, 'heard') };
  const noticedSection = { id: 'noticed', lines: newsLines(news, 'noticed') };
  const hasLines = ({ lines }: Section): boolean => lines.length > 0;
  if (spec.sections === undefined)
    return [
      { id: 'place', lines: requireLines(spec, told) },
      ...[heard, noticedSection].filter(hasLines),
      last,
    ];
  const own = spec.sections.map((section) => ({
    ...section,
    lines: requireLines(spec, lookUp(told as Readonly<Record<string, readonly string[]>>, section.id) ?? []),
  }));
  return [...own, heard, noticedSection, last].filter(hasLines);
}

function factsOf<C, S>(
  spec: EnvironmentSpec<C, S>,
  state: DefinedState<S>,
  agent: string,
): Observation['facts'] {
  const last = lookUp(state.last, agent) ?? '';
  return spec.facts?.(state.world, agent, state.news ? newsFacts(newsOf(state, agent), last) : null) ?? {};
}

function nounsOf<C, S>(
  spec: EnvironmentSpec<C, S>,
  { world }: DefinedState<S>,
  agent: string,
): readonly Noun[] {
  return (spec.nouns?.(world, agent) ?? []).map((noun) => ({ aliases: [], ...noun }));
}

type NamedSpec = Pick<EnvironmentSpec<never, never>, 'kind'>;

function requireLines(spec: NamedSpec, lines: unknown): readonly string[] {
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

/** The hashes of the parts of the specification's own state. */
function worldParts<C, S>(spec: EnvironmentSpec<C, S>, world: S): Readonly<Record<string, string>> {
  const named = spec.parts?.(world) ?? { world };
  const taken = ['turn', 'last', 'news', 'rng'].find((name) => Object.hasOwn(named, name));
  if (taken !== undefined)
    throw new UsageError(`${spec.kind}: the part ${taken} of the state exists already`, [
      'choose another name',
    ]);
  try {
    const hashed = Object.entries(named);
    return Object.fromEntries(hashed.map(([name, part]) => [name, hashOf(part as Json)]));
  } catch (error) {
    if (!(error instanceof AssertionError)) throw error;
    throw new UsageError(`${spec.kind}: the state is not plain JSON: ${error.message}`, [
      'use whole numbers, text, booleans, lists and records, but no fractions, no undefined, no Map or Set',
    ]);
  }
}

/**
 * Actions under a scenario's names for them, as a layer over an environment: its rules keep their own names.
 * Prompts, parsing, offers, schemas, history and logs all take the names from this one registry; in refusals,
 * which the world words, the verbs are replaced.
 */
import { compareText } from '../base/ids.js';
import type { JsonObject } from '../base/json.js';
import { lookUp } from '../base/look-up.js';
import type { Problem } from '../base/problem.js';
import type { Action, Intent, SpokenNames } from './action.js';
import { actionRegistry, REST } from './action.js';
import type { ActResult, Environment } from './environment.js';
import { passingToEnvironment } from './passing-environment.js';
import type { Observation, OfferedAction, Section } from './observation.js';

interface Table {
  /** The spoken name; a word that is not in the table is unchanged. */
  readonly spoken: (name: string) => string;
  /** The rules' own name. */
  readonly own: (name: string) => string;
}

/**
 * The environment with its actions under these names; the same one if there are no names. Throws UsageError
 * if two actions would have the same name.
 */
export function withSpokenNames<S>(environment: Environment<S>, names: SpokenNames): Environment<S> {
  if (Object.keys(names).length === 0) return environment;
  const table = tableOf(names);
  const { spoken } = table;
  const listed = actionRegistry(renamed(environment.actions.list(), table));
  // Agents never say REST, so it has no other name.
  const actions: typeof listed = {
    ...listed,
    get: (verb) => (verb === REST ? environment.actions.get(verb) : listed.get(verb)),
  };
  const owned = (intent: Intent): Intent => ({ ...intent, action: table.own(intent.action) });
  const told = (found: Problem | undefined): Problem | undefined => found && inWords(found, table);
  const { search } = environment;
  return {
    ...passingToEnvironment(environment),
    ...(search === undefined ? {} : { search: searching(search, names, table) }),
    actions,
    scope: (agent) => environment.scope(agent).map(spoken).toSorted(compareText),
    legalActions: (state, agent) => offering(environment.legalActions(state, agent), table),
    observe: (state, agent) => observing(environment.observe(state, agent), table),
    check: (state, intent) => told(environment.check(state, owned(intent))),
    advance: (state, intents) => {
      const after = environment.advance(state, intents.map(owned));
      return { ...after, results: after.results.map((result) => resultIn(result, table)) };
    },
  };
}

function tableOf(names: SpokenNames): Table {
  const back = new Map(Object.entries(names).map(([own, spoken]) => [spoken, own]));
  return { spoken: (name) => lookUp(names, name) ?? name, own: (name) => back.get(name) ?? name };
}

/**
 * A renamed action is still understood by its old name, unless another action has that name now; names take
 * precedence over aliases.
 */
function renamed<S>(list: readonly Action<S>[], table: Table): readonly Action<S>[] {
  const taken = new Set(list.map(({ name }) => table.spoken(name)));
  return list.map((action) => {
    const name = table.spoken(action.name);
    const others = [...(name === action.name ? [] : [action.name]), ...action.aliases];
    return {
      name,
      aliases: others.filter((alias) => !taken.has(alias)),
      description: inSpokenWords(action.description, table),
      grammar: action.grammar,
      examples: action.examples,
      cost: action.cost,
      ...(action.terminal === undefined ? {} : { terminal: action.terminal }),
      ...(action.outside === undefined ? {} : { outside: action.outside }),
      check: (state, agent, args) => {
        const found = action.check(state, agent, args);
        return found && inWords(found, table);
      },
      apply: (state, agent, args, outside) => action.apply(state, agent, args, outside),
    };
  });
}

/** In the program's own sentences, only verbs are written in capitals. */
function inSpokenWords(text: string, { spoken }: Table): string {
  return text.replace(/\b[A-Z][A-Z_]+\b/g, spoken);
}

function inWords(found: Problem, table: Table): Problem {
  return { ...found, message: inSpokenWords(found.message, table) };
}

function resultIn(result: ActResult, table: Table): ActResult {
  return result.ok ? result : { ...result, problem: inWords(result.problem, table) };
}

function offering(offered: readonly OfferedAction[], { spoken }: Table): readonly OfferedAction[] {
  return offered
    .map((one) => ({ ...one, action: spoken(one.action) }))
    .toSorted((a, b) => compareText(a.action, b.action));
}

function observing(observation: Observation, table: Table): Observation {
  const { facts } = observation;
  // A result may quote untrusted text (READ), but a refusal is always the program's own sentence.
  const isRefusal = lookUp(facts, 'lastOk') === false;
  return {
    ...observation,
    sections: isRefusal ? observation.sections.map((one) => refusalIn(one, table)) : observation.sections,
    ...(isRefusal ? { facts: factsIn(facts, table) } : {}),
    scope: observation.scope.map(table.spoken).toSorted(compareText),
    offered: offering(observation.offered, table),
  };
}

function refusalIn(section: Section, table: Table): Section {
  if (section.id !== 'last') return section;
  return { ...section, lines: section.lines.map((line) => inSpokenWords(line, table)) };
}

function factsIn(facts: JsonObject, table: Table): JsonObject {
  const last = lookUp(facts, 'last');
  if (typeof last !== 'string') return facts;
  return { ...facts, last: inSpokenWords(last, table) };
}

type Search<S> = NonNullable<Environment<S>['search']>;

function searching<S>(search: Search<S>, names: SpokenNames, table: Table): Search<S> {
  return {
    ...(search.key === undefined ? {} : { key: (state) => search.key?.(state) ?? '' }),
    ...(search.mind === undefined ? {} : { mind: (state, agent) => search.mind?.(state, agent) ?? '' }),
    texts: (state, agent) => search.texts?.(state, agent) ?? [],
    twins: () => search.twins?.().map((twin) => withSpokenNames(twin, names)) ?? [],
    estimate: (state, withdrawn) =>
      search.estimate === undefined ? 0 : search.estimate(state, withdrawn.map(table.own)),
  };
}

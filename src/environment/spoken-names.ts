/**
 * Renames actions as a scenario asks, as a layer over an environment, whose rules keep their own names.
 * Prompts, parsing, offers, schemas, history and logs all take the names from this one registry; in refusals,
 * whose text comes from the world, the verbs are replaced.
 */
import { compareText } from '../base/ids.js';
import { lookUp } from '../base/look-up.js';
import type { Problem } from '../base/problem.js';
import type { Action, Intent, SpokenNames } from './action.js';
import { actionRegistry, REST } from './action.js';
import type { Environment } from './environment.js';
import { passingToEnvironment } from './passing-environment.js';
import type { Observation, OfferedAction } from './observation.js';

interface Table {
  /** The spoken name; a word that is not in the table is unchanged. */
  spoken: (name: string) => string;
  /** The rules' own name. */
  ruleName: (name: string) => string;
}

/**
 * The environment with its actions under these names; the same one if there are no names. Throws UsageError
 * if two actions would have the same name.
 */
export function withSpokenNames<S>(environment: Environment<S>, names: SpokenNames): Environment<S> {
  if (Object.keys(names).length === 0) return environment;
  const ruleNameOf = new Map(Object.entries(names).map(([own, spoken]) => [spoken, own]));
  const table: Table = {
    spoken: (name) => lookUp(names, name) ?? name,
    ruleName: (name) => ruleNameOf.get(name) ?? name,
  };
  const { spoken } = table;
  const listed = actionRegistry(renameActions(environment.actions.list(), table));
  // Agents can't choose REST, so it is not renamed.
  const actions: typeof listed = {
    ...listed,
    get: (verb) => (verb === REST ? environment.actions.get(verb) : listed.get(verb)),
  };
  const withRuleName = (intent: Intent): Intent => ({ ...intent, action: table.ruleName(intent.action) });
  const inSpokenForm = (found: Problem | undefined): Problem | undefined =>
    found && problemInWords(found, table);
  const { search } = environment;
  return {
    ...passingToEnvironment(environment),
    ...(search === undefined ? {} : { search: renameSearch(search, names, table) }),
    actions,
    scope: (agent) => environment.scope(agent).map(spoken).toSorted(compareText),
    legalActions: (state, agent) => renameOffers(environment.legalActions(state, agent), table),
    observe: (state, agent) => renameObservation(environment.observe(state, agent), table),
    check: (state, intent) => inSpokenForm(environment.check(state, withRuleName(intent))),
    advance: (state, intents) => {
      const after = environment.advance(state, intents.map(withRuleName));
      return {
        ...after,
        results: after.results.map((result) =>
          result.ok ? result : { ...result, problem: problemInWords(result.problem, table) },
        ),
      };
    },
  };
}

/**
 * A renamed action is still understood by its old name, unless another action has that name now; names take
 * precedence over aliases.
 */
function renameActions<S>(list: readonly Action<S>[], table: Table): readonly Action<S>[] {
  const namesInUse = new Set(list.map(({ name }) => table.spoken(name)));
  return list.map((action) => {
    const name = table.spoken(action.name);
    const otherNames = [...(name === action.name ? [] : [action.name]), ...action.aliases];
    return {
      name,
      aliases: otherNames.filter((alias) => !namesInUse.has(alias)),
      description: inSpokenWords(action.description, table),
      grammar: action.grammar,
      examples: action.examples,
      cost: action.cost,
      ...(action.terminal === undefined ? {} : { terminal: action.terminal }),
      ...(action.outside === undefined ? {} : { outside: action.outside }),
      check: (state, agent, args) => {
        const found = action.check(state, agent, args);
        return found && problemInWords(found, table);
      },
      apply: (state, agent, args, outside) => action.apply(state, agent, args, outside),
    };
  });
}

/** In the program's own sentences, only verbs are written in capitals. */
function inSpokenWords(text: string, { spoken }: Table): string {
  return text.replace(/\b[A-Z][A-Z_]+\b/g, spoken);
}

function problemInWords(found: Problem, table: Table): Problem {
  return { ...found, message: inSpokenWords(found.message, table) };
}

function renameOffers(offered: readonly OfferedAction[], { spoken }: Table): readonly OfferedAction[] {
  return offered
    .map((one) => ({ ...one, action: spoken(one.action) }))
    .toSorted((a, b) => compareText(a.action, b.action));
}

function renameObservation(observation: Observation, table: Table): Observation {
  const { facts } = observation;
  // A result may quote untrusted text (READ), but a refusal is always the program's own sentence.
  const isRefusal = lookUp(facts, 'lastOk') === false;
  const last = lookUp(facts, 'last');
  return {
    ...observation,
    sections: isRefusal
      ? observation.sections.map((one) =>
          one.id === 'last' ? { ...one, lines: one.lines.map((line) => inSpokenWords(line, table)) } : one,
        )
      : observation.sections,
    ...(isRefusal && typeof last === 'string'
      ? { facts: { ...facts, last: inSpokenWords(last, table) } }
      : {}),
    scope: observation.scope.map(table.spoken).toSorted(compareText),
    offered: renameOffers(observation.offered, table),
  };
}

type Search<S> = NonNullable<Environment<S>['search']>;

function renameSearch<S>(search: Search<S>, names: SpokenNames, table: Table): Search<S> {
  return {
    ...(search.key === undefined ? {} : { key: (state) => search.key?.(state) ?? '' }),
    ...(search.mind === undefined ? {} : { mind: (state, agent) => search.mind?.(state, agent) ?? '' }),
    texts: (state, agent) => search.texts?.(state, agent) ?? [],
    indistinguishableWorlds: () =>
      search.indistinguishableWorlds?.().map((world) => withSpokenNames(world, names)) ?? [],
    estimate: (state, withdrawn) =>
      search.estimate === undefined ? 0 : search.estimate(state, withdrawn.map(table.ruleName)),
  };
}

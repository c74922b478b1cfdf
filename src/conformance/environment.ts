/**
 * The promises of an environment, as checks: a world is opened, played at random from seeds, and checked in
 * every situation.
 */
import type { Environment } from '../environment/environment.js';
import { stateHash } from '../environment/state-hash.js';
import type { ConformanceCheck } from './check.js';
import { demand, demandSame, frozen, jsonOf, once, undefinedIn } from './check.js';
import { demandNoEffect, demandMessage, refusalsOf } from './refusals.js';
import { replyContextOf, demandSameMeaning, commandForms } from './command-forms.js';
import type { WalkStep, EnvironmentWalk, WalkOptions } from './walk.js';
import { walksOf } from './walk.js';

/** An environment to check. */
export interface EnvironmentUnderTest<S> extends Omit<WalkOptions, 'open'> {
  /** Opens a new world, such as `() => kind.open(definition)`. */
  open: () => Environment<S>;
  /**
   * Returns states that differ from `state` only in what `agent` can't perceive; its observation must be the
   * same in all. If omitted, leaks are not checked.
   */
  perturb?: (state: S, agent: string) => readonly S[];
}

/** The checks that every environment must pass. For a small world, each takes well under a second. */
export function environmentSuite<S>(spec: EnvironmentUnderTest<S>): readonly ConformanceCheck[] {
  // The environment is called only with values that it returned itself, so the type of its state does not
  // matter.
  const open = spec.open as () => Environment<unknown>;
  const walks = once(() => walksOf({ ...spec, open }));
  const check = (
    name: string,
    checkStep: (walk: EnvironmentWalk, moment: WalkStep) => void,
  ): ConformanceCheck => ({
    name,
    run: async () => walks().forEach((walk) => walk.moments.forEach((moment) => checkStep(walk, moment))),
  });
  const leaks = spec.perturb as ((state: unknown, agent: string) => readonly unknown[]) | undefined;
  return [
    check('the state is JSON and stays the same when it is stored', checkStorable),
    {
      name: 'the same seed and intents give the same states, results and events',
      run: async () => walks().forEach((walk) => checkRepeatable(open(), walk)),
    },
    check('observing is deterministic and changes nothing', checkObserving),
    check('every offer can be expressed, is parsed in every protocol, and is accepted', checkOffers),
    check('every result has a message for the agent', checkResultMessage),
    check('every refusal has a message for the agent', ({ environment }, { state, observation }) =>
      refusalsOf(environment, state, observation).forEach(demandMessage),
    ),
    check('a refusal does not change the world', ({ environment }, { state, observation }) =>
      refusalsOf(environment, state, observation).forEach((one) => demandNoEffect(environment, state, one)),
    ),
    check('the hashes of the parts change if and only if the state changes', checkHashes),
    {
      name: 'the end of a turn increases the turn number by one',
      run: async () => walks().forEach(checkTurnEnds),
    },
    check('an observation is complete: its agent, its scope, nouns with names and unique ids', checkComplete),
    ...(leaks === undefined
      ? []
      : [
          check('an observation contains nothing hidden', (walk, moment) => checkHidden(walk, moment, leaks)),
        ]),
  ];
}

function checkStorable({ environment }: EnvironmentWalk, { state, agent, intent }: WalkStep): void {
  const undefinedPath = undefinedIn(state);
  demand(
    undefinedPath === null,
    `the state contains undefined at ${undefinedPath ?? ''}, which a log can't store: leave it out, or write null`,
  );
  const text = jsonOf(state, 'the state is not JSON that a log can store');
  const stored = frozen(JSON.parse(text) as unknown);
  const [original, restored] = [environment.observe(state, agent), environment.observe(stored, agent)];
  demandSame(restored, original, 'restoring the state from JSON changes an observation');
  demandSame(
    environment.advance(stored, [intent]),
    environment.advance(state, [intent]),
    'restoring the state from JSON changes the effect of the same actions',
  );
}

/** A refusal that appears only on trying has a message too. */
function checkResultMessage(_walk: EnvironmentWalk, { intent, advance }: WalkStep): void {
  const [result] = advance.results;
  demand(result !== undefined, `${intent.action} returned no result`);
  if (!result.ok) return demandMessage({ intent, problem: result.problem });
  demand(result.message.trim() !== '', `${intent.action} returned no message about its effect`);
  return undefined;
}

function checkRepeatable(environment: Environment<unknown>, { seed, start, moments }: EnvironmentWalk): void {
  demandSame(environment.create(seed), start, `seed ${seed} gives two different worlds`);
  for (const { state, intent, advance } of moments) {
    demandSame(
      environment.advance(state, [intent]),
      advance,
      `${intent.action} has two different results in the same state`,
    );
  }
}

function checkObserving(
  { environment }: EnvironmentWalk,
  { state, agent, observation, intent }: WalkStep,
): void {
  const before = jsonOf(state, 'the state is not JSON');
  demandSame(
    environment.observe(state, agent),
    observation,
    `${agent} gets a different observation the second time`,
  );
  demandSame(
    environment.legalActions(state, agent),
    observation.offered,
    '`offers` and the offers in the observation differ',
  );
  demandSame(
    environment.scene(state, agent),
    observation.scene,
    '`scene` and the scene in the observation differ',
  );
  environment.scene(state, null);
  environment.check(state, intent);
  environment.outcome(state);
  environment.active(state);
  demandSame(
    environment.parts(state),
    environment.parts(state),
    'hashing the same state twice gives different hashes',
  );
  demand(jsonOf(state, 'the state') === before, 'observing changed the state');
}

function checkOffers({ environment }: EnvironmentWalk, { state, agent, observation }: WalkStep): void {
  const context = replyContextOf(environment, observation);
  for (const offer of observation.offered) {
    demand(
      observation.scope.includes(offer.action),
      `${offer.action} is offered to ${agent} but not in its scope`,
    );
    const action = environment.actions.get(offer.action);
    demand(action !== undefined, `${offer.action} is offered but is not an action of the environment`);
    const accepted = commandForms(action, offer).filter(
      ({ line }) => environment.check(state, demandSameMeaning(line, context)) === undefined,
    );
    demand(accepted.length > 0, `${offer.action} is offered to ${agent}, but every form of it is refused`);
  }
}

function checkHashes({ environment }: EnvironmentWalk, { state, advance }: WalkStep): void {
  const stored = JSON.parse(jsonOf(state, 'the state')) as unknown;
  demandSame(environment.parts(stored), environment.parts(state), 'equal states have different hashes');
  const isSame = jsonOf(advance.state, 'the state') === jsonOf(state, 'the state');
  const hashesSame = stateHash(environment.parts(advance.state)) === stateHash(environment.parts(state));
  demand(
    isSame === hashesSame,
    isSame ? 'the hash changed, but the state did not' : 'the state changed, but its hash did not',
  );
}

function checkTurnEnds({ environment, turnEnds }: EnvironmentWalk): void {
  for (const { before, after } of turnEnds) {
    for (const agent of environment.agents) {
      const [turnBefore, turnAfter] = [
        environment.observe(before, agent).turn,
        environment.observe(after, agent).turn,
      ];
      demand(
        turnAfter === turnBefore + 1,
        `after turn ${turnBefore} the observation of ${agent} is for turn ${turnAfter}`,
      );
    }
    demandSame(environment.endTurn(before).state, after, 'ending the same turn twice gives different states');
  }
}

function checkComplete({ environment }: EnvironmentWalk, { agent, observation }: WalkStep): void {
  const { nouns, scope, sections } = observation;
  demandSame(observation.agent, agent, 'the observation names another agent than the one that was observed');
  demandSame(scope, environment.scope(agent), '`scope` and the scope in the observation differ');
  demand(scope.includes('WAIT'), `WAIT is not in the scope of ${agent}`);
  demand(new Set(nouns.map(({ id }) => id)).size === nouns.length, 'two nouns have the same id');
  const nameless = nouns.find(({ name, kinds }) => name.trim() === '' || kinds.length === 0);
  demand(nameless === undefined, `the noun ${nameless?.id ?? ''} lacks a name or a kind`);
  demand(
    sections.flatMap(({ lines }) => lines).every((line) => !line.includes('\n')),
    'a line of a section contains a line break',
  );
}

function checkHidden(
  { environment }: EnvironmentWalk,
  { state, agent, observation }: WalkStep,
  perturb: (state: unknown, agent: string) => readonly unknown[],
): void {
  for (const perturbed of perturb(state, agent)) {
    demandSame(
      environment.observe(perturbed, agent),
      observation,
      `${agent} observes something that is hidden from it`,
    );
  }
}

/**
 * The pure core alone, in a process of its own: worlds and parser of dist/, no file, clock, network or add-on, so that it runs under --jitless and on
 * another Node. In: a request as JSON on stdin (definitions, seeds, turns, `isHeavy`, `plant`); out: a line `definition seed steps hash` for each game.
 *
 * Agents act at random. In heavy mode every state goes through JSON as well, which turns the order of its keys, and both copies step on and must
 * stay equal.
 */
import { canonicalJson, hashJson, sha256 } from '../../dist/modules/base/canonical.js';
import { randomController } from '../../dist/modules/agent/controllers/random.js';
import { interpret } from '../../dist/modules/binding/interpret.js';
import { protocolOf } from '../../dist/modules/parse/protocols.js';
import { grid } from '../../dist/modules/worlds/grid/grid.js';
import { toolbox } from '../../dist/modules/worlds/toolbox/toolbox.js';
import { workcell } from '../../dist/modules/worlds/workcell/workcell.js';

const KINDS = { grid, toolbox, workcell };

/** Faults put in on purpose, to see that the checks find them. */
const PLANTS = {
  /** A world that looks at the local time. */
  clock: (environment) => ({
    ...environment,
    create: (seed) => environment.create(seed + new Date(2026, 0, 1).getTimezoneOffset()),
  }),
  /** A world that keeps something beside its state. */
  beside: (environment) => {
    let count = 0;
    return {
      ...environment,
      endTurn: (state) => {
        count += 1;
        const end = environment.endTurn(state);
        return { ...end, state: { ...end.state, turn: end.state.turn + (count % 7 === 0 ? 1 : 0) } };
      },
    };
  },
  /** A world that hashes a state with its keys in the order in which they were set. */
  keys: (environment) => ({ ...environment, parts: (state) => ({ all: sha256(JSON.stringify(state)) }) }),
  /** A world that tells two states apart by identity. */
  identity: (environment) => {
    const seen = new WeakSet();
    return {
      ...environment,
      advance: (state, intents) => {
        const isKnown = seen.has(state);
        const advance = environment.advance(state, intents);
        seen.add(advance.state);
        return isKnown ? { ...advance, events: [] } : advance;
      },
    };
  },
};

/** With the keys of every map the other way round: how a state came to be must not matter. */
function throughJson(value) {
  return JSON.parse(JSON.stringify(value), (_key, each) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).reverse())
      : each,
  );
}

/** A world whose every step is taken twice: from the state, and from what is left of it after JSON. */
function heavy(environment) {
  const same = (what, live, twin) => {
    if (canonicalJson(live) !== canonicalJson(twin)) throw new Error(`${what} differs after JSON`);
  };
  return {
    ...environment,
    advance: (state, intents) => {
      const live = environment.advance(state, intents);
      const twin = environment.advance(throughJson(state), throughJson(intents));
      same('an advance', live, twin);
      same('the parts', environment.parts(live.state), environment.parts(throughJson(live.state)));
      return live;
    },
    endTurn: (state) => {
      const live = environment.endTurn(state);
      same('the end of a turn', live, environment.endTurn(throughJson(state)));
      return live;
    },
    observe: (state, agent) => {
      const live = environment.observe(state, agent);
      same('an observation', live, environment.observe(throughJson(state), agent));
      return live;
    },
  };
}

async function play(environment, seed, turns) {
  const vocabulary = environment.actions.list();
  const players = new Map(
    environment.agents.map((agent) => {
      const scope = environment.scope(agent);
      return [
        agent,
        {
          memory: null,
          controller: randomController(
            seed,
            agent,
            vocabulary.filter(({ name }) => scope.includes(name)),
          ),
        },
      ];
    }),
  );
  let state = environment.create(seed);
  let hash = hashJson('start', state);
  let steps = 0;
  for (let turn = 0; turn < turns && environment.active(state).length > 0; turn++) {
    for (const agent of environment.active(state)) {
      const observation = environment.observe(state, agent);
      const player = players.get(agent);
      const decision = await player.controller.decide({ observation, memory: player.memory });
      player.memory = decision.memory;
      const read = interpret(
        decision.reply,
        protocolOf('command'),
        vocabulary,
        environment.actions,
        observation,
      );
      const intent = read.intent ?? { agent, action: 'WAIT', args: {} };
      const isOutside = environment.actions.get(intent.action)?.outside !== undefined;
      const advance = environment.advance(state, [
        isOutside ? { ...intent, outside: { error: 'nothing is outside' } } : intent,
      ]);
      state = advance.state;
      steps += 1;
      hash = hashJson('step', [
        hash,
        observation,
        read.problem,
        advance.results,
        advance.events,
        environment.parts(state),
      ]);
    }
    const end = environment.endTurn(state);
    state = end.state;
    hash = hashJson('step', [hash, end.events, state]);
  }
  return `${steps} ${hash}`;
}

async function read(stream) {
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

const { definitions, seeds, turns, isHeavy, plant } = JSON.parse(await read(process.stdin));
for (const { name, kind, definition } of definitions) {
  for (const seed of seeds) {
    const planted = (PLANTS[plant] ?? ((environment) => environment))(KINDS[kind].open(definition));
    console.log(name, seed, await play(isHeavy ? heavy(planted) : planted, String(seed), turns));
  }
}

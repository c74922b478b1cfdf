/**
 * Whether scenarios measure what they say: players without eyes or ears win them by chance alone, one that sees
 * and remembers wins nearly all, and no seed is won at the start, is the same as another, or is won by a reply
 * that needs no look at it. Plays in memory, without logs and models.
 */
import { hashJson } from '../base/canonical.js';
import type { OpenedScenario } from '../assembly/opened-scenario.js';
import { play } from '../assembly/play.js';
import { searchRules, wordsThatCount } from '../assembly/seats.js';
import { known } from '../base/assert.js';
import { counted } from '../base/counted.js';
import { compareText } from '../base/ids.js';
import { WAIT } from '../environment/action.js';
import type { Intent } from '../environment/action.js';
import type { Environment } from '../environment/environment.js';
import { withToldNames } from '../environment/numbers.js';
import { commandText } from '../forms/command-text.js';
import { mean } from '../base/mean.js';
import { atLeastByChance } from '../report/statistics.js';
import { nameOf } from '../scenario/load.js';
import type { MeasuresSpec, Scenario } from '../scenario/scenario.js';
import { isPartOfWorld } from '../scenario/world-part.js';
import { movesOf } from '../solve/moves.js';
import { afterAct, startOfTurn } from '../solve/position.js';
import { withPlayers } from '../batch/players.js';

/** What a scenario of the gate is called: its family and its level, from a name such as `find-2`. */
export interface GateName {
  path: string;
  family: string;
  level: number;
}

export interface GateFigures extends GateName {
  measures: MeasuresSpec | null;
  seeds: number;
  /** Seeds won by each player; null if it was not asked: what it lacks is not needed. */
  wins: { 'text-only': number | null; deaf: number | null; sighted: number };
  /** The first reply that wins the most seeds at once, of so many that win any; null if none does. */
  firstReply: { agent: string; reply: string; wins: number; of: number } | null;
  /** Seeds won by the sighted player if it says all the words at once that the world waits for; null if there are no two. */
  allWords: { said: string; wins: number } | null;
  /** The mean turns of the sighted player, to one decimal; a run that it loses counts as all turns that it could have had. */
  turns: number;
  /** Settings by which text tells what is in the picture; none if the picture is not needed. */
  told: readonly string[];
  /** Seeds that are won or lost before the first turn. */
  decidedAtStart: readonly string[];
  /** Seeds whose world is the same as that of an earlier one. */
  alike: readonly string[];
}

/** Of a file such as `find-2.yaml`; without a number, the level is 1. */
export function gateName(path: string): GateName {
  const name = nameOf(path);
  const [, family = name, level = '1'] = /^(.+)-(\d+)$/.exec(name) ?? [];
  return { path, family, level: Number(level) };
}

const MARGIN_POINTS = 10;
const CHANCE_MAX = 20;
const SIGHTED_MIN = 90;

/** `open` opens the scenario with a seed, and with a change of its players. */
export async function gateFigures(
  name: GateName,
  open: (seed: string, change: (scenario: Scenario) => Scenario) => Promise<OpenedScenario>,
  seeds: readonly string[],
): Promise<GateFigures> {
  const wins = { 'text-only': 0, deaf: 0, sighted: 0 };
  const worlds = new Set<string>();
  const [alike, decidedAtStart, turns]: [string[], string[], number[]] = [[], [], []];
  const firstReplies = new Map<string, number>();
  let measures: MeasuresSpec | null = null;
  let told: readonly string[] = [];
  const words = new Set<string>();
  let asked: readonly (keyof typeof wins)[] = ['sighted'];
  const playedBy = async (
    kind: keyof typeof wins,
    seed: string,
    change = (world: Environment<unknown>) => world,
  ): ReturnType<typeof play> => {
    const opened = await open(seed, (own) => withPlayers(own, { kind }));
    // Nobody among these players looks at a picture.
    return play({ ...opened, environment: change(opened.environment), hasPicture: false });
  };
  for (const seed of seeds) {
    const { scenario, environment } = await open(seed, (own) => own);
    measures = scenario.measures ?? null;
    const needs = measures?.needs ?? [];
    asked = [
      'sighted',
      ...(needs.includes('picture') ? ['text-only' as const] : []),
      ...(needs.includes('speech') ? ['deaf' as const] : []),
    ];
    const { channel, names, legend } = scenario.render;
    const settings = {
      [`render.channel: ${channel}`]: channel !== 'image',
      'render.names': names === true,
      'render.legend': legend,
    };
    told = Object.keys(settings).filter((key) => needs.includes('picture') && settings[key] === true);
    const start = environment.create(seed);
    if (environment.outcome(start).status !== 'running') decidedAtStart.push(seed);
    const chance = scenario.agents.flatMap(({ part, controller }) =>
      part === 'world' ? [controller.kind] : [],
    );
    const world = hashJson('world', [scenario.definition, chance.includes('random') ? seed : null]);
    if (worlds.has(world)) alike.push(seed);
    worlds.add(world);
    for (const reply of repliesThatWin({ scenario, environment })) {
      firstReplies.set(reply, (firstReplies.get(reply) ?? 0) + 1);
    }
    for (const agent of environment.agents)
      for (const word of wordsThatCount(environment, seed, agent)) words.add(word);
    for (const kind of asked) {
      const { status, turns: needed } = await playedBy(kind, seed);
      if (status === 'succeeded') wins[kind] += 1;
      if (kind === 'sighted') turns.push(status === 'succeeded' ? needed : scenario.turns.max);
    }
  }
  // Those of other seeds, too: what is drawn may be the only word that this world waits for.
  const said = [...words].toSorted(compareText).join(' ');
  let winsOfAll = 0;
  for (const seed of words.size > 1 ? seeds : []) {
    const { status } = await playedBy('sighted', seed, (world) => sayingAll(world, { words, said }));
    if (status === 'succeeded') winsOfAll += 1;
  }
  const [best] = [...firstReplies].toSorted(([, a], [, b]) => b - a);
  const [agent = '', reply = ''] = best?.[0].split('\n') ?? [];
  const winsOf = (kind: keyof typeof wins): number | null => (asked.includes(kind) ? wins[kind] : null);
  return {
    ...name,
    measures,
    seeds: seeds.length,
    wins: { 'text-only': winsOf('text-only'), deaf: winsOf('deaf'), sighted: wins.sighted },
    firstReply: best === undefined ? null : { agent, reply, wins: best[1], of: firstReplies.size },
    allWords: words.size > 1 ? { said, wins: winsOfAll } : null,
    turns: Math.round(10 * (mean(turns) ?? 0)) / 10,
    told,
    decidedAtStart,
    alike,
  };
}

/** First replies that win at once while the others wait, each as the agent's id and the command in its words. */
function repliesThatWin({
  scenario,
  environment,
}: Pick<OpenedScenario, 'scenario' | 'environment'>): readonly string[] {
  const rules = searchRules(scenario, environment);
  const start = { state: environment.create(scenario.seed), turn: 1 };
  const winning: string[] = [];
  for (const { id: agent } of scenario.agents.filter((one) => !isPartOfWorld(one))) {
    let reached = startOfTurn(environment, rules, start);
    while (
      reached.kind === 'position' &&
      reached.position.turn === 1 &&
      reached.position.waiting[0] !== agent
    ) {
      const [other = ''] = reached.position.waiting;
      reached = afterAct(environment, rules, reached.position, { agent: other, action: WAIT, args: {} });
    }
    if (reached.kind !== 'position' || reached.position.turn > 1) continue;
    const { position } = reached;
    const observation = environment.observe(position.state, agent);
    const { intents } = movesOf(environment, position.state, { agent, withdrawn: [] });
    for (const intent of intents) {
      let after = afterAct(environment, rules, position, intent);
      while (after.kind === 'position' && after.position.turn === 1 && after.position.waiting[0] !== agent) {
        const [other = ''] = after.position.waiting;
        after = afterAct(environment, rules, after.position, { agent: other, action: WAIT, args: {} });
      }
      if (after.kind !== 'won') continue;
      const action = known(environment.actions.get(intent.action), intent.action);
      const words = commandText(action, withToldNames(action.grammar, intent.args, observation));
      winning.push(`${agent}\n${words}`);
    }
  }
  return [...new Set(winning)];
}

/** A world in which whoever says one of the words says all of them. */
function sayingAll(
  environment: Environment<unknown>,
  { words, said }: { words: ReadonlySet<string>; said: string },
): Environment<unknown> {
  const withAll = (intent: Intent): Intent => ({
    ...intent,
    args: Object.fromEntries(
      Object.entries(intent.args).map(([slot, value]) => [slot, words.has(String(value)) ? said : value]),
    ),
  });
  return {
    ...environment,
    advance: (state, intents) => environment.advance(state, intents.map(withAll)),
  };
}

/** What speaks against a scenario, in sentences; `easier` is the next lower level of its family. */
export function gateFaults(figures: GateFigures, easier: GateFigures | null): readonly string[] {
  const { measures, seeds, wins, allWords, firstReply, told, decidedAtStart, alike, turns } = figures;
  const percent = (count: number): number => Math.round((100 * count) / seeds);
  if (measures === null)
    return ["it doesn't say what it measures: write 'measures: { chance: 20, needs: [picture] }'"];
  const { chance } = measures;
  const faults: string[] = [];
  if (chance > CHANCE_MAX)
    faults.push(`chance wins ${chance} %: at most ${CHANCE_MAX} % leaves room to measure`);
  if (told.length > 0)
    faults.push(
      `the text tells what the picture shows (${told.join(', ')}), which no player without pictures was asked to read`,
    );
  const floors = {
    'a text-only player': wins['text-only'],
    'a deaf player': wins.deaf,
    [`a sighted player that says all words at once ("${allWords?.said}")`]: allWords?.wins ?? null,
  };
  for (const [player, won] of Object.entries(floors)) {
    if (won !== null && (100 * won) / seeds > chance + MARGIN_POINTS)
      faults.push(`${player} wins ${percent(won)} %, by chance it were ${chance} %`);
  }
  if ((100 * wins.sighted) / seeds < SIGHTED_MIN)
    faults.push(`a sighted player wins only ${percent(wins.sighted)} %, not ${SIGHTED_MIN} %`);
  if (decidedAtStart.length > 0) faults.push(`${seedList(decidedAtStart)} won or lost before the first turn`);
  if (alike.length > 0) faults.push(`${seedList(alike)} the same world as an earlier seed`);
  // The best of several is lucky: corrected for as many as there are (Bonferroni).
  const isLuck = ({ wins: won, of }: { wins: number; of: number }): boolean =>
    of * atLeastByChance(won, seeds, chance / 100) >= 0.05;
  if (firstReply !== null && !isLuck(firstReply))
    faults.push(
      `${firstReply.reply} as the first reply of ${firstReply.agent} wins ${percent(firstReply.wins)} % at once`,
    );
  const isHarder =
    easier === null ||
    turns > easier.turns ||
    (turns === easier.turns && chance < (easier.measures?.chance ?? 100));
  if (!isHarder)
    faults.push(
      `it is no harder than level ${easier.level}: the sighted player needs ${counted(turns, 'turn')} in place of ${easier.turns}${turns < easier.turns ? '' : ', and chance is not lower'}`,
    );
  return faults;
}

function seedList(seeds: readonly string[]): string {
  const [first = '', ...others] = seeds;
  return others.length === 0 ? `seed ${first} is` : `seeds ${first} and ${others.length} more are`;
}

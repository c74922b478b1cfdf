/**
 * Whether scenarios measure what they say: players without eyes or ears win them by chance alone, one that sees
 * and remembers wins nearly all, and no seed is won at the start, is the same as another, or is won by a reply
 * that needs no look at it. Plays in memory, without logs and models.
 */
import { hashJson } from '../base/canonical.js';
import type { OpenedScenario } from '../assembly/opened-scenario.js';
import { play } from '../assembly/play.js';
import { searchRules } from '../assembly/seats.js';
import { winnable } from '../assembly/winnable.js';
import { known } from '../base/assert.js';
import { counted } from '../base/counted.js';
import { compareText } from '../base/ids.js';
import { WAIT } from '../environment/action.js';
import type { Intent } from '../environment/action.js';
import type { Environment } from '../environment/environment.js';
import { withToldNames } from '../environment/numbers.js';
import { commandText } from '../forms/command-text.js';
import { atLeastByChance } from '../report/statistics.js';
import { nameOf } from '../scenario/load.js';
import type { MeasuresSpec, Scenario } from '../scenario/scenario.js';
import { isPartOfWorld } from '../scenario/world-part.js';
import { movesOf } from '../solve/moves.js';
import { afterAct, startOfTurn } from '../solve/position.js';
import { LIMITS } from '../base/limits.js';
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
  /** The median over some seeds of the turn in which the best solution wins; null if none was found. */
  bestTurn: number | null;
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

/** Searches take longer than runs, and their median is only compared between levels. */
const SEARCHED_SEEDS = 5;

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
  const [alike, decidedAtStart, bestTurns]: [string[], string[], number[]] = [[], [], []];
  const firstReplies = new Map<string, number>();
  let measures: MeasuresSpec | null = null;
  let told: readonly string[] = [];
  let asked: readonly (keyof typeof wins)[] = ['sighted'];
  for (const [index, seed] of seeds.entries()) {
    const asWritten = await open(seed, (own) => own);
    const { scenario, environment } = asWritten;
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
    if (index < SEARCHED_SEEDS) {
      const win = winnable(asWritten, { effort: LIMITS.searchedSteps, withdrawn: [] });
      const turn = win?.turn ?? win?.luckTurn ?? null;
      if (turn !== null) bestTurns.push(turn);
    }
    for (const kind of asked) {
      const opened = await open(seed, (own) => withPlayers(own, { kind }));
      // Nobody among these players looks at a picture.
      const { status } = await play({ ...opened, hasPicture: false });
      if (status === 'succeeded') wins[kind] += 1;
    }
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
    bestTurn: bestTurns.toSorted((a, b) => a - b)[bestTurns.length >> 1] ?? null,
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
    for (const intent of [...intents, ...sayingAll(environment, position.state, intents)]) {
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

/** What says all the words at once that the world waits for. */
function sayingAll(
  environment: Environment<unknown>,
  state: unknown,
  intents: readonly Intent[],
): readonly Intent[] {
  const words = intents.flatMap(({ agent }) => environment.search?.texts?.(state, agent) ?? []);
  // The same for every seed, whichever of them is right.
  const texts = [...new Set(words)].toSorted(compareText);
  const spoken = intents.find(({ args }) =>
    Object.values(args).some((value) => texts.includes(String(value))),
  );
  if (texts.length < 2 || spoken === undefined) return [];
  const args = Object.fromEntries(
    Object.entries(spoken.args).map(([slot, value]) => [
      slot,
      texts.includes(String(value)) ? texts.join(' ') : value,
    ]),
  );
  const all = { ...spoken, args };
  return environment.check(state, all) === undefined ? [all] : [];
}

/** What speaks against a scenario, in sentences; `easier` is the next lower level of its family. */
export function gateFaults(figures: GateFigures, easier: GateFigures | null): readonly string[] {
  const { measures, seeds, wins, firstReply, told, decidedAtStart, alike, bestTurn } = figures;
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
  for (const kind of ['text-only', 'deaf'] as const) {
    const won = wins[kind];
    if (won !== null && (100 * won) / seeds > chance + MARGIN_POINTS)
      faults.push(`a ${kind} player wins ${percent(won)} %, by chance it were ${chance} %`);
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
  if (easier !== null && !isHarder(figures, easier))
    faults.push(
      `it is no harder than level ${easier.level}: ${bestTurn === null ? 'no solution was found' : `the best solution takes ${counted(bestTurn, 'turn')}`}, and chance is not lower`,
    );
  return faults;
}

function isHarder({ bestTurn, measures }: GateFigures, easier: GateFigures): boolean {
  const isLonger = bestTurn !== null && easier.bestTurn !== null && bestTurn > easier.bestTurn;
  const chanceBefore = easier.measures?.chance ?? 0;
  return isLonger || (measures !== null && measures.chance < chanceBefore);
}

function seedList(seeds: readonly string[]): string {
  const [first = '', ...others] = seeds;
  return others.length === 0 ? `seed ${first} is` : `seeds ${first} and ${others.length} more are`;
}

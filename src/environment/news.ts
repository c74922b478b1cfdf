/**
 * What reaches an agent between its turns: words that it hears, events that it notices, and the result of its
 * last action. An inbox is emptied when its agent spends its turn, so each entry is told once.
 */
import { LIMITS } from '../base/limits.js';
import type { ActResult } from './environment.js';

/** An inbox with one more entry; a full one drops the oldest, and noticed events never displace words. */
export function withInboxItem<Item extends { kind: 'heard' | 'noticed' }>(
  before: readonly Item[],
  item: Item,
): readonly Item[] {
  const inbox = [...before, item];
  const surplus = inbox.filter(({ kind }) => kind === 'noticed').length - LIMITS.noticedLines;
  const oldest = surplus > 0 ? inbox.findIndex(({ kind }) => kind === 'noticed') : -1;
  return inbox.filter((_item, index) => index !== oldest).slice(-LIMITS.inboxUtterances);
}

/** The lines that an agent recalls, with one more; the oldest are dropped. */
export function withRecalledLine(lines: readonly string[], line: string): readonly string[] {
  return [...lines, line].slice(-LIMITS.recalledLines);
}

/** What an agent is told about its last action, and whether that did what it requested. */
export function lastResult(result: ActResult): { last: string; lastOk: boolean } {
  return { last: result.ok ? result.message : result.problem.message, lastOk: result.ok };
}

/** Words that an agent heard, as data. The type is an alias, because an interface is not assignable to JSON. */
export type HeardWords = {
  speaker: string;
  /** The speaker's name. */
  name: string;
  text: string;
  turn: number;
  distance: number;
};

type NewsItem = { kind: 'heard'; line: string; words: HeardWords } | { kind: 'noticed'; line: string };

/** The news of one agent in the state of a world that `defineEnvironment` made. */
export interface AgentNews {
  inbox: readonly NewsItem[];
  /** The last lines that it heard, newest last, limited. */
  recalled: readonly string[];
  lastOk: boolean;
}

export const NO_NEWS: AgentNews = { inbox: [], recalled: [], lastOk: true };

/** An agent's news as data for programs: parts of the facts of its observation. */
export type NewsFacts = {
  heard: readonly HeardWords[];
  noticed: readonly string[];
  /** Lines that it heard before, newest last. */
  recalled: readonly string[];
  /** The message about its last action, or the reason why it was refused; '' before the first. */
  last: string;
  /** Whether its last action did what it requested; true before the first. */
  lastOk: boolean;
};

export function newsFacts({ inbox, recalled, lastOk }: AgentNews, last: string): NewsFacts {
  return {
    heard: inbox.flatMap((item) => (item.kind === 'heard' ? [item.words] : [])),
    noticed: newsLines({ inbox }, 'noticed'),
    recalled,
    last,
    lastOk,
  };
}

export function newsLines({ inbox }: Pick<AgentNews, 'inbox'>, kind: NewsItem['kind']): readonly string[] {
  return inbox.flatMap((item) => (item.kind === kind ? [item.line] : []));
}

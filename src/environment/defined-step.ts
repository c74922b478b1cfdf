/**
 * A step of a world that `defineEnvironment` made: who acts first, what is refused, what each action does, and
 * what agents hear and notice of it.
 */
import { known } from '../base/assert.js';
import { UsageError } from '../base/errors.js';
import { lookUp } from '../base/look-up.js';
import type { Problem } from '../base/problem.js';
import { heardLine } from '../speech/utterance.js';
import type { Event, Intent } from './action.js';
import type { ActResult, Environment } from './environment.js';
import type { DefinedState, EnvironmentSpec, OpenedSpec } from './environment-spec.js';
import { intentProblem } from './intents.js';
import type { AgentNews } from './news.js';
import { NO_NEWS, lastResult, withInboxItem, withRecalledLine } from './news.js';
import type { SpokenWords } from './own-action.js';
import { resultOf } from './own-failure.js';
import { SAID } from './spoken.js';
import { precedence } from './turn-order.js';

export function isActive<C, S>({ spec }: OpenedSpec<C, S>, world: S, agent: string): boolean {
  return spec.isActive?.(world, agent) ?? true;
}

export function scopeOf<C, S>(
  { spec, actions, settings }: OpenedSpec<C, S>,
  agent: string,
): readonly string[] {
  const all = actions.list().map(({ name }) => name);
  const scoped = spec.scope?.(agent, settings);
  return scoped === undefined ? all : all.filter((name) => scoped.includes(name));
}

export function refusalOf<C, S>(
  opened: OpenedSpec<C, S>,
  state: DefinedState<S>,
  intent: Intent,
): Problem | undefined {
  const { agent, args } = intent;
  const scope = scopeOf(opened, agent);
  return (
    intentProblem(opened.actions, intent, {
      isActive: opened.settings.agents.includes(agent) && isActive(opened, state.world, agent),
      isAllowed: (name) => scope.includes(name),
    }) ?? opened.actions.get(intent.action)?.check(state, agent, args)
  );
}

export function advance<C, S>(
  opened: OpenedSpec<C, S>,
  start: DefinedState<S>,
  intents: readonly Intent[],
): ReturnType<Environment<DefinedState<S>>['advance']> {
  const { spec, actions } = opened;
  const { order, ties } = precedence(
    start.ties,
    intents.map(({ agent }) => agent),
  );
  const inOrder =
    (spec.order ?? 'given') === 'given'
      ? intents
      : intents.toSorted((a, b) => order.indexOf(a.agent) - order.indexOf(b.agent));
  let state: DefinedState<S> = { ...start, ...(ties === undefined ? {} : { ties }) };
  for (const { agent, action } of inOrder) {
    const isRead = actions.get(action)?.cost !== 'free' && newsOf(state, agent).inbox.length > 0;
    if (isRead) state = withNews(state, agent, { inbox: [] });
  }
  const results = new Map<Intent, ActResult>();
  const events: Event[] = [];
  for (const intent of inOrder) {
    const { agent } = intent;
    const action = actions.get(intent.action);
    const refusal = refusalOf(opened, state, intent);
    if (action === undefined || refusal !== undefined) {
      results.set(intent, { ok: false, problem: known(refusal, 'why an unknown action is refused') });
    } else {
      const applied = action.apply(state, agent, intent.args, intent.outside);
      state = applied.state;
      results.set(intent, resultOf(applied));
      events.push(...applied.events);
    }
    const { last, lastOk } = lastResult(known(results.get(intent), `result of ${agent}`));
    state = { ...state, last: { ...state.last, [agent]: last } };
    if (state.news !== undefined) state = withNews(state, agent, { lastOk });
  }
  const settled = spec.settle === undefined ? state.world : spec.settle(state.world);
  if (settled === undefined) throw new UsageError(`${spec.kind}: settle did not return the state`);
  state = { ...state, world: settled };
  return {
    state: noticed(spec, state, events),
    results: intents.map((intent) => known(results.get(intent), `result of ${intent.agent}`)),
    events,
  };
}

function withNews<S>(state: DefinedState<S>, agent: string, change: Partial<AgentNews>): DefinedState<S> {
  return { ...state, news: { ...state.news, [agent]: { ...newsOf(state, agent), ...change } } };
}

/** The state with a line for each agent that noticed an event; words are heard, not noticed. */
export function noticed<C, S>(
  spec: EnvironmentSpec<C, S>,
  before: DefinedState<S>,
  events: readonly Event[],
): DefinedState<S> {
  if (spec.notice === undefined) return before;
  let state = before;
  for (const event of events) {
    for (const agent of event.kind === SAID ? [] : event.seenBy) {
      const line = agent === event.actor ? null : spec.notice(state.world, agent, event);
      // Plain JavaScript may return undefined instead of null.
      if (typeof line !== 'string') continue;
      const inbox = withInboxItem(newsOf(state, agent).inbox, { kind: 'noticed', line: line.toWellFormed() });
      state = withNews(state, agent, { inbox });
    }
  }
  return state;
}

/** The state in which the hearers have heard an agent's words. */
export function withWords<S>(
  state: DefinedState<S>,
  speaker: string,
  { text, name, reach, hearers }: SpokenWords,
): DefinedState<S> {
  const { turn } = state;
  const news = { ...state.news };
  for (const { id, distance } of hearers) {
    const line = heardLine({ channel: 'speak', text, turn }, { speakerName: name, distance, reach });
    const { inbox, recalled, lastOk } = newsOf(state, id);
    const words = { speaker, name, text, turn, distance };
    news[id] = {
      inbox: withInboxItem(inbox, { kind: 'heard', line, words }),
      recalled: withRecalledLine(recalled, line),
      lastOk,
    };
  }
  return { ...state, news };
}

export function newsOf<S>({ news }: DefinedState<S>, agent: string): AgentNews {
  return lookUp(news ?? {}, agent) ?? NO_NEWS;
}

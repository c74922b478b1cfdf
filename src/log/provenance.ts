/**
 * Where figures come from, in sentences: the batch and its plan, when and with which versions its runs were
 * played, and the models that played with their settings. A table or a data set without this can't be repeated
 * or checked.
 */
import { amount } from '../base/counted.js';
import { compareText } from '../base/ids.js';
import { lookUp } from '../base/look-up.js';
import { once } from '../base/once.js';
import { oneLine } from '../base/text.js';
import type { ModelSpec } from '../scenario/scenario.js';
import type { BatchRecord } from '../scenario/batch-record.js';
import { askedModel, seatsText } from '../trajectory/player-names.js';
import type { RunNames } from '../trajectory/player-names.js';
import type { RunRecord, SessionRecord } from '../trajectory/records.js';
import { samplingSettings } from '../trajectory/sampling-settings.js';

/** What has to be known to repeat a run, besides its scenario and seed. */
export interface RunOrigin {
  /** The models that were asked for actions, by their names on the server, each once. */
  models: readonly {
    model: string;
    /** The program that served it, if the server says so. */
    server: string | null;
    /** Other names by which the server called it in its answers to the agent. */
    answeredAs: readonly string[];
    /** `temperature=0.7, top_p=1, …` */
    settings: string;
  }[];
  versions: RunRecord['versions'];
  /** When the last session ended, or its last step; null if no step was finished. */
  lastAt: number | null;
}

/** A model as its server named it in an answer to an agent. */
export interface AnsweringModel {
  agent: string;
  model: string;
}

export interface OriginatedRun {
  players: string;
  names: Pick<RunNames, 'seats'>;
  /** The time in milliseconds since 1970. */
  startedAt: number;
  origin: RunOrigin;
}

export interface BatchOrigin extends Pick<BatchRecord, 'title' | 'plan'> {
  planned: number;
}

const PLAN_DIGITS = 12;
const VERSIONS = ['program', 'rules', 'prompt', 'parser', 'render', 'log', 'node'] as const;

/** Nothing if there are no runs. */
export function provenanceTexts({
  runs,
  batches,
}: {
  runs: readonly OriginatedRun[];
  batches: readonly BatchOrigin[];
}): readonly string[] {
  if (runs.length === 0) return [];
  const starts = runs.map(({ startedAt }) => startedAt);
  const ends = runs.map(({ startedAt, origin }) => origin.lastAt ?? startedAt);
  const versions = VERSIONS.map((name) => {
    const values = distinct(runs.map(({ origin }) => String(origin.versions[name])));
    return `${name === 'program' ? 'orchestrate' : name} ${values.join(' and ')}`;
  });
  // The parts of a plan that was played in shards are one batch.
  const byPlan = new Map<string, BatchOrigin>();
  for (const { title, plan, planned } of batches) {
    const key = `${plan} ${title}`;
    byPlan.set(key, { title, plan, planned: planned + (byPlan.get(key)?.planned ?? 0) });
  }
  return [
    ...[...byPlan.values()].map(({ title, plan, planned }) => {
      return `Batch: ${title} (${amount(planned, 'planned run')}, plan ${plan.slice(0, PLAN_DIGITS)}).`;
    }),
    `Played from ${minuteText(Math.min(...starts))} to ${minuteText(Math.max(...ends))} (UTC) with ${versions.join(', ')}.`,
    ...distinct(runs.map(({ players }) => players)).flatMap((players) =>
      playersText(
        players,
        runs.filter((run) => run.players === players),
      ),
    ),
  ];
}

/** `answering` is called only if a model was asked. */
export function originOf(
  run: RunRecord,
  sessions: readonly SessionRecord[],
  answering: () => readonly AnsweringModel[],
): RunOrigin {
  const { agents, models: specs } = run.scenario;
  const named = once(answering);
  const asked = agents.flatMap(({ id, controller }) => {
    const spec = controller.kind === 'model' ? lookUp(specs, controller.model) : undefined;
    if (spec === undefined) return [];
    const askedNames = sessions.map(({ controllers }) => askedModel(lookUp(controllers, id)));
    const answers = named().filter(({ agent, model }) => agent === id && !askedNames.includes(model));
    const answeredAs = answers.map(({ model }) => oneLine(model, 100));
    return sessions.flatMap(({ controllers }) => {
      const entry = lookUp(controllers, id);
      const model = askedModel(entry);
      if (model === null) return [];
      const { server } = Object(entry) as { server?: unknown };
      return [
        {
          model,
          server: typeof server === 'string' ? server : null,
          answeredAs,
          settings: samplingText(spec),
        },
      ];
    });
  });
  const models = [...new Map(asked.map((one) => [JSON.stringify(one), one])).values()];
  const ends = sessions.flatMap(({ endedAt, lastStepAt }) => endedAt ?? lastStepAt ?? []);
  return { models, versions: run.versions, lastAt: ends.length === 0 ? null : Math.max(...ends) };
}

/** `temperature=0.7, top_p=1, max_tokens=512, seed=by run, guided=auto` */
function samplingText(spec: ModelSpec): string {
  const { extra, seed, ...settings } = samplingSettings(spec);
  return Object.entries({ ...settings, seed: seed ?? 'by run', ...extra })
    .map(([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ');
}

/** Nothing for players without a model or seats. */
function playersText(players: string, runs: readonly OriginatedRun[]): readonly string[] {
  const models = distinct(
    runs.flatMap(({ origin }) =>
      origin.models.map(({ model, server, answeredAs, settings }) => {
        const others = answeredAs.length === 0 ? '' : `, answered as ${answeredAs.join(' and ')}`;
        return `model ${model}${server === null ? '' : ` on ${server}`}${others}, ${settings}`;
      }),
    ),
  );
  const seats = distinct(runs.map(({ names }) => seatsText(names.seats)).filter((text) => text !== ''));
  const facts = [...seats.map((text) => `seats ${text}`), ...models];
  return facts.length === 0 ? [] : [`${players}: ${facts.join('; ')}.`];
}

function distinct(list: readonly string[]): readonly string[] {
  return [...new Set(list)].toSorted(compareText);
}

/** "2026-11-26 14:05" */
function minuteText(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 16).replace('T', ' ');
}

/**
 * `preference`: one request with a better and a worse answer, in the form that TRL's preference trainers
 * read. The pairs come from forks and corrections (`pairs.ts`).
 */
import { NO_ROLLOUTS } from '../better.js';
import type { Rollouts } from '../better.js';
import {
  integerColumn,
  numberColumn,
  PICTURES_FEATURE,
  textColumn,
  trlFeature,
  booleanColumn,
} from '../features.js';
import type { Feature } from '../features.js';
import type { ExportFormat } from '../format.js';
import type { ExportRow } from '../row.js';
import { hubTable } from '../hub-table.js';
import type { ExportSample } from '../sample.js';
import { toolsColumn, trlAnswer, trlPrompt } from './trl.js';

export const preference: ExportFormat = {
  name: 'preference',
  about: 'a better and a worse answer to one request, from forks of one step; Parquet for TRL',
  needsPicture: false,
  unit: 'pair',
  ...hubTable({
    features: [
      textColumn('id'),
      ...['prompt', 'chosen', 'rejected'].map(trlFeature),
      PICTURES_FEATURE,
      textColumn('because'),
      ...['scenario', 'seed', 'agent'].map(textColumn),
      integerColumn('step'),
      ...['chosen', 'rejected'].flatMap(factFeatures),
    ],
    record: pairRow,
  }),
};

function pairRow({ sample, rejected: pair }: ExportRow) {
  const { sample: rejected, because, rollouts } = pair ?? { sample, because: null, rollouts: NO_ROLLOUTS };
  return {
    id: sample.key,
    prompt: trlPrompt({ sample }),
    chosen: [trlAnswer(sample)],
    rejected: [trlAnswer(rejected)],
    ...toolsColumn(sample),
    because,
    scenario: sample.scenario,
    seed: sample.seed,
    agent: sample.agent,
    step: sample.step,
    ...facts('chosen', sample, rollouts.chosen),
    ...facts('rejected', rejected, rollouts.rejected),
  };
}

function factFeatures(side: string): readonly Feature[] {
  return [
    textColumn(`${side}_run`),
    textColumn(`${side}_player`),
    textColumn(`${side}_outcome`),
    integerColumn(`${side}_turns`),
    booleanColumn(`${side}_ok`),
    textColumn(`${side}_problem`),
    numberColumn(`${side}_reward`),
    numberColumn(`${side}_return`),
    integerColumn(`${side}_regret`),
    textColumn(`${side}_regret_kind`),
    integerColumn(`${side}_rollouts`),
    integerColumn(`${side}_succeeded`),
  ];
}

function facts(
  side: string,
  { runId, player, outcome, result, paid, cost }: ExportSample,
  rollouts: Rollouts,
): object {
  return {
    [`${side}_run`]: runId,
    [`${side}_player`]: player,
    [`${side}_outcome`]: outcome.status,
    [`${side}_turns`]: outcome.turns,
    [`${side}_ok`]: result?.ok ?? null,
    [`${side}_problem`]: result?.code ?? null,
    [`${side}_reward`]: paid?.reward ?? null,
    [`${side}_return`]: paid?.return ?? null,
    [`${side}_regret`]: cost?.regret ?? null,
    [`${side}_regret_kind`]: cost?.regretKind ?? null,
    [`${side}_rollouts`]: rollouts.count,
    [`${side}_succeeded`]: rollouts.succeeded,
  };
}

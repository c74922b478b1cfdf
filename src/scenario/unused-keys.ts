/**
 * Warns of keys that are valid but have no effect in combination with the others, so that the author does not
 * rely on them. Only keys that the author wrote are checked, not defaults.
 */
import { compareText } from '../base/ids.js';
import { isRecord, type Json } from '../base/json.js';
import { childOf } from './records.js';
import type { MistakeReport } from './report.js';
import type { YamlPath } from './tree.js';
import { DEFAULT_WORLD } from './world.js';

/**
 * `written` is the scenario before defaults were filled in; values refused by a schema are reported
 * elsewhere.
 */
export function warnOfUnusedKeys(written: Json, report: MistakeReport): void {
  warnOfPictureKeys(written, report);
  warnOfNames(written, report);
  warnOfCost(written, report);
  warnOfTies(written, report);
  warnOfSpeculation(written, report);
  warnOfRewards(written, report);
  const agents = childOf(written, 'agents');
  if (!Array.isArray(agents)) return;
  agents.forEach((_, i) => {
    warnOfMemory(written, report, ['agents', i, 'memory']);
    warnOfPastPictures(written, report, ['agents', i, 'memory']);
  });
}

/** These keys change only the picture, which is not sent if the channel is text. */
function warnOfPictureKeys(written: Json, report: MistakeReport): void {
  const render = childOf(written, 'render');
  if (childOf(render, 'channel') !== 'text') return;
  for (const key of ['marks', 'ruler', 'blank']) {
    if (childOf(render, key) === true)
      report.warning(
        { key: ['render', key] },
        `'${key}' has no effect if channel is text`,
        `it only affects pictures: write channel: both, or leave out ${key}`,
      );
  }
}

/** `names` has an effect only if agents get no text, because the text already contains the names. */
function warnOfNames(written: Json, report: MistakeReport): void {
  const render = childOf(written, 'render');
  if (childOf(render, 'names') !== true || childOf(render, 'channel') === 'image') return;
  report.warning(
    { key: ['render', 'names'] },
    "'names' has no effect unless channel is image",
    'it only matters if the picture is sent without the text: write channel: image, or leave out names',
  );
}

/** Tokens of a model without a price cost nothing, so the limit is never reached. */
function warnOfCost(written: Json, report: MistakeReport): void {
  if (childOf(childOf(written, 'budget'), 'cost') === undefined) return;
  const models = childOf(written, 'models');
  const named = isRecord(models) ? Object.keys(models).toSorted(compareText) : [];
  const [first] = named.filter((name) => childOf(childOf(models, name), 'price') === undefined);
  if (named.length > 0 && first === undefined) return;
  report.warning(
    { key: ['budget', 'cost'] },
    first === undefined
      ? "'cost' has no effect if no model in the scenario has a price"
      : `'cost' has no effect on the model ${first}, which has no price`,
    `write price: { prompt: …, reply: … } under models.${first ?? '<name>'} (prices per million tokens)`,
  );
}

/** Agents that act in turn never want the same thing at once. */
function warnOfTies(written: Json, report: MistakeReport): void {
  const turns = childOf(written, 'turns');
  if (childOf(turns, 'ties') === undefined || childOf(turns, 'order') === 'simultaneous') return;
  report.warning(
    { key: ['turns', 'ties'] },
    "'ties' has no effect if agents act one after the other",
    "also write 'order: simultaneous', or leave out 'ties'",
  );
}

/** Agents that act at once are asked at once anyway. */
function warnOfSpeculation(written: Json, report: MistakeReport): void {
  const turns = childOf(written, 'turns');
  const speculates = (childOf(turns, 'speculate') ?? false) !== false;
  if (!speculates || childOf(turns, 'order') !== 'simultaneous') return;
  report.warning(
    { key: ['turns', 'speculate'] },
    "'speculate' has no effect if order is simultaneous",
    'all agents are asked at once anyway: leave out speculate',
  );
}

/** `discount` and `effort` affect only the reward for progress; `effort` limits its search. */
function warnOfRewards(written: Json, report: MistakeReport): void {
  const rewards = childOf(written, 'rewards');
  if ((childOf(rewards, 'progress') ?? 0) !== 0) {
    // Only this world needs `success` for the reward.
    const isDefaultWorld = (childOf(written, 'environment') ?? DEFAULT_WORLD) === DEFAULT_WORLD;
    if (isDefaultWorld && childOf(written, 'success') === undefined)
      report.warning(
        { key: ['rewards', 'progress'] },
        "'progress' has no effect without a success condition of the run",
        "also write 'success: …', or leave out 'progress'",
      );
    return;
  }
  for (const key of ['discount', 'effort']) {
    if (childOf(rewards, key) !== undefined)
      report.warning(
        { key: ['rewards', key] },
        `'${key}' has no effect without 'progress'`,
        `also write progress: 1, or leave out ${key}`,
      );
  }
}

/** The kinds of memory that each key has an effect on. */
const KINDS_BY_MEMORY_KEY: Readonly<Record<string, readonly string[]>> = {
  turns_max: ['window', 'history', 'summary', 'notes', 'file'],
  turns_kept: ['history', 'summary', 'notes', 'file'],
  characters_max: ['summary'],
  notes_max: ['notes', 'file'],
  pictures: ['window', 'history', 'summary', 'notes', 'file'],
};

/** With `channel: text`, there are no pictures to remember. */
function warnOfPastPictures(written: Json, report: MistakeReport, path: YamlPath): void {
  if (childOf(childOf(written, 'render'), 'channel') !== 'text') return;
  const memory = path.reduce<unknown>(childOf, written);
  for (const key of ['pictures', 'recalls']) {
    if (childOf(memory, key) !== undefined)
      report.warning(
        { key: [...path, key] },
        `'${key}' has no effect if channel is text`,
        `it only affects pictures: write channel: both, or leave out ${key}`,
      );
  }
}

function warnOfMemory(written: Json, report: MistakeReport, path: YamlPath): void {
  const memory = path.reduce<unknown>(childOf, written);
  const kind = childOf(memory, 'kind') ?? 'history';
  if (typeof kind !== 'string') return;
  for (const [key, kinds] of Object.entries(KINDS_BY_MEMORY_KEY)) {
    if (childOf(memory, key) !== undefined && !kinds.includes(kind))
      report.warning(
        { key: [...path, key] },
        `'${key}' has no effect if the memory's kind is ${kind}`,
        `write kind: ${kinds[0] ?? 'history'}, or leave out ${key}`,
      );
  }
}

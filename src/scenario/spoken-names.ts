/**
 * `actions`: other names for a world's actions. Each must be an action of this world, and no two may get the
 * same name.
 */
import { lookUp } from '../base/look-up.js';
import { VERB, WAIT } from '../environment/action.js';
import type { SpokenNames } from '../environment/action.js';
import type { MistakeReport } from './report.js';
import { suggestAction } from './suggest.js';

/**
 * In upper case, sorted by their names in the rules. `verbs`: all of this world's, null if they are not
 * known.
 */
export function readSpokenNames(
  written: Readonly<Record<string, string>>,
  verbs: readonly string[] | null,
  report: MistakeReport,
): SpokenNames {
  const names = new Map<string, string>();
  for (const [key, value] of Object.entries(written)) {
    const [ruleName, spokenName] = [key.toUpperCase(), value.toUpperCase()];
    const mistake = findMistake(ruleName, spokenName, verbs);
    if (mistake === undefined) names.set(ruleName, spokenName);
    else
      report.error(
        mistake.isKey ? { key: ['actions', key] } : ['actions', key],
        mistake.message,
        mistake.suggestion,
      );
  }
  for (const key of Object.keys(written)) reportTakenName(key, { names, verbs, report });
  return Object.fromEntries([...names].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function findMistake(
  ruleName: string,
  spokenName: string,
  verbs: readonly string[] | null,
): { isKey: boolean; message: string; suggestion: string } | undefined {
  if (verbs !== null && !verbs.includes(ruleName))
    return {
      isKey: true,
      message: `there is no action called '${ruleName.slice(0, 40)}'`,
      suggestion: suggestAction(ruleName, verbs),
    };
  if (ruleName === WAIT)
    return {
      isKey: true,
      message: "WAIT can't be renamed: the program uses it for missing answers",
      suggestion: 'leave it out',
    };
  if (!VERB.test(spokenName))
    return {
      isKey: false,
      message: `'${spokenName.slice(0, 40)}' is not a valid name for an action`,
      suggestion: 'write one word of letters and _, at most 24 characters',
    };
  return undefined;
}

/** Reports a name that another action of the world has, or that another renaming also uses. */
function reportTakenName(
  key: string,
  {
    names,
    verbs,
    report,
  }: { names: ReadonlyMap<string, string>; verbs: readonly string[] | null; report: MistakeReport },
): void {
  const ruleName = key.toUpperCase();
  const spokenName = names.get(ruleName);
  if (spokenName === undefined) return;
  const sameName = [...names].find(([other, name]) => name === spokenName && other !== ruleName);
  const isStillTaken =
    spokenName !== ruleName && (verbs ?? []).includes(spokenName) && !names.has(spokenName);
  if (isStillTaken)
    report.error(
      ['actions', key],
      `${spokenName} is already an action of this world`,
      `give ${spokenName} another name too`,
    );
  else if (sameName !== undefined)
    report.error(
      ['actions', key],
      `${ruleName} and ${sameName[0]} would both be called ${spokenName}`,
      'choose another name',
    );
}

/**
 * The names as stored in a scenario: absent if there are none, so that the chains of other scenarios don't
 * change.
 */
export function spokenNamesSpec(names: SpokenNames): { spokenNames?: SpokenNames } {
  return Object.keys(names).length === 0 ? {} : { spokenNames: names };
}

/** The verbs of a kind of world; those of all available worlds if the kind is unknown. */
export function verbsOf(
  kind: string,
  known: {
    actions: readonly string[] | null;
    actionsByKind?: Readonly<Record<string, readonly string[]>>;
  },
): readonly string[] | null {
  return lookUp(known.actionsByKind ?? {}, kind) ?? known.actions;
}

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
    const [own, spoken] = [key.toUpperCase(), value.toUpperCase()];
    const wrong = faultOf(own, spoken, verbs);
    if (wrong === undefined) names.set(own, spoken);
    else
      report.error(
        wrong.isKey ? { key: ['actions', key] } : ['actions', key],
        wrong.message,
        wrong.suggestion,
      );
  }
  for (const key of Object.keys(written)) tellTaken(key, { names, verbs, report });
  return Object.fromEntries([...names].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

interface SpokenNameMistake {
  readonly isKey: boolean;
  readonly message: string;
  readonly suggestion: string;
}

function faultOf(
  own: string,
  spoken: string,
  verbs: readonly string[] | null,
): SpokenNameMistake | undefined {
  if (verbs !== null && !verbs.includes(own))
    return {
      isKey: true,
      message: `there is no action called '${own.slice(0, 40)}'`,
      suggestion: suggestAction(own, verbs),
    };
  if (own === WAIT)
    return {
      isKey: true,
      message: "WAIT can't be renamed: it replaces missing answers",
      suggestion: 'leave it out',
    };
  if (!VERB.test(spoken))
    return {
      isKey: false,
      message: `'${spoken.slice(0, 40)}' is not a valid name for an action`,
      suggestion: 'write one word of letters and _, at most 24 characters',
    };
  return undefined;
}

interface Names {
  readonly names: ReadonlyMap<string, string>;
  readonly verbs: readonly string[] | null;
  readonly report: MistakeReport;
}

/** Reported at the given name, once. */
function tellTaken(key: string, { names, verbs, report }: Names): void {
  const own = key.toUpperCase();
  const spoken = names.get(own);
  if (spoken === undefined) return;
  const before = [...names].find(([other, name]) => name === spoken && other !== own);
  const isKept = spoken !== own && (verbs ?? []).includes(spoken) && !names.has(spoken);
  if (isKept)
    report.error(
      ['actions', key],
      `${spoken} is already an action of this world`,
      `give ${spoken} another name too`,
    );
  else if (before !== undefined)
    report.error(
      ['actions', key],
      `${own} and ${before[0]} would both be called ${spoken}`,
      'choose another name',
    );
}

/**
 * The names as stored in a scenario: absent if there are none, so that the chains of other scenarios don't
 * change.
 */
export function spokenNamesSpec(names: SpokenNames): { readonly spokenNames?: SpokenNames } {
  return Object.keys(names).length === 0 ? {} : { spokenNames: names };
}

/** The verbs of a kind of world; those of all available worlds if the kind is unknown. */
export function verbsOf(
  kind: string,
  known: {
    readonly actions: readonly string[] | null;
    readonly actionsByKind?: Readonly<Record<string, readonly string[]>>;
  },
): readonly string[] | null {
  return lookUp(known.actionsByKind ?? {}, kind) ?? known.actions;
}

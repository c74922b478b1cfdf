/**
 * Choosing among things that look alike. If three or more of a kind are in sight or remembered ("red lever",
 * "blue lever", "green lever"), a careful player does not try them one by one: it waits until something that
 * it read or heard names one of them.
 */
import type { ScriptedSituation } from './situation.js';

const ALIKE_MIN = 3;

export function isAdvised(
  situation: ScriptedSituation,
  thing: { readonly id: string; readonly name: string },
): boolean {
  const kind = lastWord(thing.name);
  const alike = new Map<string, string>();
  for (const one of [
    ...situation.facts.things,
    ...situation.facts.remembered,
    ...situation.facts.self.holds,
  ]) {
    if (lastWord(one.name) === kind) alike.set(one.id, one.name);
  }
  const names = new Set(alike.values());
  if (names.size < ALIKE_MIN) return true;
  const clauses = situation.sentences.flatMap((sentence) => sentence.split(/[.;:!?]|, but /));
  const about = clauses.map(words).filter((clause) => tellsApart(clause, thing.name, kind));
  return about.some((clause) => !warns(clause)) && !about.some(warns);
}

function lastWord(name: string): string {
  return words(name).at(-1) ?? '';
}

function words(text: string): readonly string[] {
  return text.toLowerCase().match(/[a-z]+/g) ?? [];
}

/** Whether a clause says what sets this thing apart from the others of its kind. */
function tellsApart(clause: readonly string[], name: string, kind: string): boolean {
  return words(name).some((word) => word !== kind && clause.includes(word));
}

function warns(clause: readonly string[]): boolean {
  return clause.some((word) => WARNINGS.test(word));
}

/** Words that warn against touching something. */
const WARNINGS =
  /^(?:not|never|no|don|avoid|beware|neither|nor|whoever|wrong|trap\w*|curs\w*|danger\w*|dead\w*|death|die[sd]?|kill\w*|bur(?:y|ies|ied)|destroy\w*|collaps\w*|poison\w*)$/;

/**
 * Chooses among things that look alike. If three or more of a kind are in sight or remembered ("red lever",
 * "blue lever", "green lever"), the scripted player does not try them one by one, but waits until something
 * that it read or heard recommends one of them.
 */
import type { ScriptedSituation } from './situation.js';

const ALIKE_MIN = 3;

export function isRecommended(situation: ScriptedSituation, thing: { id: string; name: string }): boolean {
  const kind = lastWord(thing.name);
  const lookalikes = new Map<string, string>();
  for (const fact of [
    ...situation.facts.things,
    ...situation.facts.remembered,
    ...situation.facts.self.holds,
  ]) {
    if (lastWord(fact.name) === kind) lookalikes.set(fact.id, fact.name);
  }
  const names = new Set(lookalikes.values());
  if (names.size < ALIKE_MIN) return true;
  const clauses = situation.sentences.flatMap((sentence) => sentence.split(/[.;:!?]|, but /));
  const relevant = clauses.map(wordsIn).filter((clause) => distinguishes(clause, thing.name, kind));
  return relevant.some((clause) => !isWarning(clause)) && !relevant.some(isWarning);
}

function lastWord(name: string): string {
  return wordsIn(name).at(-1) ?? '';
}

function wordsIn(text: string): readonly string[] {
  return text.toLowerCase().match(/[a-z]+/g) ?? [];
}

function distinguishes(clause: readonly string[], name: string, kind: string): boolean {
  return wordsIn(name).some((word) => word !== kind && clause.includes(word));
}

function isWarning(clause: readonly string[]): boolean {
  return clause.some((word) => WARNINGS.test(word));
}

/** Words that warn against touching something. */
const WARNINGS =
  /^(?:not|never|no|don|avoid|beware|neither|nor|whoever|wrong|trap\w*|curs\w*|danger\w*|dead\w*|death|die[sd]?|kill\w*|bur(?:y|ies|ied)|destroy\w*|collaps\w*|poison\w*)$/;

/**
 * Choosing among things that look alike. Where three or more of a kind are in sight or remembered ("red lever", "blue lever", "green
 * lever"), a careful player does not try them one by one: it waits until something that it read or heard names one of them.
 */
import type { Situation } from './situation.js';

const ALIKE_MIN = 3;

export function isAdvised(
  situation: Situation,
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
  return situation.sentences.some((sentence) => recommends(sentence, thing.name, kind));
}

function lastWord(name: string): string {
  return words(name).at(-1) ?? '';
}

function words(text: string): readonly string[] {
  return text.toLowerCase().match(/[a-z]+/g) ?? [];
}

/** Whether a sentence names what sets this thing apart, and no "not" or "never" stands shortly before it. */
function recommends(sentence: string, name: string, kind: string): boolean {
  const own = words(name).filter((word) => word !== kind);
  const said = words(sentence);
  return own.some((word) =>
    said.some(
      (one, i) => one === word && !said.slice(Math.max(0, i - 3), i).some((before) => NO.has(before)),
    ),
  );
}

const NO = new Set(['not', 'never', 'no', 'don', 'avoid', 'beware', 'neither', 'nor']);

/**
 * An observation: all that one agent may know at a moment. The prompt's text and the frame are two renderings
 * of it, made from one visibility set. It is plain JSON, and the log stores it unchanged.
 */
import type { JsonObject } from '../base/json.js';
import type { Scene } from './scene.js';

/** A section of the text. Ids are fixed per environment, so that templates can place them. */
export interface Section {
  /** For example `place`, `see`, `exits`, `hold`, `heard`, `last`. */
  id: string;
  lines: readonly string[];
  /** True if the frame shows the same content; such a section is omitted if only the picture is sent. */
  isPictured?: boolean;
}

/** Something that the agent may name in an argument. */
export interface Noun {
  id: string;
  name: string;
  /**
   * What texts and offers call it if another noun has the same name: `north barrel`. Understood as a name; absent
   * if its name alone tells it, and where only the picture tells what is seen.
   */
  distinctName?: string;
  /** Other full names. Unambiguous short forms are derived during binding, not listed. */
  aliases: readonly string[];
  /** Its kinds: `thing`, `held`, `person`, `door`, `place`, `container` … (defined by the world). */
  kinds: readonly string[];
}

/** One action that would be accepted now. */
export interface OfferedAction {
  /** The action's name, for example `TAKE`. */
  action: string;
  /**
   * For each slot that takes a name, direction or word: the values that would be accepted now, as spoken;
   * empty if any value would.
   */
  slots: Readonly<Record<string, readonly string[]>>;
  /**
   * Which values can be combined; absent if every combination would be accepted, with any number that the
   * grammar allows.
   */
  ways?: readonly LegalArguments[];
}

/**
 * Slots that are filled together. Each has its values as spoken, a number has `[least, most]`, and free text
 * has none.
 */
export type LegalArguments = Readonly<
  Record<string, readonly string[] | readonly [least: number, most: number]>
>;

/** Everything that one agent perceives at one moment, and nothing that it must not know. */
export interface Observation {
  agent: string;
  /** Turns count from 1. */
  turn: number;
  sections: readonly Section[];
  /** Names of the actions that this agent may use, now or at another moment; sorted. */
  scope: readonly string[];
  /** The actions that would be accepted now, with their arguments. */
  offered: readonly OfferedAction[];
  nouns: readonly Noun[];
  /**
   * The same knowledge as data for programs: itself, what it sees, what it heard. The environment documents
   * the structure.
   */
  facts: JsonObject;
  /** Null if the environment has no picture. */
  scene: Scene | null;
  /**
   * `plain` if no text may tell what only the picture shows: names alone are bound, not ids, and a refusal gives
   * no reason. Absent otherwise.
   */
  refusals?: 'plain';
}

/**
 * The noun that an offer calls `spoken`: by its distinct name, or by its name or id if only one has it;
 * undefined for none.
 */
export function offeredNoun(spoken: string, nouns: readonly Noun[]): Noun | undefined {
  return (
    nouns.find(({ id }) => id === spoken) ??
    nouns.find(({ name, distinctName }) => (distinctName ?? name) === spoken) ??
    nouns.find(({ name }) => name === spoken)
  );
}

/** What texts call a noun: its name, or its distinct name. */
export function toldName({ name, distinctName }: Noun): string {
  return distinctName ?? name;
}

/**
 * An observation: all that one agent may know at a moment. The prompt's text and the frame are two drawings of it, made
 * from one visibility set. It is plain JSON; the log stores it as it is.
 */
import type { JsonObject } from '../base/json.js';
import type { Scene } from './scene.js';

/** A paragraph of the grounded text. Ids are fixed per environment, so that templates can place them. */
export interface Section {
  /** Such as `place`, `see`, `exits`, `hold`, `heard`, `last`. */
  readonly id: string;
  readonly lines: readonly string[];
  /** True where the frame shows the same: left out where only the picture is sent. */
  readonly isPictured?: boolean;
}

/** Something the agent may name in an argument. */
export interface Noun {
  readonly id: string;
  readonly name: string;
  /** Other full names. Unambiguous short forms are worked out by the binder, not listed. */
  readonly aliases: readonly string[];
  /** Its kinds: `thing`, `held`, `person`, `door`, `place`, `container` … (the world's own words). */
  readonly kinds: readonly string[];
}

/** One action that would be accepted now. */
export interface OfferedAction {
  /** The action's name, such as `TAKE`. */
  readonly action: string;
  /** For each slot that takes a name, direction or word: what would be accepted now, as spoken; empty where free. */
  readonly slots: Readonly<Record<string, readonly string[]>>;
  /** Which of them go together; absent where every combination would be accepted, with any number that the grammar allows. */
  readonly ways?: readonly LegalArguments[];
}

/** Slots that are filled together: of each the values as spoken, of a number `[least, most]`, of free text none. */
export type LegalArguments = Readonly<
  Record<string, readonly string[] | readonly [least: number, most: number]>
>;

/** Everything that one agent is told at one moment, and no more than it may know. */
export interface Observation {
  readonly agent: string;
  /** Turns count from 1. */
  readonly turn: number;
  readonly sections: readonly Section[];
  /** Names of the actions that this agent may use at all, now or at another moment; sorted. */
  readonly scope: readonly string[];
  /** Those that would be accepted now, with their arguments. */
  readonly offered: readonly OfferedAction[];
  readonly nouns: readonly Noun[];
  /** The same knowledge for programs: self, what is seen, what was heard. Shape documented by the environment. */
  readonly facts: JsonObject;
  /** Null where the environment has no picture. */
  readonly scene: Scene | null;
}

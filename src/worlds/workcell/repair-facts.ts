/**
 * The facts of a world in which robots repair a thing with several sides, of which each sees one at a time:
 * an agent's knowledge as JSON, for programs that play. Any controller that reads this shape can play any
 * world that fills it, including the scripted one. Lists are sorted as in the text. The types are aliases,
 * because an interface is not assignable to a JSON object.
 */
import type { NewsFacts } from '../../environment/news.js';

/** The result of an inspection; null: this agent has not inspected it. */
export type PartCondition = 'sound' | 'faulty' | null;

export type HeldFact = {
  readonly id: string;
  readonly name: string;
  /** Id of the place that it fits. */
  readonly fits: string;
  readonly condition: PartCondition;
};

export type RepairPlace = {
  /** Id of the part that belongs there. */
  readonly id: string;
  readonly name: string;
  /** The side that it is on, in degrees. */
  readonly side: number;
  readonly isEmpty: boolean;
  readonly condition: PartCondition;
  /** Whether it is seen now; otherwise, the values are as last seen. */
  readonly visible: boolean;
  /** The turn in which it was last seen; null if it is seen now. */
  readonly turn: number | null;
};

/** The `facts` of an observation in a world in which something is repaired, such as `workcell`. */
export type RepairFacts = NewsFacts & {
  readonly turn: number;
  readonly self: {
    readonly id: string;
    readonly name: string;
    readonly status: 'awake' | 'done';
    /** The side at which it is, in degrees. */
    readonly orientation: number;
    readonly holds: HeldFact | null;
  };
  readonly sides: readonly {
    readonly orientation: number;
    readonly name: string;
    /** Whether the agent has seen it. */
    readonly seen: boolean;
  }[];
  /** The places that the agent has seen. */
  readonly places: readonly RepairPlace[];
  /** As last seen; null if never seen. */
  readonly spares: readonly { readonly id: string; readonly name: string; readonly fits: string }[] | null;
  /**
   * Robots that the agent has seen or heard; `here` says whether one is at the same side, and only then
   * `hands` is known.
   */
  readonly robots: readonly {
    readonly id: string;
    readonly name: string;
    readonly here: boolean;
    readonly hands: 'empty' | 'full' | null;
  }[];
};

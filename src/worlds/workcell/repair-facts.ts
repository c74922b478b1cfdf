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
  id: string;
  name: string;
  /** Id of the place that it fits. */
  fits: string;
  condition: PartCondition;
};

export type RepairPlace = {
  /** Id of the part that belongs there. */
  id: string;
  name: string;
  /** The side that it is on, in degrees. */
  side: number;
  isEmpty: boolean;
  condition: PartCondition;
  /** Whether it is seen now; otherwise, the values are as last seen. */
  visible: boolean;
  /** The turn in which it was last seen; null if it is seen now. */
  turn: number | null;
};

/** The `facts` of an observation in a world in which something is repaired, such as `workcell`. */
export type RepairFacts = NewsFacts & {
  turn: number;
  self: {
    id: string;
    name: string;
    status: 'awake' | 'done';
    /** The side at which it is, in degrees. */
    orientation: number;
    holds: HeldFact | null;
  };
  sides: readonly {
    orientation: number;
    name: string;
    /** Whether the agent has seen it. */
    seen: boolean;
  }[];
  /** The places that the agent has seen. */
  places: readonly RepairPlace[];
  /** As last seen; null if never seen. */
  spares: readonly { id: string; name: string; fits: string }[] | null;
  /**
   * Robots that the agent has seen or heard; `here` says whether one is at the same side, and only then
   * `hands` is known.
   */
  robots: readonly {
    id: string;
    name: string;
    here: boolean;
    hands: 'empty' | 'full' | null;
  }[];
};

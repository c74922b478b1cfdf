/**
 * The facts of a world where robots mend a thing that has sides, of which each sees one at a time: an agent's knowledge as JSON, for programs
 * that play. A world that fills this shape can be played by any controller that reads it, the scripted one among them. Lists are
 * sorted as in the text. The types are aliases, since an interface is not assignable to a JSON object.
 */

/** What an inspection found; null: this agent has not inspected it. */
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
  /** Degrees of the side that it is on. */
  readonly side: number;
  readonly isEmpty: boolean;
  readonly condition: PartCondition;
  /** Whether it is seen now; else it is as last seen. */
  readonly visible: boolean;
  /** The turn in which it was last seen; null: it is seen now. */
  readonly turn: number | null;
};

/** The `facts` of an observation in a world where something is to be mended, such as `workcell`. */
export type RepairFacts = {
  readonly turn: number;
  readonly self: {
    readonly id: string;
    readonly name: string;
    readonly status: 'awake' | 'done';
    /** Degrees of the side at which it stands. */
    readonly orientation: number;
    readonly holds: HeldFact | null;
  };
  readonly sides: readonly {
    readonly orientation: number;
    readonly name: string;
    /** Whether the agent has seen it. */
    readonly seen: boolean;
  }[];
  /** Those that the agent has seen. */
  readonly places: readonly RepairPlace[];
  /** As last seen; null: never. */
  readonly spares: readonly { readonly id: string; readonly name: string; readonly fits: string }[] | null;
  /** Those that the agent has seen or heard; `here` tells whether one is seen at the same side, and only then `hands` what they are. */
  readonly robots: readonly {
    readonly id: string;
    readonly name: string;
    readonly here: boolean;
    readonly hands: 'empty' | 'full' | null;
  }[];
  readonly heard: readonly {
    readonly speaker: string;
    readonly name: string;
    readonly text: string;
    readonly turn: number;
    readonly distance: number;
  }[];
  readonly noticed: readonly string[];
  /** What it heard before, newest last. */
  readonly recalled: readonly string[];
  /** What its last action did or why it was refused; '' before the first. */
  readonly last: string;
  /** Whether it did what was asked for; true before the first. */
  readonly lastOk: boolean;
};

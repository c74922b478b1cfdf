/**
 * The data of the page of `view`, as plain JSON made from a log alone. It comes in parts: the first has
 * everything so far, each later one the additions of a run in progress; tables only grow, so a page is its
 * joined parts (`withPart`). It has no pictures: the page draws scenes with the tileset's tiles, as the
 * program did; only a picture without a matching scene is included as its file.
 */
import type { Point } from '../environment/space.js';
import type { ActView } from '../replay/step-view.js';
import type { PackedScene, PackedThing } from './packed-scene.js';

/** An index into one of the page's tables. */
export type TableIndex = number;

/** Pixels of a picture of the tileset: RGBA, base64. */
export interface PageImage {
  readonly width: number;
  readonly height: number;
  readonly data: string;
}

/** A tileset's files; runs that used the same files share one. */
export interface PageTileset {
  readonly manifest: string;
  readonly images: Readonly<Record<string, PageImage>>;
}

/**
 * A picture that was sent: drawn from a scene, or the stored file if the scene does not give these pixels.
 */
export type PagePicture =
  { readonly scene: TableIndex; readonly hash: string } | { readonly png: string; readonly hash: string };

export interface PageAgent {
  readonly id: string;
  readonly name: string;
  /** Its player; '' if unknown. */
  readonly player: string;
  /** As they appear in its prompt, in the same order. */
  readonly goals: readonly string[];
}

/** A named part of a map: rectangles of tiles of the world, both corners included. */
export interface PagePlace {
  readonly name: string;
  readonly areas: readonly { readonly from: Point; readonly to: Point }[];
}

/** What is known of a run before its first step. */
export interface PageRunHead {
  readonly id: string;
  /** Name of the file that holds it, without its folder. */
  readonly file: string;
  readonly title: string;
  readonly seed: string;
  /**
   * For a fork: the run whose steps before `step` it shares, which may not be on the page; null for any other
   * run.
   */
  readonly parent: { readonly run: string; readonly step: number } | null;
  /**
   * What a fork changes compared with its parent, in short, except the players, who are in `agents`; '' for
   * nothing.
   */
  readonly change: string;
  readonly agents: readonly PageAgent[];
  readonly tileset: TableIndex;
  readonly skin: number;
  /** Pixels of a tile's side in the pictures that were sent. */
  readonly cell: number;
  /** Whether these pictures have a margin with coordinates. */
  readonly ruler: boolean;
  /**
   * Whether agents' views are updated only after their own steps and at the end of a turn, because there are
   * too many agents to do it at every step.
   */
  readonly isCrowd: boolean;
  /** Whether the whole map is shown, rather than the part around the acting agent. */
  readonly isMapWhole: boolean;
  /** Named parts of its map; none if they are not known. */
  readonly places: readonly PagePlace[];
  /** Whether its steps include their calls; exported tables have none. */
  readonly hasCalls: boolean;
  /** Before the first step. */
  readonly start: PageScenes;
}

/** The scene after a step; null if there is no picture. On a large map, the part around the acting agent. */
export interface PageScenes {
  readonly map: TableIndex | null;
  /** By agent, in the order of the run's agents. */
  readonly eyes: readonly (TableIndex | null)[];
}

export interface PageWalk {
  readonly actor: string;
  /** x and y of each tile of the world, alternating, start and end included. */
  readonly path: readonly number[];
}

export interface PageSaid {
  readonly speaker: string;
  readonly text: string;
  readonly hearers: readonly string[];
}

/** A piece of a message: a text of the table, or a picture. */
export type PagePiece = { readonly text: TableIndex } | { readonly picture: TableIndex };

export interface PageMessage {
  readonly role: string;
  readonly pieces: readonly PagePiece[];
}

/** How a call was answered. Texts are indices into the table of texts. */
export type PageReply =
  | {
      readonly kind: 'replied';
      readonly content: TableIndex;
      readonly reasoning: TableIndex | null;
      readonly tools: readonly { readonly name: string; readonly arguments: string }[];
      readonly finish: string | null;
      readonly model: string | null;
      readonly latencyMs: number;
      readonly promptTokens: number | null;
      readonly completionTokens: number | null;
      /** The earlier turn whose observation it answers; null if it answers the call's own observation. */
      readonly answeredTurn: number | null;
    }
  | { readonly kind: 'failed'; readonly error: string }
  /** None was stored. */
  | { readonly kind: 'none' };

/**
 * One call. Its messages are the first `kept` messages of the call `previous`, followed by `added`. If
 * `previous` is null, all messages are in `added`.
 */
export interface PageCall {
  readonly call: number;
  readonly agent: string;
  readonly attempt: number;
  readonly purpose: string;
  /** Who answered. */
  readonly player: string;
  readonly previous: number | null;
  readonly kept: number;
  readonly added: readonly PageMessage[];
  /** An index into the table of pictures; null if none was sent. */
  readonly picture: TableIndex | null;
  readonly reply: PageReply;
}

export interface PageStep extends PageScenes {
  readonly step: number;
  readonly turn: number;
  /** Agent id, or `world` for the end of a turn. */
  readonly agent: string;
  /** The first of the steps that were settled together with it; the step itself if agents act in turn. */
  readonly tick: number;
  readonly acts: readonly ActView[];
  readonly calls: readonly PageCall[];
  readonly walks: readonly PageWalk[];
  readonly said: readonly PageSaid[];
  /**
   * Names of the things its agent held before the step, from its observation; null if its world has no such
   * facts.
   */
  readonly holds: readonly string[] | null;
  /** Further sentences about it. */
  readonly notes: readonly string[];
  /** The kinds of all events, without duplicates. */
  readonly kinds: readonly string[];
  /** x and y of each tile of the world where something happened, alternating. */
  readonly places: readonly number[];
  /** How punctual the tick that ends with this step was; only in served runs. */
  readonly timing?: { readonly overrunMs: number; readonly settleMs: number };
  /** Whether the replayed world matches the one in the log. */
  readonly asLogged: boolean;
}

/** An agent program took or lost control of an entity of a served run. */
export interface PageLease {
  readonly entity: string;
  readonly epoch: number;
  readonly event: string;
  /** The holder's own name for itself. */
  readonly controller: string;
  /** The tick that was open at the time, or the next one. */
  readonly tick: number;
}

export interface PageEnd {
  readonly status: string;
  readonly reason: string;
}

/**
 * A person's verdict on a step of this run, even if the step belongs to its parent; `none`: the verdict was
 * removed.
 */
export interface PageMark {
  readonly step: number;
  readonly verdict: 'accepted' | 'rejected' | 'corrected' | 'none';
  /** The reason for a rejection, or the corrected reply; '' for none. */
  readonly text: string;
}

/** What a part adds to a run. */
export interface PageRunPart {
  readonly id: string;
  /** Present if the run is new. */
  readonly head?: PageRunHead;
  readonly steps: readonly PageStep[];
  /** Null while the run is in progress, or if its process was killed, and until the last part of its steps. */
  readonly end: PageEnd | null;
  /** Whether more of its steps follow in the next part. */
  readonly hasMore: boolean;
  /** Only new and changed ones. */
  readonly marks: readonly PageMark[];
  /** Only new ones; none if the run is not served. */
  readonly leases: readonly PageLease[];
}

export interface PagePart {
  readonly texts: readonly string[];
  readonly things: readonly PackedThing[];
  readonly scenes: readonly PackedScene[];
  readonly pictures: readonly PagePicture[];
  readonly tilesets: readonly PageTileset[];
  readonly runs: readonly PageRunPart[];
}

export interface PageRun extends PageRunHead {
  readonly steps: readonly PageStep[];
  readonly end: PageEnd | null;
  /** Whether it is still being loaded. */
  readonly hasMore: boolean;
  /** The current verdicts, by step. */
  readonly marks: ReadonlyMap<number, PageMark>;
  readonly leases: readonly PageLease[];
}

/** The page's data so far: all parts joined. */
export interface PageData extends Omit<PagePart, 'runs'> {
  readonly runs: readonly PageRun[];
}

export const NO_DATA: PageData = { texts: [], things: [], scenes: [], pictures: [], tilesets: [], runs: [] };

/** The data with one more part. */
export function withPart(data: PageData, part: PagePart): PageData {
  const runs = [...data.runs];
  for (const { id, head, steps, end, hasMore, marks, leases } of part.runs) {
    const index = runs.findIndex((run) => run.id === id);
    const empty = { steps: [], end: null, hasMore: false, marks: new Map<number, PageMark>(), leases: [] };
    const newRun = head === undefined ? undefined : { ...head, ...empty };
    const run = runs[index] ?? newRun;
    if (run === undefined) continue;
    runs[index < 0 ? runs.length : index] = {
      ...run,
      steps: [...run.steps, ...steps],
      end,
      hasMore,
      marks: withMarks(run.marks, marks),
      leases: [...run.leases, ...leases],
    };
  }
  return {
    texts: [...data.texts, ...part.texts],
    things: [...data.things, ...part.things],
    scenes: [...data.scenes, ...part.scenes],
    pictures: [...data.pictures, ...part.pictures],
    tilesets: [...data.tilesets, ...part.tilesets],
    runs,
  };
}

function withMarks(
  current: ReadonlyMap<number, PageMark>,
  changes: readonly PageMark[],
): ReadonlyMap<number, PageMark> {
  if (changes.length === 0) return current;
  const marks = new Map(current);
  for (const mark of changes) {
    if (mark.verdict === 'none') marks.delete(mark.step);
    else marks.set(mark.step, mark);
  }
  return marks;
}

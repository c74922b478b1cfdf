/**
 * The data of the page of `view`, as plain JSON made from a log alone. It comes in parts: the first has
 * everything so far, each later one the additions of a run in progress; tables only grow, so a page is its
 * joined parts (`withPart`). It has no pictures: the page draws scenes with the tileset's tiles, as the
 * program did; only a picture without a matching scene is included as its file.
 */
import type { Point } from '../environment/space.js';
import type { ActView } from '../replay/step-view.js';
import type { PackedScene, PackedThing } from './packed-scene.js';
import type { PackedWalk } from './packed-walk.js';

/** An index into one of the page's tables. */
export type TableIndex = number;

/** Pixels of a picture of the tileset: RGBA, base64. */
export interface PageImage {
  width: number;
  height: number;
  data: string;
}

/** A tileset's files; runs that used the same files share one. */
export interface PageTileset {
  manifest: string;
  images: Readonly<Record<string, PageImage>>;
}

/**
 * A picture that was sent: drawn from a scene, or the stored file if the scene does not give these pixels.
 */
export type PagePicture = { scene: TableIndex; hash: string } | { png: string; hash: string };

export interface PageAgent {
  id: string;
  name: string;
  /** Its player; '' if unknown. */
  player: string;
  /** As they appear in its prompt, in the same order. */
  goals: readonly string[];
}

/** A named part of a map: rectangles of tiles of the world, both corners included. */
export interface PagePlace {
  name: string;
  areas: readonly { from: Point; to: Point }[];
}

/** What is known of a run before its first step. */
export interface PageRunHead {
  id: string;
  /** Name of the file that holds it, without its folder. */
  file: string;
  title: string;
  seed: string;
  /**
   * For a fork: the run whose steps before `step` it shares, which may not be on the page; null for any other
   * run.
   */
  parent: { run: string; step: number } | null;
  /**
   * What a fork changes compared with its parent, in short, except the players, who are in `agents`; '' for
   * nothing.
   */
  change: string;
  agents: readonly PageAgent[];
  tileset: TableIndex;
  skin: number;
  /** Pixels of a tile's side in the pictures that were sent. */
  cell: number;
  /** Whether these pictures have a margin with coordinates. */
  ruler: boolean;
  /**
   * Whether agents' views are updated only after their own steps and at the end of a turn, because there are
   * too many agents to do it at every step.
   */
  isCrowd: boolean;
  /** Whether the whole map is shown, rather than the part around the acting agent. */
  isMapWhole: boolean;
  /** Named parts of its map; none if they are not known. */
  places: readonly PagePlace[];
  /** Whether its steps include their calls; exported tables have none. */
  hasCalls: boolean;
  /** Before the first step. */
  start: PageScenes;
}

/** The scene after a step; null if there is no picture. On a large map, the part around the acting agent. */
export interface PageScenes {
  map: TableIndex | null;
  /** By agent, in the order of the run's agents. */
  eyes: readonly (TableIndex | null)[];
}

export interface PageSaid {
  speaker: string;
  text: string;
  hearers: readonly string[];
}

/** A piece of a message: a text of the table, or a picture. */
export type PagePiece = { text: TableIndex } | { picture: TableIndex };

export interface PageMessage {
  role: string;
  pieces: readonly PagePiece[];
}

/** How a call was answered. Texts are indices into the table of texts. */
export type PageReply =
  | {
      kind: 'replied';
      content: TableIndex;
      reasoning: TableIndex | null;
      tools: readonly { name: string; arguments: string }[];
      finish: string | null;
      model: string | null;
      latencyMs: number;
      promptTokens: number | null;
      completionTokens: number | null;
      /** The earlier turn whose observation it answers; null if it answers the call's own observation. */
      answeredTurn: number | null;
    }
  | { kind: 'failed'; error: string }
  /** None was stored. */
  | { kind: 'none' };

/**
 * One call. Its messages are the first `kept` messages of the call `previous`, followed by `added`. If
 * `previous` is null, all messages are in `added`.
 */
export interface PageCall {
  call: number;
  agent: string;
  attempt: number;
  purpose: string;
  /** Who answered. */
  player: string;
  previous: number | null;
  kept: number;
  added: readonly PageMessage[];
  /** An index into the table of pictures; null if none was sent. */
  picture: TableIndex | null;
  reply: PageReply;
}

export interface PageStep extends PageScenes {
  step: number;
  turn: number;
  /** Agent id, or `world` for the end of a turn. */
  agent: string;
  /** The first of the steps that were settled together with it; the step itself if agents act in turn. */
  tick: number;
  acts: readonly ActView[];
  calls: readonly PageCall[];
  walks: readonly PackedWalk[];
  said: readonly PageSaid[];
  /**
   * Names of the things its agent held before the step, from its observation; null if its world has no such
   * facts.
   */
  holds: readonly string[] | null;
  /** Further sentences about it. */
  notes: readonly string[];
  /** The kinds of all events, without duplicates. */
  kinds: readonly string[];
  /** The tiles of the world where something happened, packed (`packed-walk.ts`). */
  places: readonly number[];
  /** How punctual the tick that ends with this step was; only in served runs. */
  timing?: { overrunMs: number; settleMs: number };
  /** Whether the replayed world matches the one in the log. */
  asLogged: boolean;
}

/** An agent program took or lost control of an entity of a served run. */
export interface PageLease {
  entity: string;
  epoch: number;
  event: string;
  /** The holder's own name for itself. */
  controller: string;
  /** The tick that was open at the time, or the next one. */
  tick: number;
}

export interface PageEnd {
  status: string;
  reason: string;
}

/**
 * A person's verdict on a step of this run, even if the step belongs to its parent; `none`: the verdict was
 * removed.
 */
export interface PageMark {
  step: number;
  verdict: 'accepted' | 'rejected' | 'corrected' | 'none';
  /** The reason for a rejection, or the corrected reply; '' for none. */
  text: string;
}

/** What a part adds to a run. */
export interface PageRunPart {
  id: string;
  /** Present if the run is new. */
  head?: PageRunHead;
  steps: readonly PageStep[];
  /** Null while the run is in progress, or if its process was killed, and until the last part of its steps. */
  end: PageEnd | null;
  /** Whether more of its steps follow in the next part. */
  hasMore: boolean;
  /** Only new and changed ones. */
  marks: readonly PageMark[];
  /** Only new ones; none if the run is not served. */
  leases: readonly PageLease[];
}

export interface PagePart {
  texts: readonly string[];
  things: readonly PackedThing[];
  scenes: readonly PackedScene[];
  pictures: readonly PagePicture[];
  tilesets: readonly PageTileset[];
  runs: readonly PageRunPart[];
}

export interface PageRun extends PageRunHead {
  steps: readonly PageStep[];
  end: PageEnd | null;
  /** Whether it is still being loaded. */
  hasMore: boolean;
  /** The current verdicts, by step. */
  marks: ReadonlyMap<number, PageMark>;
  leases: readonly PageLease[];
}

/** The page's data so far: all parts joined. */
export interface PageData extends Omit<PagePart, 'runs'> {
  runs: readonly PageRun[];
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

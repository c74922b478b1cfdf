/**
 * The hashes of the state's parts. Trees and shards are hashed through the cached hashes of their leaves, so
 * that after a step only the changed chunks and shards are read. Terrain belongs to the definition and needs
 * no hash.
 */
import { TableHash, hashJson, hashOf, hashOfParts } from '../../base/canonical.js';
import type { BodyState, ChunkTree, GridState, GridMindState, Shards } from './state.js';

/** The `parts` of the environment contract: a hash by the part's name. */
export function partsOf(state: GridState): Readonly<Record<string, string>> {
  const { turn, rng, bodies, npcs, things, doors, ground, minds, marks } = state;
  return {
    turn: hashOf(turn),
    rng: hashOf(rng),
    entities: hashJson('parts', { bodies: BODIES.of(bodies), npcs: hashOfParts(npcs) }),
    things: hashTree(things),
    doors: hashTree(doors),
    ground: hashTree(ground),
    knowledge: KNOWLEDGE.of(minds),
    speech: SPEECH.of(minds),
    marks: hashOf(marks),
  };
}

const BODIES = new TableHash<BodyState>('parts', hashOf);

/** The hash of each agent's memory: a step changes only one or two of them. */
const KNOWLEDGE = new TableHash<GridMindState>('parts', ({ known, visited }) => ({
  known: hashTree(known),
  visited: hashOf(visited),
}));

const SPEECH = new TableHash<GridMindState>('parts', ({ inbox, read, last, lastOk, spoke }) => ({
  inbox: hashOf(inbox),
  read: hashOf(read),
  last,
  lastOk,
  spoke,
}));

/** The hash of a two-level tree: each branch is hashed through its leaves, the tree through its branches. */
function hashTree<T extends object>(tree: ChunkTree<T> | Shards<T>): string {
  const branches: Record<string, string> = {};
  for (const key of Object.keys(tree)) branches[key] = hashOfParts(tree[key] ?? {});
  return hashJson('parts', branches);
}

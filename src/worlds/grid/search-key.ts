/**
 * The key of a state in a search for a solution: everything that a rule or an offer depends on. Purely
 * informational parts are left out: the turn, the directions of bodies, what was last heard, read and done,
 * when a thing was last seen, when a mark was set.
 */
import { hashJson, hashOf, hashOfParts } from '../../base/canonical.js';
import { TableHash } from '../../base/table-hash.js';
import type { BodyState, ChunkTree, GridState, KnowledgeChunk, GridMindState } from './state.js';
import { partsOf } from './parts.js';
import { phrasesKnown } from './phrases.js';
import type { GridWorld } from './world.js';

/** The same only for states from which the same acts lead to the same end. */
export function searchKey(world: GridWorld, state: GridState): string {
  const { rng, things, doors, ground } = partsOf(state);
  const minds = Object.entries(state.minds).map(([agent, mind]) => [
    agent,
    { mind: mindKey(mind), phrases: phrasesKnown(world, state, agent) },
  ]);
  return hashJson('search', {
    rng,
    things,
    doors,
    ground,
    bodies: BODIES.of(state.bodies),
    npcs: hashOfParts(state.npcs),
    minds: Object.fromEntries(minds),
    marks: marksOf(state),
    clock: clockOf(world, state),
  });
}

const BODIES = new TableHash<BodyState>('search', ({ facing: _facing, ...body }) => hashOf(body));

/** Turns are distinguished as long as a trigger waits for one. */
function clockOf({ definition }: GridWorld, { turn }: GridState): number {
  const awaited = (definition.triggers ?? []).map(({ when }) => (when?.kind === 'turn-over' ? when.turn : 0));
  return Math.min(turn, Math.max(0, ...awaited) + 1);
}

function mindKey({ known, visited, spoke, revealed }: GridMindState): string {
  return hashJson('mind', {
    known: knownKey(known),
    visited: hashOf(visited),
    spoke,
    ...(revealed ? { revealed } : {}),
  });
}

const knownKeys = new WeakMap<ChunkTree<KnowledgeChunk>, string>();

function knownKey(tree: ChunkTree<KnowledgeChunk>): string {
  const before = knownKeys.get(tree);
  if (before !== undefined) return before;
  const chunks = Object.values(tree).flatMap((region) => Object.entries(region));
  const key = hashJson('known', Object.fromEntries(chunks.map(([at, chunk]) => [at, chunkKey(chunk)])));
  knownKeys.set(tree, key);
  return key;
}

const chunkKeys = new WeakMap<KnowledgeChunk, string>();

function chunkKey(chunk: KnowledgeChunk): string {
  const before = chunkKeys.get(chunk);
  if (before !== undefined) return before;
  const things = Object.values(chunk.things).map(({ turn: _turn, ...item }) => [item.id, item]);
  const key = hashJson('chunk', { seen: chunk.seen, things: Object.fromEntries(things) });
  chunkKeys.set(chunk, key);
  return key;
}

/**
 * For a mark of a fact, the turn in which it came true is irrelevant; for any other mark the number is kept.
 */
const FACTS = /^(?:heard|read|worked|succeeded|failed):/;

function marksOf({ marks }: GridState): Readonly<Record<string, number>> {
  return Object.fromEntries(
    Object.entries(marks).map(([mark, value]) => [mark, FACTS.test(mark) ? 0 : value]),
  );
}

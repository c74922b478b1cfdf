/**
 * The key of a state in the search for solutions: everything that a rule or an offer depends on. Parts
 * without an effect on the rules are left out: the turn, the directions of bodies, what was last heard, read
 * and done, when a thing was last seen, when a mark was set.
 */
import { TableHash, hashJson, hashOf, hashOfParts } from '../../base/canonical.js';
import type { BodyState, ChunkTree, GridState, KnowledgeChunk, GridMindState } from './state.js';
import { partsOf } from './parts.js';
import { knownPhrases } from './phrases.js';
import type { GridWorld } from './world.js';

/** Equal keys mean that the same actions lead to the same end from both states. */
export function searchKey(world: GridWorld, state: GridState): string {
  const { rng, things, doors, ground } = partsOf(state);
  const minds = Object.entries(state.minds).map(([agent, mind]) => [
    agent,
    { mind: mindKey(mind), phrases: knownPhrases(world, state, agent) },
  ]);
  return hashJson('search', {
    rng,
    things,
    doors,
    ground,
    bodies: BODIES.of(state.bodies),
    npcs: hashOfParts(state.npcs),
    minds: Object.fromEntries(minds),
    marks: Object.fromEntries(
      Object.entries(state.marks).map(([mark, value]) => [mark, FACTS.test(mark) ? 0 : value]),
    ),
    clock: clockOf(world, state),
  });
}

const BODIES = new TableHash<BodyState>('search', ({ facing: _facing, ...body }) => hashOf(body));

/** The turn, as long as a trigger waits for a later one; after that, a constant. */
function clockOf({ definition }: GridWorld, { turn }: GridState): number {
  const triggerTurns = (definition.triggers ?? []).map(({ when }) =>
    when?.kind === 'turn-over' ? when.turn : 0,
  );
  return Math.min(turn, Math.max(0, ...triggerTurns) + 1);
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
  const cached = knownKeys.get(tree);
  if (cached !== undefined) return cached;
  const chunks = Object.values(tree).flatMap((region) => Object.entries(region));
  const key = hashJson('known', Object.fromEntries(chunks.map(([index, chunk]) => [index, chunkKey(chunk)])));
  knownKeys.set(tree, key);
  return key;
}

const chunkKeys = new WeakMap<KnowledgeChunk, string>();

function chunkKey(chunk: KnowledgeChunk): string {
  const cached = chunkKeys.get(chunk);
  if (cached !== undefined) return cached;
  const things = Object.values(chunk.things).map(({ turn: _turn, ...item }) => [item.id, item]);
  const key = hashJson('chunk', { seen: chunk.seen, things: Object.fromEntries(things) });
  chunkKeys.set(chunk, key);
  return key;
}

/**
 * For a mark of a fact, the turn in which it came true is irrelevant; for any other mark the number is kept.
 */
const FACTS = /^(?:heard|read|worked|succeeded|failed):/;

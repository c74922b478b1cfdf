/**
 * Access to the two containers for state that grows with the world: a tree of chunks for tile contents, and
 * shards for things with an id. Both are plain records. A write copies only the branch that it changes, so
 * all others stay the same objects and keep their cached hashes. Writing an equal value copies nothing;
 * removing the last value of a branch removes the branch, so that equal contents are equal JSON.
 */
import { at, known } from '../../base/assert.js';
import { lookUp } from '../../base/look-up.js';
import type { Point } from '../../environment/space.js';
import type { Rect } from './definition.js';
import type { ChunkTree, Shards } from './state.js';
import { CHUNK_BITS, CHUNK_SIDE } from './state.js';

/** A chunk's own coordinates: tile coordinates divided by `CHUNK_SIDE`, rounded down. */
export interface ChunkIndex {
  cx: number;
  cy: number;
}

export function chunkOf(point: Point): ChunkIndex {
  return { cx: point.x >> CHUNK_BITS, cy: point.y >> CHUNK_BITS };
}

/** The tiles of a chunk, not cut to the map. */
export function chunkRect({ cx, cy }: ChunkIndex): Rect {
  return { x: cx * CHUNK_SIDE, y: cy * CHUNK_SIDE, width: CHUNK_SIDE, height: CHUNK_SIDE };
}

/** Every chunk that holds a tile of `rect`, row by row. */
export function chunksIn(rect: Rect): readonly ChunkIndex[] {
  if (rect.width <= 0 || rect.height <= 0) return [];
  const first = chunkOf(rect);
  const last = chunkOf({ x: rect.x + rect.width - 1, y: rect.y + rect.height - 1 });
  const indexes: ChunkIndex[] = [];
  for (let cy = first.cy; cy <= last.cy; cy++) {
    for (let cx = first.cx; cx <= last.cx; cx++) indexes.push({ cx, cy });
  }
  return indexes;
}

/** The key of a chunk in its region: no other chunk of a map has the same. */
function chunkKey({ cx, cy }: ChunkIndex): string {
  return `${cx}_${cy}`;
}

function regionKey({ cx, cy }: ChunkIndex): string {
  return `${cx >> CHUNK_BITS}_${cy >> CHUNK_BITS}`;
}

/** The value of the chunk at chunk coordinates. */
export function chunkAt<T>(tree: ChunkTree<T>, index: ChunkIndex): T | undefined {
  return tree[regionKey(index)]?.[chunkKey(index)];
}

/** The value of the chunk that holds the tile. */
export function chunkGet<T>(tree: ChunkTree<T>, tile: Point): T | undefined {
  return chunkAt(tree, chunkOf(tile));
}

/** The tree with another value in the chunk that holds the tile; undefined removes it. */
export function chunkSet<T>(tree: ChunkTree<T>, tile: Point, value: T | undefined): ChunkTree<T> {
  const index = chunkOf(tile);
  return withBranch(tree, { outer: regionKey(index), inner: chunkKey(index) }, value);
}

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;
const SHARD_NAMES = Array.from({ length: 64 }, (_, shard) => shard.toString(16).padStart(2, '0'));

/**
 * The shard of an id, "00" … "3f": the low six bits of its FNV-1a hash (ids are ASCII, one byte per
 * character).
 */
export function shardOf(id: string): string {
  let hash = FNV_OFFSET;
  for (let i = 0; i < id.length; i++) hash = Math.imul(hash ^ id.charCodeAt(i), FNV_PRIME);
  return at(SHARD_NAMES, hash & 63);
}

export function shardGet<T>(shards: Shards<T>, id: string): T | undefined {
  return lookUp(shards[shardOf(id)], id);
}

export function shardSet<T>(shards: Shards<T>, id: string, value: T): Shards<T> {
  return withBranch(shards, { outer: shardOf(id), inner: id }, value);
}

export function shardDelete<T>(shards: Shards<T>, id: string): Shards<T> {
  return withBranch(shards, { outer: shardOf(id), inner: id }, undefined);
}

/** Every value of the shards, in the order of shard and id. */
export function shardValues<T>(shards: Shards<T>): readonly T[] {
  const values: T[] = [];
  for (const outer of Object.keys(shards).toSorted()) {
    const branch = shards[outer] ?? {};
    for (const inner of Object.keys(branch).toSorted()) values.push(known(branch[inner], inner));
  }
  return values;
}

type ChunkBranches<T> = Readonly<Record<string, Readonly<Record<string, T>>>>;

function withBranch<T>(
  tree: ChunkBranches<T>,
  key: { outer: string; inner: string },
  value: T | undefined,
): ChunkBranches<T> {
  const branch = tree[key.outer];
  if (lookUp(branch, key.inner) === value) return tree;
  if (value !== undefined) return { ...tree, [key.outer]: { ...branch, [key.inner]: value } };
  const rest = omitKey(branch ?? {}, key.inner);
  if (Object.keys(rest).length === 0) return omitKey(tree, key.outer);
  return { ...tree, [key.outer]: rest };
}

function omitKey<T>(record: Readonly<Record<string, T>>, key: string): Readonly<Record<string, T>> {
  const { [key]: _removed, ...rest } = record;
  return rest;
}

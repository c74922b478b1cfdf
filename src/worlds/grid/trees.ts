/**
 * The two shapes that keep a step's cost to what it changed: a tree of chunks for whatever grows with the map, and
 * shards for whatever grows with the number of things. Reading takes two look-ups; writing copies the two records
 * on the way and leaves every other one the same object, so that its hash is remembered.
 */
import type { Point } from '../../environment/space.js';
import type { ChunkTree, Shards } from './state.js';
import { CHUNK_SIDE } from './state.js';

const SHARDS = 64;

/** Key of the chunk that holds a tile: "cx_cy". Map tiles only, so never negative. */
export function chunkKey(x: number, y: number): string {
  return `${Math.floor(x / CHUNK_SIDE)}_${Math.floor(y / CHUNK_SIDE)}`;
}

/** Key of the region that holds a tile: "rx_ry"; a region is a square of chunks. */
export function regionKey(x: number, y: number): string {
  const side = CHUNK_SIDE * CHUNK_SIDE;
  return `${Math.floor(x / side)}_${Math.floor(y / side)}`;
}

export function chunkAt<T>(tree: ChunkTree<T>, point: Point): T | undefined {
  return tree[regionKey(point.x, point.y)]?.[chunkKey(point.x, point.y)];
}

/** The tree with the chunk that holds `point` replaced. */
export function withChunk<T>(tree: ChunkTree<T>, point: Point, chunk: T): ChunkTree<T> {
  const region = regionKey(point.x, point.y);
  return { ...tree, [region]: { ...tree[region], [chunkKey(point.x, point.y)]: chunk } };
}

/** "00" … "3f", from the id's characters. */
export function shardKey(id: string): string {
  let sum = 0;
  for (let i = 0; i < id.length; i++) sum = (Math.imul(sum, 31) + id.charCodeAt(i)) >>> 0;
  return (sum % SHARDS).toString(16).padStart(2, '0');
}

export function shardEntry<T>(shards: Shards<T>, id: string): T | undefined {
  const shard = shards[shardKey(id)];
  return shard !== undefined && Object.hasOwn(shard, id) ? shard[id] : undefined;
}

/** The shards with one entry replaced, or removed where `value` is undefined. */
export function withEntry<T>(shards: Shards<T>, id: string, value: T | undefined): Shards<T> {
  const key = shardKey(id);
  if (value !== undefined) return { ...shards, [key]: { ...shards[key], [id]: value } };
  const { [id]: _removed, ...rest } = shards[key] ?? {};
  return { ...shards, [key]: rest };
}

/** Shards of all values at once: what `withEntry` one by one would give, in linear time. */
export function shardsOf<T extends { readonly id: string }>(values: readonly T[]): Shards<T> {
  const shards: Record<string, Record<string, T>> = {};
  for (const value of values) (shards[shardKey(value.id)] ??= {})[value.id] = value;
  return shards;
}

/** Every value, in no order that means anything. */
export function shardValues<T>(shards: Shards<T>): readonly T[] {
  return Object.values(shards).flatMap((shard) => Object.values(shard));
}

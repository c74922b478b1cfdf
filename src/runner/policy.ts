/** Which program plays which entity: the first whose tags it has, all of them. Pure. */
import type { RunnerProgram } from '../scenario/runner.js';

/** Null if no program is for the entity. */
export function programFor(
  tags: readonly string[],
  programs: readonly RunnerProgram[],
): RunnerProgram | null {
  return programs.find((one) => one.tags.every((tag) => tags.includes(tag))) ?? null;
}

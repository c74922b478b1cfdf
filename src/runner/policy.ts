/** Which program plays which entity: the first one all of whose tags the entity has. Pure. */
import type { RunnerProgram } from '../scenario/runner.js';

/** Null if there is no program for the entity. */
export function programFor(
  tags: readonly string[],
  programs: readonly RunnerProgram[],
): RunnerProgram | null {
  return programs.find((program) => program.tags.every((tag) => tags.includes(tag))) ?? null;
}

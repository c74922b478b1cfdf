/** The memory that a scenario names, as it is when a run begins. */
import type { Json } from '../../base/json.js';
import type { MemorySpec } from '../../scenario/scenario.js';
import type { Memory } from '../memory.js';
import { notesMemory } from './notes.js';
import { summaryMemory } from './summary.js';
import { historyMemory, noMemory, windowMemory } from './turns.js';

/** `kept` is what an earlier run left to this agent; null for nothing. */
export function openMemory(spec: MemorySpec, kept: Json): Memory {
  switch (spec.kind) {
    case 'none':
      return noMemory();
    case 'window':
      return windowMemory(spec.turnsMax, spec.pictures);
    case 'history':
      return historyMemory(spec.turnsMax, spec.turnsKept, spec.pictures);
    case 'summary':
      return summaryMemory(spec);
    case 'notes':
      return notesMemory({ ...spec, lasts: false }, null);
    case 'file':
      return notesMemory({ ...spec, lasts: true }, kept);
  }
}

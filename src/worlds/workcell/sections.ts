/** The paragraphs of a workcell observation, in order: templates place them by these ids. */
import type { Section } from '../../environment/observation.js';

export const SECTIONS = [
  { id: 'place', isPictured: true },
  { id: 'see', isPictured: true },
  { id: 'shelf' },
  { id: 'hold' },
  { id: 'heard' },
  { id: 'noticed' },
  { id: 'last' },
] as const satisfies readonly Omit<Section, 'lines'>[];

export const SECTION_IDS = SECTIONS.map(({ id }) => id);

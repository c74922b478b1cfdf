/** The paragraphs of an observation of the grid, in the order in which they are told: templates place them by these ids. */
export const SECTION_IDS = ['place', 'see', 'exits', 'hold', 'heard', 'noticed', 'last'] as const;

export type SectionId = (typeof SECTION_IDS)[number];

// @ts-check
/**
 * What the loop does, as data: who plays which scenarios on which seeds, and how long a model is trained. `loop.mjs` carries it out. Another
 * family is another entry of `families`.
 */

/**
 * @typedef {object} Family
 * @property {string} name  the scenario is families/NAME.yaml
 * @property {string | null} teachers  a module whose controllers teach; null: the oracle does
 * @property {boolean} isTaught  whether models are trained on it; if not, it is only played, to see what transfers
 * @property {readonly string[]} [learners]  the agents whose acts are learnt; all if absent
 */

/**
 * @typedef {object} Lesson
 * @property {readonly string[]} families
 * @property {number} steps
 */

/**
 * @typedef {object} Plan
 * @property {readonly Family[]} families
 * @property {number} taughtSeeds  seeds 1, 2, … that a teacher plays in each family
 * @property {number} unseenSeeds  seeds 900001, 900002, … that each player plays in each family; whoever plays only one plays as many runs of it
 * @property {readonly number[]} trainings  training seeds: as many models are trained
 * @property {{ batch: number, rate: number }} sft
 * @property {readonly Lesson[]} lessons  what a model is trained on, one after another
 * @property {number} blindSteps  of the model that is trained on grey pictures, on all families at once: it learns no more after that
 * @property {{ halfSteps: number, seeds: number, steps: number }} preference  how long a weak model is trained, on how many seeds (from
 *   500001) of the first family its steps are compared with the oracle's, and the steps of DPO
 * @property {{ steps: number, rate: number, seeds: number }} reinforce  steps of GRPO, their learning rate, and the held-out seeds of its comparison
 * @property {{ taught: number, playSteps: number, steps: number, asked: number, seeds: number }} questions  questions per moment in the data; steps
 *   of training on actions alone, then on actions and questions; questions per step of a run, and the unseen seeds
 * @property {number} atOnce  models that are trained at the same time, one core each
 */

/** @type {readonly Family[]} */
const FAMILIES = [
  { name: 'goblet', teachers: null, isTaught: true },
  { name: 'call', teachers: 'families/call-teachers.mjs', isTaught: true, learners: ['wizard', 'ranger'] },
  { name: 'choose', teachers: null, isTaught: false },
];

/** Under 45 minutes on two cores. @type {Plan} */
export const USUAL = {
  families: FAMILIES,
  // With 3000, a model won 83 % of the seeds that it was taught and half of the others.
  taughtSeeds: 6000,
  unseenSeeds: 60,
  trainings: [1],
  sft: { batch: 16, rate: 2e-3 },
  // One family after the other: both at once were not learnt in 1200 steps.
  lessons: [
    { families: ['goblet'], steps: 500 },
    { families: ['call'], steps: 400 },
    { families: ['goblet', 'call'], steps: 600 },
  ],
  blindSteps: 400,
  // With 400, it depends on chance whether the model has learnt to see.
  preference: { halfSteps: 600, seeds: 250, steps: 150 },
  reinforce: { steps: 150, rate: 3e-4, seeds: 800 },
  questions: { taught: 2, playSteps: 500, steps: 900, asked: 3, seeds: 100 },
  atOnce: 2,
};

/** For tables that are published: three training seeds, 200 unseen seeds. About two hours on two cores. @type {Plan} */
export const WHOLE = { ...USUAL, unseenSeeds: 200, trainings: [1, 2, 3] };

/** Under 6 minutes: everything once, too little to learn from. @type {Plan} */
export const QUICK = {
  families: FAMILIES,
  taughtSeeds: 40,
  unseenSeeds: 3,
  trainings: [1],
  sft: { batch: 8, rate: 2e-3 },
  lessons: [
    { families: ['goblet'], steps: 2 },
    { families: ['call'], steps: 2 },
    { families: ['goblet', 'call'], steps: 2 },
  ],
  blindSteps: 2,
  preference: { halfSteps: 3, seeds: 3, steps: 2 },
  reinforce: { steps: 1, rate: 3e-4, seeds: 10 },
  questions: { taught: 2, playSteps: 1, steps: 2, asked: 2, seeds: 4 },
  atOnce: 2,
};

export const FIRST_UNSEEN = 900_001;
export const FIRST_PREFERRED = 500_001;

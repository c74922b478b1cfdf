// @ts-check
/**
 * The closed loop: a teacher plays, its runs become a data set, models are trained on it and served, and all players play seeds that nobody
 * has seen. From a checkout that was built:
 *
 *   node examples/train/loop.mjs            all steps, one after another
 *   node examples/train/loop.mjs train      one step: teach, export, make, train, prefer, evaluate, compare
 *   node examples/train/loop.mjs reinforce  GRPO in a served world, which is no part of the loop
 *   node examples/train/loop.mjs question   a model that also learns to answer questions about its pictures, which is no part of the loop
 *   node examples/train/loop.mjs serve trained-1
 *
 * `--out DIR` sets the folder for everything that is made (runs/loop). `--whole` is a plan with three training seeds and more unseen seeds,
 * `--quick` a tiny one, and `--plan FILE` one of your own. A step that is done is not done again, so the same command continues a loop that was
 * interrupted; another plan needs another folder. `--vllm-wait SECONDS`: how long vLLM may take until it answers (300).
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { madeEnvironment } from '../../scripts/lib/vllm-place.mjs';
import { startVllm } from '../../scripts/lib/vllm-server.mjs';
import { atOnce, printed, run } from './run.mjs';
import { regretTable } from './regret.mjs';
import { FIRST_PREFERRED, FIRST_UNSEEN, QUICK, USUAL, WHOLE } from './plan.mjs';

// What a person can mend is told in a line.
process.once('uncaughtException', (error) => {
  console.error(`error: ${error.message}`);
  process.exit(1);
});

const HERE = dirname(fileURLToPath(import.meta.url));
const ROOT = resolve(HERE, '../..');
const PROGRAM = join(ROOT, 'dist/cli/main.js');
const REQUIREMENTS = [join(ROOT, 'scripts/vllm-requirements.txt'), join(HERE, 'requirements.txt')];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    out: { type: 'string', default: 'runs/loop' },
    plan: { type: 'string' },
    quick: { type: 'boolean', default: false },
    whole: { type: 'boolean', default: false },
    'vllm-wait': { type: 'string', default: '300' },
  },
});
/** @type {import('./plan.mjs').Plan} */
const plan = await chosenPlan();
const out = resolve(values.out);
const startSeconds = Number(values['vllm-wait']);
if (!(startSeconds > 0)) throw new Error('--vllm-wait takes the seconds that vLLM may need to start');
const planFolder = values.plan === undefined ? HERE : dirname(resolve(values.plan));

const FAMILIES = plan.families.map(({ name }) => name);
const TAUGHT = plan.families.filter(({ isTaught }) => isTaught).map(({ name }) => name);
/** `from`: the model with which it begins, `untrained` by default. @typedef {{ name: string, from?: string, blank: boolean, seed: number, lessons: readonly import('./plan.mjs').Lesson[] }} Training */
/** @type {readonly Training[]} */
const TRAININGS = [
  ...plan.trainings.map((seed) => ({ name: `trained-${seed}`, blank: false, seed, lessons: plan.lessons })),
  { name: 'blind', blank: true, seed: 1, lessons: [{ families: TAUGHT, steps: plan.blindSteps }] },
];
/** What preferences improve. @type {Training} */
const HALF = {
  name: 'half',
  blank: false,
  seed: 1,
  lessons: [{ families: TAUGHT.slice(0, 1), steps: plan.preference.halfSteps }],
};
/** Of a batch, on one server. */
const RUNS_AT_ONCE = 16;
/** A page of `view` holds 64 runs. */
const PAGE_RUNS = 48;
/** Who plays the unseen seeds by a server. */
const MODELS = [...TRAININGS.map(({ name }) => name), 'untrained', HALF.name, 'preferred'];
/** The pictures with which a model plays. One that learnt to see also plays with grey ones: if it wins as often, it needs no picture. @param {string} name */
const picturesOf = (name) =>
  name === 'blind' ? ['grey'] : name === `trained-${plan.trainings[0]}` ? ['real', 'grey'] : ['real'];
/** The folder of the runs. @param {string} name @param {string} pictures */
const playOf = (name, pictures) => `play-${name}${pictures === 'grey' ? '-grey' : ''}`;
const scenarioOf = (/** @type {string} */ family) => join(planFolder, 'families', `${family}.yaml`);
/** `train` includes `prefer`. */
const STEPS = { teach, export: exportRows, make, train, prefer, evaluate, compare };

claimFolder();
await main(positionals);

/** @param {readonly string[]} words */
async function main([step, player]) {
  if (step === 'serve') return serve(player ?? 'trained-1');
  if (step === 'reinforce') return reinforce();
  if (step === 'question') return question();
  const chosen = Object.entries(STEPS).filter(([name]) =>
    step === undefined ? name !== 'prefer' : name === step,
  );
  if (chosen.length === 0)
    throw new Error(
      `there is no step "${step}": ${[...Object.keys(STEPS), 'reinforce', 'question', 'serve'].join(', ')}`,
    );
  for (const [, carryOut] of chosen) await carryOut();
}

/** What is made for one plan is not mixed with what is made for another. */
function claimFolder() {
  if (!existsSync(PROGRAM)) throw new Error('the program is not built: npm run build');
  mkdirSync(join(out, 'done'), { recursive: true });
  const path = join(out, 'plan.json');
  const words = JSON.stringify(plan, null, 1);
  if (!existsSync(path)) writeFileSync(path, words);
  else if (readFileSync(path, 'utf8') !== words)
    throw new Error(`${out} was made with another plan (plan.json): delete it, or give another --out`);
}

/** @returns {Promise<import('./plan.mjs').Plan>} */
async function chosenPlan() {
  const { quick, whole, plan: own } = values;
  if ([quick, whole, own !== undefined].filter(Boolean).length > 1)
    throw new Error('--quick, --whole and --plan are mutually exclusive');
  if (own !== undefined) return ownPlan(resolve(own));
  if (whole) return WHOLE;
  return quick ? QUICK : USUAL;
}

/** @param {string} path @returns {Promise<import('./plan.mjs').Plan>} */
async function ownPlan(path) {
  const { PLAN } = await import(pathToFileURL(path).href);
  if (PLAN === undefined) throw new Error(`${path} does not export PLAN`);
  return PLAN;
}

/** Teachers play, each family in a batch of its own: 4000 runs take some minutes. */
async function teach() {
  for (const { name, teachers, isTaught } of plan.families) {
    if (!isTaught) continue;
    await once(`teach-${name}`, async () => {
      const models = teachers === null ? { oracle: { controller: 'oracle' } } : undefined;
      const batch = batchFile(`teach-${name}`, { scenarios: [name], models, seeds: plan.taughtSeeds });
      const own = teachers === null ? [] : ['--modules', join(planFolder, teachers)];
      const words = ['--out', made(`teach-${name}`), '--workers', plan.atOnce, '--resume', '--quiet'];
      await orchestrate(['batch', batch, ...own, ...words.map(String)]);
    });
  }
}

/** A folder for `load_dataset` per family; only what the teacher did in runs that succeeded. */
async function exportRows() {
  for (const { name, isTaught, learners = [] } of plan.families) {
    if (!isTaught) continue;
    await once(`export-${name}`, async () => {
      const agents = learners.flatMap((agent) => ['--agent', agent]);
      const rows = ['--outcome', 'succeeded', ...agents, '--split', 'train=0.97,eval=0.03'];
      rmSync(made(`data-${name}`), { recursive: true, force: true });
      await orchestrate([
        'export',
        made(`teach-${name}`),
        '--format',
        'trl',
        ...rows,
        '--workers',
        String(plan.atOnce),
        '--out',
        made(`data-${name}`),
      ]);
    });
  }
}

async function make() {
  await once('make', () => python([join(HERE, 'make_model.py'), made('untrained'), ...TAUGHT.map(dataOf)]));
}

/** Preferences are one model of several: they do not wait for the others. */
async function train() {
  const trainings = TRAININGS.map(
    (training) => () => once(`train-${training.name}`, () => trainOne(training)),
  );
  const [first, ...others] = trainings;
  await atOnce(plan.atOnce, first === undefined ? [prefer] : [first, prefer, ...others], (carryOut) =>
    carryOut(),
  );
}

/** Lesson after lesson, each on the model of the one before; what a lesson left is kept, so an interrupted training continues. @param {Training} training */
async function trainOne({ name, from = 'untrained', blank, seed, lessons }) {
  const { batch, rate } = plan.sft;
  let model = made(from);
  for (const [i, { families, steps }] of lessons.entries()) {
    const isLast = i === lessons.length - 1;
    const next = afterLesson(name, lessons, i);
    const words = ['--steps', steps, '--batch', batch, '--rate', rate, '--seed', seed].map(String);
    const more = [...(isLast ? [] : ['--decay', '0']), ...(blank ? ['--blank'] : [])];
    const script = [join(HERE, 'sft.py'), model, next, ...families.map(dataOf), ...words, ...more];
    if (!existsSync(join(next, 'history.json'))) await python(script, `train-${name}.log`);
    model = next;
  }
}

/** The model that a lesson leaves. @param {string} name @param {Training['lessons']} lessons @param {number} i */
function afterLesson(name, lessons, i) {
  return made(i === lessons.length - 1 ? name : `${name}-lesson-${i + 1}`);
}

/** A model after its first lesson goes on by itself: it plays in a served world and learns from what its replies are paid. */
async function reinforce() {
  const [first] = TRAININGS;
  const [family] = first?.lessons[0]?.families ?? [];
  if (first === undefined || family === undefined) throw new Error('the plan has no lesson');
  const model = afterLesson(first.name, first.lessons, 0);
  if (!existsSync(join(model, 'config.json'))) throw new Error('nobody is trained yet: run the step train');
  const { steps, rate, seeds } = plan.reinforce;
  const words = ['--steps', String(steps), '--learning-rate', String(rate)];
  const held = ['--held-out', String(seeds)];
  const script = [
    join(HERE, 'grpo.py'),
    model,
    '--scenario',
    scenarioOf(family),
    '--out',
    made('reinforced'),
  ];
  await once('reinforce', () => python([...script, ...words, ...held]));
}

/**
 * A model learns to play and to answer questions about its pictures. It plays unseen seeds and is asked after each step, with real and with grey
 * pictures; what it knows only with real ones, it sees.
 */
async function question() {
  const [family] = TAUGHT;
  if (family === undefined) throw new Error('the plan has no family on which models are trained');
  if (!existsSync(dataOf(family))) throw new Error('nothing is exported yet: run the steps teach and export');
  const { taught, playSteps, steps } = plan.questions;
  await once('export-questions', async () => {
    rmSync(dataOf('questions'), { recursive: true, force: true });
    // As the questions are asked in a run, with the turn's text.
    const rows = [
      '--format',
      'qa',
      '--questions',
      String(taught),
      '--words',
      'keep',
      '--outcome',
      'succeeded',
      '--seed',
      '1',
    ];
    const words = ['--workers', String(plan.atOnce), '--out', dataOf('questions')];
    await orchestrate(['export', made(`teach-${family}`), ...rows, ...words]);
  });
  const data = [family, 'questions'];
  await once('make-asked', () => python([join(HERE, 'make_model.py'), made('unasked'), ...data.map(dataOf)]));
  const lessons = [
    { families: [family], steps: playSteps },
    { families: data, steps },
  ];
  await once('train-asked', () =>
    trainOne({ name: 'asked', from: 'unasked', blank: false, seed: 1, lessons }),
  );
  const folders = ['real', 'grey'].map((pictures) => playOf('asked', pictures));
  await once('served-asked', () =>
    withServer('asked', async (baseUrl) => {
      for (const folder of folders) await playAsked(folder, family, baseUrl);
    }),
  );
  await orchestrate(['report', ...folders.map(made), '--questions']);
}

/** @param {string} folder @param {string} family @param {string} baseUrl */
async function playAsked(folder, family, baseUrl) {
  const { asked, seeds: count } = plan.questions;
  const probes = `probes={every: 1, each: ${asked}}`;
  const isGrey = folder === playOf('asked', 'grey');
  const switches = { pictures: isGrey ? { grey: [probes, 'render.blank=true'] } : { real: [probes] } };
  const models = { asked: servedModel(baseUrl) };
  const seeds = seedsFrom(FIRST_UNSEEN, count);
  const batch = batchFile(folder, { scenarios: [family], models, seeds, switches });
  await orchestrate(['batch', batch, '--out', made(folder), '--resume', '--quiet']);
}

/**
 * A model that was trained too little plays; at its costliest steps the oracle answers instead, and at some of its best steps a random player. DPO
 * learns from the pairs, which the exact cost of both answers decides.
 */
async function prefer() {
  const [family] = TAUGHT;
  if (family === undefined) throw new Error('the plan has no family on which models are trained');
  const folder = made('own-half');
  await once('train-half', () => trainOne(HALF));
  await once('play-own-half', () =>
    withServer('half', async (baseUrl) => {
      const seeds = seedsFrom(FIRST_PREFERRED, plan.preference.seeds);
      const batch = batchFile('own-half', {
        scenarios: [family],
        models: { half: servedModel(baseUrl) },
        seeds,
      });
      await orchestrate(['batch', batch, '--out', folder, '--resume', '--quiet']);
    }),
  );
  await once('branch-half', async () => {
    const logs = readdirSync(folder).filter((name) => name.endsWith('.sqlite'));
    // A model that is stuck repeats its mistake: more steps of a run would be the same pair again.
    const mistakes = ['--controller', 'oracle', '--steps', '2'];
    // Pairs of mistakes alone make it worse where it is right.
    const right = ['--controller', 'random', '--steps', '3', '--at', 'best'];
    for (const log of logs)
      for (const words of [mistakes, right])
        await orchestrate(['branch', join(folder, log), '--alternatives', '1', ...words]);
  });
  await once('export-preference', async () => {
    rmSync(made('data-preference'), { recursive: true, force: true });
    await orchestrate(['export', folder, '--format', 'preference', '--out', made('data-preference')]);
  });
  await once('train-preferred', () => {
    const words = ['--steps', String(plan.preference.steps), '--seed', '1'];
    const script = [join(HERE, 'dpo.py'), made('half'), made('preferred'), made('data-preference')];
    return python([...script, ...words], 'train-preferred.log');
  });
}

/**
 * Each player plays the same unseen seeds of every family (the models of `prefer`: more seeds of the one that they know); models are served
 * by vLLM, one after another or two at once.
 */
async function evaluate() {
  for (const controller of ['random', 'oracle'])
    await playUnseen(playOf(controller, 'real'), {
      scenarios: FAMILIES,
      models: { [controller]: { controller } },
    });
  const isMade = (/** @type {string} */ name) => existsSync(join(made(name), 'config.json'));
  for (const name of MODELS) if (!isMade(name)) console.log(`${name}: not trained, so it does not play`);
  await atOnce(plan.atOnce, MODELS.filter(isMade), (name) =>
    once(`served-${name}`, () => withServer(name, (baseUrl) => playServed(name, baseUrl))),
  );
}

/** @param {string} name @param {string} baseUrl */
async function playServed(name, baseUrl) {
  const models = { [name]: servedModel(baseUrl) };
  const scenarios = [HALF.name, 'preferred'].includes(name) ? TAUGHT.slice(0, 1) : FAMILIES;
  const grey = { switches: { picture: { grey: ['render.blank=true'] } } };
  for (const pictures of picturesOf(name))
    await playUnseen(playOf(name, pictures), {
      models,
      scenarios,
      ...(pictures === 'grey' ? grey : {}),
    });
}

/** Each player has the same number of runs: whoever plays one family plays more seeds of it. @param {string} folder @param {{ models: object, switches?: object, scenarios: readonly string[] }} players */
async function playUnseen(folder, players) {
  await once(folder, async () => {
    const runs = plan.unseenSeeds * FAMILIES.length;
    const seeds = seedsFrom(FIRST_UNSEEN, Math.round(runs / players.scenarios.length));
    const batch = batchFile(folder, { seeds, ...players });
    await orchestrate(['batch', batch, '--out', made(folder), '--resume', '--quiet']);
  });
}

/** The tables on standard output, and pages with the plots and with some of the runs. */
async function compare() {
  const models = MODELS.flatMap((name) => picturesOf(name).map((pictures) => playOf(name, pictures)));
  const plays = [playOf('oracle', 'real'), ...models, playOf('random', 'real')].filter((folder) =>
    existsSync(made(folder)),
  );
  const logs = plays.map(made);
  const pages = { view: made('view.html'), report: made('report.html') };
  for (const page of Object.values(pages)) rmSync(page, { force: true });
  const shown = logs.flatMap((folder) => someRuns(folder, Math.floor(PAGE_RUNS / logs.length)));
  await orchestrate(['view', ...shown, '--out', pages.view]);
  await orchestrate(['report', ...logs, '--out', pages.report, '--workers', '2']);
  // Each player with the pictures on which it was trained.
  const own = ['oracle', 'random', ...MODELS].map((name) => playOf(name, picturesOf(name)[0] ?? 'real'));
  await orchestrate(['report', ...plays.filter((one) => own.includes(one)).map(made), '--table', 'markdown']);
  const players = plays.map((folder) => folder.replace('play-', ''));
  await atOnce(plan.atOnce, players, (name) => once(`cost-${name}`, () => exportCosts(name)));
  console.log(await regretTable(players.map((name) => [name, join(made(`cost-${name}`), 'train.jsonl')])));
  console.log(`pages: ${pages.report} (tables and plots), ${pages.view} (some of the runs)`);
}

/** What each action of a player cost, refused ones too: its runs once more, with the shortest solution from every state. @param {string} player */
async function exportCosts(player) {
  const folder = made(`cost-${player}`);
  rmSync(folder, { recursive: true, force: true });
  const words = ['--format', 'jsonl', '--all', '--regret', '--duplicates', 'keep'];
  await orchestrate(['export', made(`play-${player}`), ...words, '--out', folder]);
}

/** The addresses of the first runs of a player. @param {string} folder @param {number} count */
function someRuns(folder, count) {
  const log = join(folder, 'runs-001.sqlite');
  const { runs } = JSON.parse(printed(process.execPath, [PROGRAM, 'report', '--json', log]));
  return runs.slice(0, count).map((/** @type {{ run: string }} */ one) => `${log}#${one.run}`);
}

async function serve(/** @type {string} */ name) {
  await withServer(name, async (baseUrl) => {
    console.log(`${name} is served at ${baseUrl}; Ctrl-C ends it`);
    await new Promise((ended) => process.once('SIGINT', ended).once('SIGTERM', ended));
  });
}

/** @param {string} name @param {(baseUrl: string) => Promise<void>} use */
async function withServer(name, use) {
  const place = { python: environment(), model: made(name) };
  const room = { atOnce: RUNS_AT_ONCE, waiting: 4 * RUNS_AT_ONCE };
  const server = await startVllm(place, made(`vllm-${name}.log`), { room, startSeconds });
  try {
    await server.ready();
    await use(server.baseUrl);
  } finally {
    await server.end();
  }
}

/** As a batch names it. @param {string} baseUrl */
function servedModel(baseUrl) {
  return { base_url: baseUrl, temperature: 0, max_tokens: 16, guided: 'require', server: 'vllm' };
}

/** @param {number} first @param {number} count */
function seedsFrom(first, count) {
  return Array.from({ length: count }, (_, i) => first + i);
}

/** Where something that is made lies. @param {string} name */
function made(name) {
  return join(out, name);
}

/** The data set of a family. @param {string} family */
function dataOf(family) {
  return made(`data-${family}`);
}

/** @param {string} name @param {{ scenarios: readonly string[], models: object | undefined, seeds: unknown, switches?: object }} batch */
function batchFile(name, { scenarios, ...rest }) {
  const path = made(`${name}.yaml`);
  // JSON is YAML.
  writeFileSync(
    path,
    JSON.stringify({ scenarios: scenarios.map(scenarioOf), ...rest, parallel: RUNS_AT_ONCE }, null, 1),
  );
  return path;
}

/** @param {string} name @param {() => Promise<unknown>} carryOut */
async function once(name, carryOut) {
  const mark = join(out, 'done', name);
  if (existsSync(mark)) return console.log(`${name}: done before, in ${readFileSync(mark, 'utf8')} s`);
  const began = Date.now();
  await carryOut();
  const seconds = Math.round((Date.now() - began) / 1000);
  writeFileSync(mark, String(seconds));
  console.log(`${name}: ${seconds} s`);
}

/** @param {readonly string[]} words */
function orchestrate(words) {
  return run(process.execPath, [PROGRAM, ...words], {
    shown: ['orchestrate', ...words],
  });
}

function environment() {
  return madeEnvironment('train', REQUIREMENTS);
}

/** On one core, so that as many can run at once as there are cores. @param {readonly string[]} words @param {string} [log] */
function python(words, log) {
  const env = {
    OMP_NUM_THREADS: '1',
    HF_HUB_OFFLINE: '1',
    HF_DATASETS_CACHE: made('cache'),
    // What `grpo.py` needs: the Python package of this checkout, and the program that serves its worlds.
    PYTHONPATH: join(ROOT, 'python/src'),
    ORCHESTRATE: PROGRAM,
  };
  return run(environment(), words, {
    shown: ['python', ...words],
    env,
    log: log === undefined ? null : made(log),
  });
}

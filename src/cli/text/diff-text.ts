/**
 * What `diff` prints for people: both runs, differences in setup, where they diverge, the actions from there
 * on side by side, how the worlds differ, and how both ended. Nothing from a log can control a terminal.
 */
import { WORLD_ID } from '../../base/ids.js';
import { counted, loggedSteps } from '../../base/counted.js';
import { lookUp } from '../../base/look-up.js';
import { oneLine } from '../../base/text.js';
import { wrapped } from '../../base/wrap.js';
import type { StepRecord } from '../../trajectory/records.js';
import type { AlignedStep } from '../../replay/diff/aligned-steps.js';
import type { DivergenceAspect, Divergence, PartDiffers, WordsDiffer } from '../../replay/diff/divergence.js';
import type { RunFinish, RunDiff } from '../../replay/diff/run-diff.js';
import { columnsOf, twoColumns, valueCell } from './columns.js';
import type { TextCell, ColumnWidths } from './columns.js';
import { shownDifference } from './diff-document.js';
import type { ComparedRuns } from './diff-document.js';
import { worldsBefore, worldsText } from './diff-worlds.js';
import type { DiffLayout } from './diff-worlds.js';
import type { Io } from '../terminal/io.js';
import { stepView, worldEventTexts } from '../../replay/step-view.js';
import { displayNames, fit, painter } from '../terminal/style.js';

export function diffText({ diff, sides }: ComparedRuns, io: Io): string {
  const columns = columnsOf(io.out.isTerminal ? io.out.columns : 120, painter(io, io.out));
  const names = {
    ...displayNames(sides.b.run.scenario.agents),
    ...displayNames(sides.a.run.scenario.agents),
  };
  const lines = [
    ...headLines({ diff, sides }, columns),
    ...setupLines(diff, columns),
    ...worldsBefore(diff, { names, columns }),
    ...divergenceLines(diff, { names, columns }),
    ...sideBySide(diff, { names, columns }),
    ...(diff.isSame ? [] : [...worldsText(diff, { names, columns }), ...endLines(diff, columns)]),
  ];
  return `${lines.join('\n')}\n`;
}

function headLines({ diff, sides }: ComparedRuns, columns: ColumnWidths): readonly string[] {
  const about = ({ run, address }: ComparedRuns['sides']['a'], { turns, steps }: RunFinish): TextCell => [
    { text: oneLine(address) },
    {
      text: `${oneLine(run.scenario.title)}, seed ${oneLine(run.seed)}, ${counted(turns, 'turn')}, ${loggedSteps(steps)}`,
      isDim: true,
    },
  ];
  return [
    ...twoColumns('', [[{ text: 'a' }], [{ text: 'b' }]], columns),
    ...twoColumns('runs', [about(sides.a, diff.finish.a), about(sides.b, diff.finish.b)], columns),
  ];
}

function heading(text: string, { paint }: ColumnWidths): readonly string[] {
  return ['', paint('underline', text)];
}

function setupLines({ setup, hasMoreSetup }: RunDiff, columns: ColumnWidths): readonly string[] {
  if (setup.length === 0) return [];
  const rows = setup.flatMap((one) => {
    const { path, a, b } = shownDifference(one);
    return twoColumns(oneLine(path.slice(1)), [valueCell(a), valueCell(b)], columns);
  });
  return [...heading('Different setup', columns), ...rows, ...(hasMoreSetup ? ['… and more'] : [])];
}

function divergenceLines(diff: RunDiff, layout: DiffLayout): readonly string[] {
  const { divergence, promptDifference, replyDifference, sharedSteps } = diff;
  const { columns } = layout;
  const { paint } = columns;
  const shared =
    sharedSteps === 0
      ? []
      : [
          `They share the first ${counted(sharedSteps, 'step')}: one is a fork of the other, or both are forks of one run.`,
        ];
  if (diff.isSame)
    return [
      '',
      ...shared,
      `${paint('green', 'identical')}  No difference in prompts, replies, actions, worlds or outcome.`,
    ];
  const [verdict, explanation] =
    divergence === null
      ? [paint('yellow', 'Same actions'), ', same results.']
      : [paint('red', 'They diverge'), divergenceText(divergence, layout)];
  return [
    '',
    ...shared,
    `${verdict}${explanation}`,
    ...firstDifferenceLines('difference in a prompt', promptDifference, layout),
    ...firstDifferenceLines('difference in a reply', replyDifference, layout),
  ];
}

const ASPECTS: Readonly<Record<DivergenceAspect, string>> = {
  step: 'only one run continues',
  acts: 'a different action or result',
  events: 'different events',
  world: 'a different world state',
};

function divergenceText({ moment, aspects }: Divergence, { names }: DiffLayout): string {
  const { turn, agent, a, b } = moment;
  const steps =
    a?.step === b?.step ? `step ${a?.step ?? ''}` : `step ${a?.step ?? '–'} of a, ${b?.step ?? '–'} of b`;
  const actor = agent === WORLD_ID ? 'the world' : (lookUp(names, agent) ?? agent);
  const [first] = aspects;
  const aspect = first === undefined ? '' : ASPECTS[first];
  return ` in turn ${turn}, ${oneLine(actor)} (${steps}): ${aspect}.`;
}

function firstDifferenceLines(
  label: string,
  textDifference: WordsDiffer | null,
  { names, columns }: DiffLayout,
): readonly string[] {
  if (textDifference === null) return [];
  const { turn, agent, steps, part, difference } = textDifference;
  const { path, a, b } = shownDifference(difference);
  const position = [`turn ${turn}`, lookUp(names, agent) ?? agent, `step ${steps.a}`, `${part}${path}`].join(
    ' · ',
  );
  const cells = part === 'frame' ? [] : twoColumns('', [valueCell(a), valueCell(b)], columns);
  return [fit(`First ${label}: ${position}`, columns.all), ...cells];
}

function sideBySide(
  { after, hasMore, divergence }: RunDiff,
  { names, columns }: DiffLayout,
): readonly string[] {
  if (divergence === null) return [];
  const rows = after.flatMap((moment) => momentRow(moment, { names, columns }));
  if (rows.length === 0) return [];
  const more = hasMore ? [columns.paint('dim', '… --steps N shows more')] : [];
  return [...heading('From there', columns), ...rows, ...more];
}

function momentRow(moment: AlignedStep, { names, columns }: DiffLayout): readonly string[] {
  const [a, b] = [actionsCell(moment.a), actionsCell(moment.b)];
  const isIdle = [moment.a, moment.b].every((step) => step === null || actionsCell(step).length === 0);
  if (isIdle) return [];
  const actor = moment.agent === WORLD_ID ? 'world' : (lookUp(names, moment.agent) ?? moment.agent);
  const label = fit(`T${moment.turn} ${actor}`, columns.label);
  const isAlike = JSON.stringify(a) === JSON.stringify(b);
  return twoColumns(label, [a, isAlike ? [{ text: '=', isDim: true }] : b], columns);
}

/** The actions, their results, and speech. */
function actionsCell(step: StepRecord | null): TextCell {
  if (step === null) return [{ text: '–', isDim: true }];
  if (step.agent === WORLD_ID)
    return worldEventTexts(step.events).map((text) => ({ text: oneLine(text, 200) }));
  return stepView(step, { names: {} }).acts.flatMap(({ text, message, problem, speech }) => {
    const outcome = problem === null ? message : `${problem.code}: ${problem.message}`;
    const detail = speech === null ? oneLine(outcome, 200) : `“${oneLine(speech.text)}”`;
    return [{ text: oneLine(text, 200) }, ...(detail === '' ? [] : [{ text: detail, isDim: true }])];
  });
}

function endLines({ finish, parts }: RunDiff, columns: ColumnWidths): readonly string[] {
  const cell = ({ status, reason }: RunFinish): TextCell => [
    { text: status === 'running' ? 'incomplete: still running, or killed' : `${status}: ${oneLine(reason)}` },
  ];
  return [
    ...heading('How they ended', columns),
    ...twoColumns('', [cell(finish.a), cell(finish.b)], columns),
    ...partsLines(parts, columns),
  ];
}

/** For each part of the worlds: when it began to differ, and whether it still differed at the end. */
function partsLines(parts: readonly PartDiffers[], columns: ColumnWidths): readonly string[] {
  if (parts.length === 0) return [];
  const name = ({ part, turn }: PartDiffers): string => `${oneLine(part)} (turn ${turn})`;
  const stillDifferent = parts.filter(({ isApartAtEnd }) => isApartAtEnd).map(name);
  const equalAgain = parts.filter(({ isApartAtEnd }) => !isApartAtEnd).map(name);
  return [
    '',
    ...(stillDifferent.length === 0
      ? []
      : [`Parts of the worlds that differ at the end: ${stillDifferent.join(', ')}`]),
    ...(equalAgain.length === 0
      ? []
      : [`Parts that differed and became equal again: ${equalAgain.join(', ')}`]),
  ].flatMap((line) => (line === '' ? [''] : wrapped(line, columns.all)));
}

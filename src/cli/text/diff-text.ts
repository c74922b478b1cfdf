/**
 * What `diff` prints for people: both runs, differences in setup, where they diverge, the actions from there
 * on side by side, how the worlds differ, and how both ended. In: a comparison; out: text in which nothing
 * from a log can control a terminal.
 */
import { WORLD_ID } from '../../base/ids.js';
import { counted } from '../../base/counted.js';
import { lookUp } from '../../base/look-up.js';
import { oneLine } from '../../base/text.js';
import type { StepRecord } from '../../trajectory/records.js';
import type { AlignedStep, Sides } from '../../replay/diff/aligned-steps.js';
import type { DivergenceAspect, Divergence, PartDiffers, WordsDiffer } from '../../replay/diff/divergence.js';
import type { RunFinish, RunDiff } from '../../replay/diff/run-diff.js';
import { columnsOf, row, valueCell } from './columns.js';
import type { TextCell, ColumnWidths } from './columns.js';
import { shownDifference } from './diff-document.js';
import type { DiffOf } from './diff-document.js';
import { worldsBefore, worldsText } from './diff-worlds.js';
import type { DiffLayout } from './diff-worlds.js';
import type { Io } from '../terminal/io.js';
import { actText } from '../../trajectory/act-text.js';
import { speechOf, worldDeeds } from './step-line.js';
import { displayNames, fit, painter, wrapped } from '../terminal/style.js';

export function diffText({ found, sides }: DiffOf, io: Io): string {
  const columns = columnsOf(io.out.isTerminal ? io.out.columns : 120, painter(io, io.out));
  const names = {
    ...displayNames(sides.b.run.scenario.agents),
    ...displayNames(sides.a.run.scenario.agents),
  };
  const lines = [
    ...headLines({ found, sides }, columns),
    ...setupLines(found, columns),
    ...worldsBefore(found, { names, columns }),
    ...partingLines(found, { names, columns }),
    ...sideBySide(found, { names, columns }),
    ...(found.isSame ? [] : [...worldsText(found, { names, columns }), ...endLines(found, columns)]),
  ];
  return `${lines.join('\n')}\n`;
}

function headLines({ found, sides }: DiffOf, columns: ColumnWidths): readonly string[] {
  const about = ({ run, address }: DiffOf['sides']['a'], { turns, steps }: RunFinish): TextCell => [
    { text: oneLine(address) },
    {
      text: `${oneLine(run.scenario.title)}, seed ${oneLine(run.seed)}, ${counted(turns, 'turn')}, ${counted(steps, 'step')}`,
      isDim: true,
    },
  ];
  const heads: Sides<string> = { a: 'a', b: 'b' };
  const top = row('', [[{ text: heads.a }], [{ text: heads.b }]], columns);
  return [...top, ...row('runs', [about(sides.a, found.finish.a), about(sides.b, found.finish.b)], columns)];
}

function heading(text: string, { paint }: ColumnWidths): readonly string[] {
  return ['', paint('underline', text)];
}

function setupLines({ setup, hasMoreSetup }: RunDiff, columns: ColumnWidths): readonly string[] {
  if (setup.length === 0) return [];
  const rows = setup.flatMap((one) => {
    const { path, a, b } = shownDifference(one);
    return row(oneLine(path.slice(1)), [valueCell(a), valueCell(b)], columns);
  });
  return [...heading('Different setup', columns), ...rows, ...(hasMoreSetup ? ['… and more'] : [])];
}

function partingLines(found: RunDiff, layout: DiffLayout): readonly string[] {
  const { parting, told, answered, sharedSteps } = found;
  const { columns } = layout;
  const { paint } = columns;
  const shared =
    sharedSteps === 0
      ? []
      : [
          `They share the first ${counted(sharedSteps, 'step')}: one is a fork of the other, or both are forks of one run.`,
        ];
  if (found.isSame)
    return [
      '',
      ...shared,
      `${paint('green', 'identical')}  No difference in prompts, replies, actions, worlds or outcome.`,
    ];
  const [word, rest] =
    parting === null
      ? [paint('yellow', 'Same actions'), ', same results.']
      : [paint('red', 'They diverge'), partingText(parting, layout)];
  return [
    '',
    ...shared,
    `${word}${rest}`,
    ...wordsLines('difference in a prompt', told, layout),
    ...wordsLines('difference in a reply', answered, layout),
  ];
}

const ASPECTS: Readonly<Record<DivergenceAspect, string>> = {
  step: 'only one run continues',
  acts: 'a different action or result',
  events: 'different events',
  world: 'a different world state',
};

function partingText({ moment, aspects }: Divergence, { names }: DiffLayout): string {
  const { turn, agent, a, b } = moment;
  const steps =
    a?.step === b?.step ? `step ${a?.step ?? ''}` : `step ${a?.step ?? '–'} of a, ${b?.step ?? '–'} of b`;
  const who = agent === WORLD_ID ? 'the world' : (lookUp(names, agent) ?? agent);
  const [first] = aspects;
  const what = first === undefined ? '' : ASPECTS[first];
  return ` in turn ${turn}, ${oneLine(who)} (${steps}): ${what}.`;
}

function wordsLines(
  label: string,
  found: WordsDiffer | null,
  { names, columns }: DiffLayout,
): readonly string[] {
  if (found === null) return [];
  const { turn, agent, steps, part, difference } = found;
  const { path, a, b } = shownDifference(difference);
  const place = [`turn ${turn}`, lookUp(names, agent) ?? agent, `step ${steps.a}`, `${part}${path}`].join(
    ' · ',
  );
  const cells = part === 'frame' ? [] : row('', [valueCell(a), valueCell(b)], columns);
  return [fit(`First ${label}: ${place}`, columns.all), ...cells];
}

function sideBySide({ after, hasMore, parting }: RunDiff, { names, columns }: DiffLayout): readonly string[] {
  if (parting === null) return [];
  const rows = after.flatMap((moment) => momentRow(moment, { names, columns }));
  if (rows.length === 0) return [];
  const more = hasMore ? [columns.paint('dim', '… --steps N shows more')] : [];
  return [...heading('From there', columns), ...rows, ...more];
}

function momentRow(moment: AlignedStep, { names, columns }: DiffLayout): readonly string[] {
  const [a, b] = [deedCell(moment.a), deedCell(moment.b)];
  const isIdle = [moment.a, moment.b].every((step) => step === null || deedCell(step).length === 0);
  if (isIdle) return [];
  const who = moment.agent === WORLD_ID ? 'world' : (lookUp(names, moment.agent) ?? moment.agent);
  const label = fit(`T${moment.turn} ${who}`, columns.label);
  const isAlike = JSON.stringify(a) === JSON.stringify(b);
  return row(label, [a, isAlike ? [{ text: '=', isDim: true }] : b], columns);
}

/** The actions, their results, and speech. */
function deedCell(step: StepRecord | null): TextCell {
  if (step === null) return [{ text: '–', isDim: true }];
  if (step.agent === WORLD_ID) return worldDeeds(step).map((text) => ({ text: oneLine(text, 200) }));
  return step.acts.flatMap((act) => {
    const speech = speechOf(step, act);
    const said = speech?.data['text'];
    const { result } = act;
    const came = result.ok ? result.message : `${result.problem.code}: ${result.problem.message}`;
    const words = typeof said === 'string' ? `“${oneLine(said)}”` : oneLine(came, 200);
    return [
      { text: oneLine(actText(act, speech), 200) },
      ...(words === '' ? [] : [{ text: words, isDim: true }]),
    ];
  });
}

function endLines({ finish, parts }: RunDiff, columns: ColumnWidths): readonly string[] {
  const cell = ({ status, reason }: RunFinish): TextCell => [
    { text: status === 'running' ? 'incomplete: still running, or killed' : `${status}: ${oneLine(reason)}` },
  ];
  return [
    ...heading('How they ended', columns),
    ...row('', [cell(finish.a), cell(finish.b)], columns),
    ...partsLines(parts, columns),
  ];
}

/** For each part of the worlds: when it began to differ, and whether it still differed at the end. */
function partsLines(parts: readonly PartDiffers[], columns: ColumnWidths): readonly string[] {
  if (parts.length === 0) return [];
  const name = ({ part, turn }: PartDiffers): string => `${oneLine(part)} (turn ${turn})`;
  const apart = parts.filter(({ isApartAtEnd }) => isApartAtEnd).map(name);
  const together = parts.filter(({ isApartAtEnd }) => !isApartAtEnd).map(name);
  return [
    '',
    ...(apart.length === 0 ? [] : [`Parts of the worlds that differ at the end: ${apart.join(', ')}`]),
    ...(together.length === 0 ? [] : [`Parts that differed and became equal again: ${together.join(', ')}`]),
  ].flatMap((line) => (line === '' ? [''] : wrapped(line, columns.all)));
}

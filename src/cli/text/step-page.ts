/**
 * One step in full, for a person: the path of its picture, the text that was sent, the reply with the
 * accepted span marked, and the result. Models' words are made safe for the terminal.
 */
import { lstatSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { counted } from '../../base/counted.js';
import { duration } from '../../base/duration.js';
import { lookUp } from '../../base/look-up.js';
import type { Problem } from '../../base/problem.js';
import { makeFolder } from '../../log/folder.js';
import { SERVER_ERROR } from '../../model/chat.js';
import type { LogReader } from '../../log/reader.js';
import type { CallRequest, LoggedCall, StepRecord, OutsideRecord } from '../../trajectory/records.js';
import type { LoggedProbe } from '../../trajectory/records.js';
import type { TurnSpec } from '../../scenario/scenario.js';
import type { TextSpan } from '../../parse/reading.js';
import type { Io } from '../terminal/io.js';
import { purposeWords } from './purpose.js';
import { lastFailure } from '../../trajectory/attempts.js';
import { answeredTurn } from '../../trajectory/answered-turn.js';
import { intentText } from '../../trajectory/act-text.js';
import { notesFor, stepView } from '../../replay/step-view.js';
import type { ActView } from '../../replay/step-view.js';
import { stepLines } from './step-line.js';
import { cutLines } from '../terminal/style.js';
import type { Paint } from '../terminal/style.js';

/** Where a call's pictures are saved. */
export interface SavedPictures {
  /** Null if none was sent, or none could be written. */
  present: string | null;
  /** Those of past turns, in the order in which they were sent. */
  past: readonly string[];
}

/**
 * Writes the pictures of a step's calls next to the log, as `<log>.frames/000012-knight-1.png` and, for past
 * ones, `000012-knight-1-past-1.png`, or into a new temporary folder if that folder can't be written to.
 * Returns their paths for each call.
 */
export function savePictures(
  reader: LogReader,
  requests: readonly CallRequest[],
  io: Io,
): readonly SavedPictures[] {
  const calls = requests.map(({ step, agent, attempt, frameHash, messages }) => {
    const name = `${String(step).padStart(6, '0')}-${agent}-${attempt}`;
    const frame = frameHash === null ? null : reader.frame(frameHash);
    const images = messages.flatMap(({ parts }) => parts.filter((part) => part.kind === 'image'));
    // The present one is the last with its hash.
    const present = images.findLastIndex((image) => image.frameHash === frameHash);
    const past = images.filter((_, i) => i !== present);
    return {
      present: frame === null ? [] : [{ name: `${name}.png`, png: frame.png }],
      past: past.map(({ png }, i) => ({ name: `${name}-past-${i + 1}.png`, png })),
    };
  });
  const all = calls.flatMap(({ present, past }) => [...present, ...past]);
  const folder = all.length === 0 ? null : writeToFirstFolder(all, reader.path);
  const pathOf = ({ name }: NamedImage) => relative(io.cwd, join(folder ?? '', name));
  return calls.map(({ present, past }) =>
    folder === null
      ? { present: null, past: [] }
      : { present: present.map(pathOf)[0] ?? null, past: past.map(pathOf) },
  );
}

interface NamedImage {
  name: string;
  png: Uint8Array;
}

/** The folder that was used; null if none could be. */
function writeToFirstFolder(pictures: readonly NamedImage[], log: string): string | null {
  const nextToLog = () => {
    // Not if it is a link: it may have come with an untrusted log and lead anywhere.
    const path = join(dirname(log), `${basename(log).replace(/\.sqlite$/, '')}.frames`);
    makeFolder(path);
    if (lstatSync(path).isSymbolicLink()) throw new Error(`${path} is a link`);
    return path;
  };
  // The log's folder may be read-only; in a shared folder, a predictable name could be a trap.
  const temporary = () => mkdtempSync(join(tmpdir(), 'orchestrate-frames-'));
  for (const choose of [nextToLog, temporary]) {
    try {
      const folder = choose();
      for (const { name, png } of pictures) {
        const path = join(folder, name);
        // A link in place of the file is replaced, never followed.
        rmSync(path, { force: true });
        writeFileSync(path, png, { flag: 'wx' });
      }
      return folder;
    } catch {
      // Tries the next folder.
    }
  }
  return null;
}

export interface StepPage {
  step: StepRecord;
  calls: readonly LoggedCall[];
  /** What came from outside the program: outputs of tools, files, services. */
  outside: readonly OutsideRecord[];
  /** The step's questions with a known answer. */
  probes: readonly LoggedProbe[];
  /** One entry per call. */
  pictures: readonly SavedPictures[];
  /** Who answered, one per call. */
  players: readonly string[];
  names: Readonly<Record<string, string>>;
  turns: TurnSpec;
  paint: Paint;
}

export function stepPage(page: StepPage): string {
  const { step, calls, outside, paint, names } = page;
  const { acts, notes } = stepView(step, { names });
  const lines = stepLines(step, { paint, names, columns: 160 });
  return `${[
    paint('bold', `Step ${step.step}, turn ${step.turn}, ${lookUp(names, step.agent) ?? step.agent}`),
    ...calls.map((call, i) =>
      callText(page, call, { index: i, act: acts.find((one) => one.call === call.request.call) }),
    ),
    ...outside.map((output) => outsideText(output, paint)),
    heading(paint, 'What happened'),
    ...(lines.length === 0 ? [paint('dim', 'no visible change')] : lines),
    '',
    ...givenUpNotes(step, page.turns).map((note) => paint('dim', note)),
    ...notesFor(notes, 'page').map((note) => paint('dim', note)),
  ].join('\n')}\n`;
}

/** Which limit was reached, if the agent waited because its replies failed. */
function givenUpNotes(step: StepRecord, { attempts, refusals }: TurnSpec): readonly string[] {
  const last = lastFailure(step);
  if (last === null) return [];
  if (refusals === undefined)
    return [`given up after ${counted(attempts, 'failed reply', 'failed replies')} (turns.attempts)`];
  return last.reading?.ok !== true
    ? [`given up after ${counted(attempts, 'reply', 'replies')} without a readable action (turns.attempts)`]
    : [`given up after ${counted(refusals, 'refused action')} (turns.refusals)`];
}

/** When a tool or another effect was performed, and what it gave, with the trace of an error. */
function outsideText({ action, args, output, startedAt, durationMs }: OutsideRecord, paint: Paint): string {
  const { trace, ...result } = Object(output) as { trace?: unknown };
  const shown = typeof trace === 'string' && trace !== '' ? result : output;
  const time = `${new Date(startedAt).toISOString()}, ${duration(durationMs)}`;
  return [
    heading(paint, `From outside: ${action} ${JSON.stringify(args)} (${time})`),
    cutLines(JSON.stringify(shown)),
    ...(shown === output ? [] : [paint('dim', cutLines(String(trace)))]),
  ].join('\n');
}

function callText(
  { paint, players, pictures, probes }: StepPage,
  { request, end }: LoggedCall,
  { index, act }: { index: number; act: ActView | undefined },
): string {
  const probe = probes.find((one) => one.call === request.call);
  const purpose = purposeWords(request.purpose);
  const reasoning = end?.kind === 'replied' ? (end.reply.reasoning ?? '') : '';
  // The only picture of a message comes last; if there are several, each is marked at its position.
  const parts = request.messages.at(-1)?.parts ?? [];
  const isMarked = parts.filter(({ kind }) => kind === 'image').length > 1;
  return [
    heading(
      paint,
      `Sent to ${players[index]}, attempt ${request.attempt}${purpose === null ? '' : `, ${purpose}`}`,
    ),
    paint(
      'dim',
      `after ${counted(request.messages.length - 1, 'earlier message')}; picture: ${pictureWords(pictures[index])}`,
    ),
    cutLines(
      parts
        .flatMap((part) => (part.kind === 'text' ? [part.text] : isMarked ? ['[picture]'] : []))
        .join('\n'),
    ),
    // Under its own heading: the reasoning causes no action, even if it looks like an answer.
    ...(reasoning === ''
      ? []
      : [heading(paint, 'Reasoning (not part of the reply)'), paint('dim', cutLines(reasoning))]),
    heading(paint, `Reply${replyFacts(end)}`),
    replyText(end, act, paint),
    ...(act === undefined ? [] : [readingText(act, paint)]),
    ...(probe === undefined ? [] : [probeText(probe, paint)]),
  ].join('\n');
}

function replyFacts(end: LoggedCall['end']): string {
  if (end === null || end.kind === 'failed') return '';
  const { finishReason, latencyMs, usage } = end.reply;
  const turn = answeredTurn(end.reply);
  const observedNote = turn === null ? '' : ` to the observation of turn ${turn}`;
  const tokens =
    usage.promptTokens === null ? '' : `, ${usage.promptTokens} + ${usage.completionTokens ?? '?'} tokens`;
  return `${observedNote} (${finishReason ?? 'no finish reason'}, ${duration(latencyMs)}${tokens})`;
}

function replyText(end: LoggedCall['end'], act: ActView | undefined, paint: Paint): string {
  if (end === null) return paint('yellow', 'no reply was stored');
  if (end.kind === 'failed') return paint('red', end.error);
  const { content, toolCalls, finishReason, tries } = end.reply;
  if (finishReason === SERVER_ERROR)
    return paint('red', cutLines(['no answer', ...tries.map(({ problem }) => problem)].join('\n')));
  const calls = toolCalls.map(
    (call) => `${paint('dim', 'tool call')} ${cutLines(`${call.name} ${call.arguments}`)}`,
  );
  const words = content === '' ? [] : [marked(content, act?.accepted?.span ?? null, paint)];
  const lines = [...words, ...calls];
  return lines.length === 0 ? paint('dim', '(empty)') : lines.join('\n');
}

/** With the accepted span in brackets as well as in colour, so that it is visible in a pipe too. */
function marked(content: string, span: TextSpan | null, paint: Paint): string {
  if (span === null) return cutLines(content);
  const inside = paint(['green', 'bold'], `⟦${cutLines(content.slice(span.start, span.end))}⟧`);
  return `${cutLines(content.slice(0, span.start))}${inside}${cutLines(content.slice(span.end))}`;
}

/** The answer to a question with a known answer. */
function probeText({ verdict, expected, picture }: LoggedProbe, paint: Paint): string {
  const verdictText = paint(verdict === 'right' ? 'green' : 'yellow', verdict);
  return `${paint('dim', '→')} ${picture === 'grey' ? 'with a grey picture: ' : ''}${verdictText}${verdict === 'right' ? '' : `; the answer is: ${expected}`}`;
}

function readingText({ accepted, intent, message, problem }: ActView, paint: Paint): string {
  const rung = accepted === null ? '' : `read as ${accepted.rung}: `;
  const command = intent === null ? 'no action' : intentText(intent);
  const result = problem === null ? message : `${problem.code}: ${problem.message}${errorTrace(problem)}`;
  return `${paint('dim', '→')} ${rung}${paint('cyan', command)}\n  ${result}`;
}

/** For a custom action that threw: the error and its position. */
function errorTrace({ code, details }: Problem): string {
  if (code !== 'action-failed' || details === undefined) return '';
  const lines = [details['error'], details['trace']].filter((one) => typeof one === 'string');
  return lines.map((one) => (one === '' ? '' : `\n${one}`)).join('');
}

function heading(paint: Paint, text: string): string {
  return `\n${paint(['underline'], text)}`;
}

/** The paths of the pictures, which were written just before. */
function pictureWords({ present, past }: SavedPictures = { present: null, past: [] }): string {
  const presentText = present === null ? 'none' : `saved as ${present}`;
  const [first, last] = [past[0], past.length > 1 ? past.at(-1) : undefined];
  if (first === undefined) return presentText;
  return `${presentText}; ${counted(past.length, 'past picture')}: saved as ${first}${last === undefined ? '' : ` to ${basename(last)}`}`;
}

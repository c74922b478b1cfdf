/**
 * The scripted controller for questions: it computes what is arithmetic, looks up the words of the question,
 * reads the available files until a line answers most of it, computes with the numbers that it found, and
 * answers with what covers most of the question; if nothing does, it says so. A general policy over the facts
 * of any world of that shape; it contains no scenario's answers.
 */
import type { Json } from '../../../base/json.js';
import { lookUp } from '../../../base/look-up.js';
import type { InquiryFacts } from '../inquiry-facts.js';
import type { Observation } from '../../../environment/observation.js';
import { countedThing, evidenceFor, linesUnder, numbersOf, tellingWordsOf } from './evidence.js';
import type { EvidenceLine } from './evidence.js';
import type { CandidateAction, ScriptedPlayer } from '../../../agent/controllers/scripted-player.js';

/** What it remembers between steps, as plain JSON. */
interface InquiryFindings {
  /** Commands that it gave. */
  readonly tried: readonly string[];
  /** Lines that tools gave it. */
  readonly lines: readonly EvidenceLine[];
  /** Paths of files that it has heard of. */
  readonly files: readonly string[];
  /** The last output of the calculator. */
  readonly value: string | null;
  /** Why the calculator gave nothing. */
  readonly refusal: string | null;
}

const NOTHING: InquiryFindings = { tried: [], lines: [], files: [], value: null, refusal: null };

/** Lines kept; the first ones go first. */
const LINES_MAX = 200;

/** The next action and the new memory; null if the observation has no facts of this kind. */
export const inquiryWish: ScriptedPlayer = ({ observation, memory }) => {
  const facts = factsOf(observation);
  if (facts === null) return null;
  const findings = learnt(openFindings(memory), facts.result);
  const offered = new Set(observation.offered.map(({ action }) => action));
  const isNew = ({ command }: CandidateAction): boolean =>
    offered.has(command.split(' ', 1)[0] ?? '') && !findings.tried.includes(command);
  const wish = wishes(facts.question, findings).find(isNew) ?? answer(facts.question, findings);
  return { wish, memory: { ...findings, tried: [...findings.tried, wish.command] } };
};

function factsOf({ facts }: Observation): InquiryFacts | null {
  return 'question' in facts && 'result' in facts ? (facts as unknown as InquiryFacts) : null;
}

function openFindings(memory: Json): InquiryFindings {
  const isOurs = typeof memory === 'object' && memory !== null && 'tried' in memory && 'files' in memory;
  return isOurs ? (memory as unknown as InquiryFindings) : NOTHING;
}

function learnt(findings: InquiryFindings, result: InquiryFacts['result']): InquiryFindings {
  if (result === null) return findings;
  const { tool, ok, lines } = result;
  if (tool === 'CALCULATE')
    return ok ? { ...findings, value: lines[0] ?? null } : { ...findings, refusal: lines[0] ?? '' };
  if (!ok) return findings;
  if (tool !== 'LIST_FILES')
    return { ...findings, lines: [...findings.lines, ...linesUnder(lines)].slice(-LINES_MAX) };
  const folder = result.input === '' ? '' : `${result.input.replace(/\/$/, '')}/`;
  return { ...findings, files: [...findings.files, ...lines.map((name) => `${folder}${name}`)] };
}

function wishes(question: string, findings: InquiryFindings): readonly CandidateAction[] {
  if (findings.value !== null || findings.refusal !== null) return [];
  const sum = expressionIn(question);
  if (sum !== null) return [asking('CALCULATE', sum, 'I work it out.')];
  const { best, isPlenty } = evidenceFor(question, findings.lines);
  const sums = [...sumsOver(question, best), ...furtherSums(question, best)];
  const isEnough = isPlenty && countedThing(question) === null;
  return isEnough ? sums : [...searches(question, findings), ...sums];
}

/** Other places where the answer may be. */
function searches(question: string, { files }: InquiryFindings): readonly CandidateAction[] {
  const words = tellingWordsOf(question).join(' ');
  return [
    asking('SEARCH', words, 'I look up what the question is about.'),
    asking('SEARCH_FILES', words, 'I search the files for it.'),
    { command: 'LIST_FILES', why: 'I look at what there is to read.' },
    ...files.map((path) =>
      path.endsWith('/')
        ? asking('LIST_FILES', path, 'I look into the folder.')
        : asking('READ_FILE', path, 'I read on.'),
    ),
  ];
}

function asking(verb: string, input: string, why: string): CandidateAction {
  return { command: `${verb} ${JSON.stringify(input)}`, why };
}

/**
 * The calculation that a question asks for: one written in it, or an expression that it quotes for the
 * calculator.
 */
function expressionIn(question: string): string | null {
  const quotation = /["“`](.+)["”`]/.exec(question)?.[1];
  if (quotation !== undefined && /\bcalculat/i.test(question)) return quotation;
  const sums = question.match(/[-(.\d][-\d\s.+*/%()×÷]*[\d)]/g) ?? [];
  return sums.find((one) => /[\d)]\s*[-+*/%×÷]+\s*[-(.\d]/.test(one))?.trim() ?? null;
}

const OPERATORS: Readonly<Record<string, string>> = {
  times: '*',
  'multiplied by': '*',
  plus: '+',
  minus: '-',
  'divided by': '/',
};

/** Where the question asks how many there are over several lines, and each line has its number. */
function sumsOver(question: string, lines: readonly EvidenceLine[]): readonly CandidateAction[] {
  const thing = countedThing(question);
  const numbers = thing === null ? [] : numbersOf(thing, lines);
  const isWhole = numbers.length > 1 && numbers.length === lines.length;
  return isWhole ? [asking('CALCULATE', numbers.join(' + '), 'I add up what I found.')] : [];
}

/** Where the question wants more done with a number, and one number was found. */
function furtherSums(question: string, [line]: readonly EvidenceLine[]): readonly CandidateAction[] {
  const [, words = '', factor = ''] =
    /\b(times|multiplied by|plus|minus|divided by) (\d+(?:\.\d+)?)/i.exec(question) ?? [];
  const operator = lookUp(OPERATORS, words.toLowerCase());
  const [number, other] = line?.text.match(/\d+(?:\.\d+)?/g) ?? [];
  if (operator === undefined || number === undefined || other !== undefined) return [];
  return [asking('CALCULATE', `${number} ${operator} ${factor}`, 'I found the number to work with.')];
}

function answer(question: string, { value, refusal, lines }: InquiryFindings): CandidateAction {
  if (value !== null) return asking('FINAL_ANSWER', value, 'I have worked it out.');
  if (refusal !== null)
    return asking(
      'FINAL_ANSWER',
      `UNKNOWN, it could not be worked out: ${plain(refusal)}`,
      'I could not work it out.',
    );
  const [best] = evidenceFor(question, lines).best;
  return best === undefined
    ? asking('FINAL_ANSWER', 'UNKNOWN: nothing that I found says so.', 'I have tried what there is.')
    : asking('FINAL_ANSWER', plain(best.text), 'I have found it.');
}

function plain(text: string): string {
  return text.replaceAll('"', "'");
}

/**
 * The scripted player for questions: it computes arithmetic, looks up the words of the question, reads the
 * available files until a line answers most of it, calculates with the numbers that it found, and answers
 * with the line that covers most of the question, or says that it found none. It is a general policy over the
 * facts of any world of that shape and contains no scenario's solution.
 */
import type { Json } from '../../../base/json.js';
import { lookUp } from '../../../base/look-up.js';
import type { InquiryFacts } from '../inquiry-facts.js';
import type { Observation } from '../../../environment/observation.js';
import { countedNoun, evidenceFor, linesUnder, numbersOf, significantWords } from './evidence.js';
import type { EvidenceLine } from './evidence.js';
import type { CandidateAction, ScriptedPlayer } from '../../../agent/controllers/scripted-player.js';

/** What it remembers between steps, as plain JSON. */
interface InquiryFindings {
  /** Commands that it gave. */
  tried: readonly string[];
  /** Lines that tools gave it. */
  lines: readonly EvidenceLine[];
  /** Paths of files and folders that LIST_FILES has shown. */
  files: readonly string[];
  /** The last output of the calculator. */
  value: string | null;
  /** The last error of the calculator. */
  refusal: string | null;
}

const NO_FINDINGS: InquiryFindings = { tried: [], lines: [], files: [], value: null, refusal: null };

/** The maximum number of remembered lines; the oldest are dropped. */
const LINES_MAX = 200;

/** The next action and the new memory; null if the observation has no facts of this kind. */
export const inquiryPlayer: ScriptedPlayer = ({ observation, memory }) => {
  const facts = factsOf(observation);
  if (facts === null) return null;
  const findings = addResult(openFindings(memory), facts.result);
  const offered = new Set(observation.offered.map(({ action }) => action));
  const isNew = ({ command }: CandidateAction): boolean =>
    offered.has(command.split(' ', 1)[0] ?? '') && !findings.tried.includes(command);
  const wish = candidatesFor(facts.question, findings).find(isNew) ?? answer(facts.question, findings);
  return { wish, memory: { ...findings, tried: [...findings.tried, wish.command] } };
};

function factsOf({ facts }: Observation): InquiryFacts | null {
  return 'question' in facts && 'result' in facts ? (facts as unknown as InquiryFacts) : null;
}

function openFindings(memory: Json): InquiryFindings {
  const isOurs = typeof memory === 'object' && memory !== null && 'tried' in memory && 'files' in memory;
  return isOurs ? (memory as unknown as InquiryFindings) : NO_FINDINGS;
}

function addResult(findings: InquiryFindings, result: InquiryFacts['result']): InquiryFindings {
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

function candidatesFor(question: string, findings: InquiryFindings): readonly CandidateAction[] {
  if (findings.value !== null || findings.refusal !== null) return [];
  const expression = findExpression(question);
  if (expression !== null) return [callTool('CALCULATE', expression, 'I work it out.')];
  const { best, isSufficient } = evidenceFor(question, findings.lines);
  const calculations = [...additionFor(question, best), ...followUpCalculation(question, best)];
  const hasEnough = isSufficient && countedNoun(question) === null;
  return hasEnough ? calculations : [...searchActions(question, findings), ...calculations];
}

/** Searches, lists and files that may contain the answer. */
function searchActions(question: string, { files }: InquiryFindings): readonly CandidateAction[] {
  const words = significantWords(question).join(' ');
  return [
    callTool('SEARCH', words, 'I look up what the question is about.'),
    callTool('SEARCH_FILES', words, 'I search the files for it.'),
    { command: 'LIST_FILES', why: 'I look at what there is to read.' },
    ...files.map((path) =>
      path.endsWith('/')
        ? callTool('LIST_FILES', path, 'I look into the folder.')
        : callTool('READ_FILE', path, 'I read on.'),
    ),
  ];
}

function callTool(verb: string, input: string, why: string): CandidateAction {
  return { command: `${verb} ${JSON.stringify(input)}`, why };
}

/**
 * The calculation that a question asks for: one written in it, or an expression that it quotes for the
 * calculator.
 */
function findExpression(question: string): string | null {
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

/** An addition, if the question asks for a total over several lines and each line has its number. */
function additionFor(question: string, lines: readonly EvidenceLine[]): readonly CandidateAction[] {
  const thing = countedNoun(question);
  const numbers = thing === null ? [] : numbersOf(thing, lines);
  const isWhole = numbers.length > 1 && numbers.length === lines.length;
  return isWhole ? [callTool('CALCULATE', numbers.join(' + '), 'I add up what I found.')] : [];
}

/** A further calculation that the question asks for ("times 3"), if exactly one number was found. */
function followUpCalculation(question: string, [line]: readonly EvidenceLine[]): readonly CandidateAction[] {
  const [, words = '', factor = ''] =
    /\b(times|multiplied by|plus|minus|divided by) (\d+(?:\.\d+)?)/i.exec(question) ?? [];
  const operator = lookUp(OPERATORS, words.toLowerCase());
  const [number, second] = line?.text.match(/\d+(?:\.\d+)?/g) ?? [];
  if (operator === undefined || number === undefined || second !== undefined) return [];
  return [callTool('CALCULATE', `${number} ${operator} ${factor}`, 'I found the number to work with.')];
}

function answer(question: string, { value, refusal, lines }: InquiryFindings): CandidateAction {
  if (value !== null) return callTool('FINAL_ANSWER', value, 'I have worked it out.');
  if (refusal !== null)
    return callTool(
      'FINAL_ANSWER',
      `UNKNOWN, it could not be worked out: ${withoutQuotes(refusal)}`,
      'I could not work it out.',
    );
  const [best] = evidenceFor(question, lines).best;
  return best === undefined
    ? callTool('FINAL_ANSWER', 'UNKNOWN: nothing that I found says so.', 'I have tried what there is.')
    : callTool('FINAL_ANSWER', withoutQuotes(best.text), 'I have found it.');
}

function withoutQuotes(text: string): string {
  return text.replaceAll('"', "'");
}

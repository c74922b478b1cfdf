/**
 * The display of a run while it plays: who is thinking and for how long, a line per step, speech set apart, a
 * summary. Plain lines without a terminal, only the summary with `--quiet`. It gets steps only once they are
 * durable.
 */
import { counted } from '../../base/counted.js';
import { UnansweredAgents } from '../../trajectory/uncontrolled.js';
import { runLength } from '../text/run-length.js';
import { duration } from '../../base/duration.js';
import { lookUp } from '../../base/look-up.js';
import { playerName } from '../../trajectory/player-names.js';
import type { RunEnd, RunRecord, StepRecord } from '../../trajectory/records.js';
import type { RunWatcher } from '../../orchestrator/run-context.js';
import { isOver } from '../../replay/restored-history.js';
import type { ReplyCollector } from '../play/reply-collector.js';
import type { TextOutput } from '../terminal/text-output.js';
import { stepLines } from '../text/step-line.js';
import { shellWord } from '../../base/shell-words.js';
import { wrapped } from '../../base/wrap.js';
import { cutLines, fit } from '../terminal/style.js';
import { CLEAR_LINE } from '../terminal/terminal-codes.js';
import type { Paint } from '../terminal/style.js';

const TICK_MS = 100;
/** Without a terminal, lines may be longer. */
const PIPE_COLUMNS = 160;
/** A controller that answers faster than this is not worth announcing. */
const ANNOUNCE_AFTER_MS = 150;

export interface RunViewOptions {
  output: TextOutput;
  paint: Paint;
  quiet: boolean;
  names: Readonly<Record<string, string>>;
  /** Has the replies to a step's calls. */
  replies: ReplyCollector;
  /** The number of discarded speculative calls. */
  wasted: () => number;
  /** The cost of a frame, one line per model. */
  frames: () => readonly string[];
  title: string;
  /** The log's path as the user would type it, with #run-id if it contains other runs. */
  address: string;
  /** How the user calls this program. */
  program: string;
  now: () => number;
  /** Whether a person is typing on the last line, which must not be redrawn meanwhile. */
  isTyping: () => boolean;
}

export class RunView implements RunWatcher {
  /** How the run ended; null until then. */
  end: RunEnd | null = null;
  readonly #options: RunViewOptions;
  readonly #unanswered = new UnansweredAgents();
  readonly #thinking = new Map<string, { agent: string; attempt: number; since: number }>();
  #timer: NodeJS.Timeout | null = null;
  #isLineOpen = false;

  constructor(options: RunViewOptions) {
    this.#options = options;
  }

  /** An agent whose model's server answered none of its turns; null if there is none. */
  get unanswered(): UnansweredAgents['first'] {
    return this.#unanswered.first;
  }

  runStarted(run: RunRecord): void {
    const { paint, title, names, address } = this.#options;
    if (this.#options.quiet) return;
    const players = Object.entries(names).map(
      ([id, name]) => `${name} (${playerName(lookUp(run.controllers, id)) || 'unknown'})`,
    );
    const columns = this.#columns();
    const head = fit(title, columns - 2);
    const details = fit(`seed ${run.seed} · ${address}`, columns);
    const separator = head.length + details.length + 2 <= columns ? '  ' : '\n';
    this.#print(`${paint('bold', head)}${separator}${paint('dim', details)}`);
    this.#print(paint('dim', fit(players.join(' · '), columns)));
  }

  thinking(agent: string, _turn: number, attempt: number): void {
    const { output, quiet, now } = this.#options;
    if (quiet || !output.isTerminal) return;
    // The player may be a person, whose prompt appears on this line.
    this.#clearLine();
    this.#thinking.set(agent, { agent, attempt, since: now() });
    this.#timer ??= setInterval(() => this.#drawThinking(), TICK_MS).unref();
  }

  stepDone(step: StepRecord): void {
    this.#unanswered.add(step);
    this.#thinking.delete(step.agent);
    const replies = this.#options.replies.take(step);
    if (this.#options.quiet) return;
    const { paint, names } = this.#options;
    const lines = stepLines(step, { paint, names, replies, columns: this.#columns() });
    for (const line of lines) this.#print(line);
  }

  reflected(agent: string, reflection: string | null, error: string | null): void {
    this.#thinking.delete(agent);
    if (this.#options.quiet) return;
    const { paint, names } = this.#options;
    const name = lookUp(names, agent) ?? agent;
    const cause = error === null ? '' : `: ${error}`;
    if (reflection === null) this.#print(paint('yellow', `${name} could not be asked about the run${cause}`));
    else this.#print(`\n${paint('bold', `${name} reflects on the run`)}\n${cutLines(reflection)}`);
  }

  runEnded(end: RunEnd, agentSteps: number): void {
    this.end = end;
    this.close();
    const { paint, address, program } = this.#options;
    const colour = end.status === 'succeeded' || end.status === 'ended' ? 'green' : 'red';
    if (!this.#options.quiet) this.#print('');
    // An error's message is printed once, with its hints, by the code that prints errors.
    const reason = end.status === 'error' ? 'the run stopped here' : end.reason;
    this.#print(`${paint([colour, 'bold'], end.status)}: ${reason}`);
    const wasted = this.#options.wasted();
    const discarded = wasted === 0 ? '' : `, ${counted(wasted, 'speculative call')} discarded`;
    this.#print(`${runLength(end, agentSteps)}${discarded}, chain ${end.chain.slice(0, 16)}`);
    for (const frameText of this.#options.frames()) {
      const lines = wrapped(fit(frameText, 1000), this.#columns() - 6);
      lines.forEach((line, i) => this.#print(`${i === 0 ? 'frame ' : '      '}${line}`));
    }
    this.#print(`log   ${address}`);
    const next = isOver(end.status) ? 'show' : 'resume';
    this.#print(`next  ${paint('cyan', `${program} ${next} ${shellWord(address)}`)}`);
  }

  /** Lets other code print, after the redrawn line is cleared. */
  printBetween(write: () => void): void {
    this.#clearLine();
    write();
  }

  /** Clears the redrawn line and stops the timer. */
  close(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
    this.#thinking.clear();
    this.#clearLine();
  }

  #columns(): number {
    const { output } = this.#options;
    return output.isTerminal ? output.columns : PIPE_COLUMNS;
  }

  #drawThinking(): void {
    const { output, paint, names, now, isTyping } = this.#options;
    if (isTyping()) return;
    const announced = [...this.#thinking.values()].filter((one) => now() - one.since >= ANNOUNCE_AFTER_MS);
    this.#clearLine();
    if (announced.length === 0) return;
    const texts = announced.map((one) => {
      const attemptNote = one.attempt > 1 ? `, attempt ${one.attempt}` : '';
      return `${lookUp(names, one.agent) ?? one.agent} is thinking (${duration(now() - one.since)}${attemptNote})`;
    });
    output.write(paint('dim', `      ${fit(texts.join(' · '), output.columns - 7)}`));
    this.#isLineOpen = true;
  }

  #clearLine(): void {
    if (this.#isLineOpen) this.#options.output.write(CLEAR_LINE);
    this.#isLineOpen = false;
  }

  #print(line: string): void {
    this.#clearLine();
    this.#options.output.write(`${line}\n`);
  }
}

/**
 * The person at the terminal: sees what an agent perceives (its instructions once, then each turn's picture
 * and text; after a refusal only what is new) and types its command. This also records which agents the
 * person took over. Questions are asked one at a time, in order.
 */
import type { Person } from '../../agent/controllers/human.js';
import type { ControllerInput } from '../../agent/controller.js';
import { lookUp } from '../../base/look-up.js';
import type { Message } from '../../model/chat.js';
import { pictureLines } from '../terminal/inline-picture.js';
import type { Io } from '../terminal/io.js';
import type { LineInput } from '../terminal/line-input.js';
import type { PictureMethod } from '../terminal/pictures.js';
import type { TextOutput } from '../terminal/text-output.js';
import { painter } from '../terminal/style.js';
import type { Paint } from '../terminal/style.js';

const INPUT_HELP =
  'You decide for this agent. Type a command such as "go north", or ? to see the rules again.';

export interface TerminalPlayerOptions {
  io: Io;
  output: TextOutput;
  lines: LineInput;
  /** How pictures are shown; null: not shown. */
  method: PictureMethod | null;
  /** Display names by agent id. */
  names: Readonly<Record<string, string>>;
  /** Called when input has ended: the run can't continue. */
  giveUp: (reason: Error) => void;
}

export class TerminalPlayer implements Person {
  readonly #options: TerminalPlayerOptions;
  readonly #paint: Paint;
  readonly #takenOver = new Set<string>();
  readonly #introduced = new Set<string>();
  /** By agent: the turn and the text that were shown last. */
  readonly #shown = new Map<string, { turn: number; text: string }>();
  /** Settles when the previous question has been answered. */
  #lastQuestion: Promise<unknown> = Promise.resolve();
  #openQuestions = 0;

  constructor(options: TerminalPlayerOptions) {
    this.#options = options;
    this.#paint = painter(options.io, options.output);
  }

  /** Whether the user is typing: nothing else may redraw the last line meanwhile. */
  get isBusy(): boolean {
    return this.#openQuestions > 0;
  }

  hasTaken(agent: string): boolean {
    return this.#takenOver.has(agent);
  }

  take(agent: string): void {
    this.#takenOver.add(agent);
  }

  giveBack(agent: string): void {
    this.#takenOver.delete(agent);
  }

  async answer(input: ControllerInput, signal: AbortSignal): Promise<string> {
    this.#openQuestions += 1;
    const asking = this.#lastQuestion.catch(() => undefined).then(() => this.#ask(input, signal));
    this.#lastQuestion = asking;
    try {
      return await asking;
    } finally {
      this.#openQuestions -= 1;
    }
  }

  async #ask(input: ControllerInput, signal: AbortSignal): Promise<string> {
    signal.throwIfAborted();
    const { output } = this.#options;
    output.write(await this.#page(input));
    for (;;) {
      const line = await this.line(`${this.#name(input.agent)}> `, signal);
      if (line === null) throw this.#endOfInput();
      if (line.trim() === '?') output.write(`${this.#instructions(input)}\n${turnText(input)}\n`);
      else if (line.trim() !== '') return line;
    }
  }

  /**
   * A line from the user; null at the end of input. If input is not interactive, the transcript shows it
   * after its prompt.
   */
  async line(prompt: string, signal: AbortSignal): Promise<string | null> {
    const { output, lines } = this.#options;
    output.write(this.#paint('bold', prompt));
    const line = await lines.next(signal);
    if (line === null) output.write('\n');
    else if (!lines.isTerminal) output.write(`${line}\n`);
    return line;
  }

  #endOfInput(): Error {
    const reason = new DOMException('standard input ended', 'AbortError');
    this.#options.output.write('standard input ended, so the run stops\n');
    this.#options.giveUp(reason);
    return reason;
  }

  /** The text to print before the prompt. */
  async #page(input: ControllerInput): Promise<string> {
    const { agent, turn } = input;
    const text = turnText(input);
    const before = this.#shown.get(agent);
    this.#shown.set(agent, { turn, text });
    if (before?.turn === turn) {
      // After a refusal or a free action: only the lines that are new.
      const old = new Set(before.text.split('\n'));
      const newLines = text.split('\n').filter((line) => !old.has(line));
      return `${newLines.join('\n')}\n`;
    }
    const opening = this.#introduced.has(agent) ? '' : `${this.#instructions(input)}\n\n${INPUT_HELP}\n`;
    this.#introduced.add(agent);
    const heading = this.#paint(['bold', 'underline'], this.#name(agent));
    return `${opening}\n${heading}\n${await this.#picture(input)}${text}\n`;
  }

  #instructions({ messages }: ControllerInput): string {
    const system = messages.filter(({ role }) => role === 'system').map(messageText);
    return this.#paint('dim', system.join('\n'));
  }

  /** '' if no picture can be shown. */
  async #picture({ messages }: ControllerInput): Promise<string> {
    const { method, output } = this.#options;
    const image = messages.at(-1)?.parts.findLast((part) => part.kind === 'image');
    return image?.kind === 'image' ? pictureLines(image.png, method, output) : '';
  }

  #name(agent: string): string {
    return lookUp(this.#options.names, agent) ?? agent;
  }
}

/** This turn's text; text from agents and scenarios can't control the terminal. */
function turnText({ messages }: ControllerInput): string {
  const last = messages.at(-1);
  return last === undefined ? '' : messageText(last);
}

function messageText({ parts }: Message): string {
  return parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('\n\n');
}

/**
 * The whole terminal as a page that is redrawn. Its earlier contents are restored on leaving, also when the
 * process is asked to end.
 */
import { emitKeypressEvents } from 'node:readline';
import { KITTY_CLEAR } from './kitty-image.js';
import type { Io } from './io.js';
import { ownCode } from './text-output.js';
import { atPlace, WIPE_BELOW, WIPE_LINE } from './terminal-codes.js';

/** As Node names keys; `sequence` is what was typed. */
export interface PressedKey {
  name?: string | undefined;
  sequence?: string | undefined;
  ctrl?: boolean | undefined;
  meta?: boolean | undefined;
}

const ENTER = ownCode('\u001b[?1049h\u001b[?25l\u001b[?7l');
const LEAVE = ownCode('\u001b[?7h\u001b[?25h\u001b[?1049l');
const BEGIN_UPDATE = ownCode('\u001b[?2026h');
const END_UPDATE = ownCode('\u001b[?2026l');
const WIPE_IMAGE = ownCode(KITTY_CLEAR);

export interface ScreenListeners {
  onKey: (key: PressedKey) => void;
  onResize: () => void;
  /** The keyboard is gone. */
  onEnd: () => void;
}

export class Screen {
  readonly #io: Io;
  readonly #listeners: ScreenListeners;
  readonly #cleanups: (() => void)[] = [];
  readonly #onKeypress: (text: unknown, key: PressedKey) => void;
  #isOpen = false;
  /** A picture drawn by the terminal itself, which text does not erase. */
  #hasImage = false;

  constructor(io: Io, listeners: ScreenListeners) {
    this.#io = io;
    this.#listeners = listeners;
    this.#onKeypress = (_text, key) => listeners.onKey(key);
  }

  get columns(): number {
    return this.#io.out.columns;
  }

  get rows(): number {
    return this.#io.out.rows;
  }

  open(): void {
    const { io } = { io: this.#io };
    this.#isOpen = true;
    this.#cleanups.push(io.beforeExit(() => this.#leave()));
    this.#cleanups.push(io.onResize(this.#listeners.onResize));
    io.stdin.setRawMode?.(true);
    emitKeypressEvents(io.stdin);
    io.stdin.on('keypress', this.#onKeypress);
    io.stdin.once('end', this.#listeners.onEnd);
    io.stdin.resume();
    io.out.write(ENTER);
  }

  /** Restores the earlier contents; a second call does nothing. */
  close(): void {
    if (!this.#isOpen) return;
    this.#leave();
    const { stdin } = this.#io;
    stdin.off('keypress', this.#onKeypress);
    stdin.off('end', this.#listeners.onEnd);
    stdin.setRawMode?.(false);
    stdin.pause();
    for (const forget of this.#cleanups) forget();
  }

  /**
   * The page's lines from the top; `image` is drawn over them at a position, if the terminal draws pictures
   * itself.
   */
  draw(lines: readonly string[], image: { text: string; column: number; row: number } | null): void {
    const rows = lines.slice(0, this.rows).map((line, i) => `${atPlace(i + 1, 1)}${WIPE_LINE}${line}`);
    const rest = `${atPlace(rows.length + 1, 1)}${WIPE_BELOW}`;
    const wipe = this.#hasImage ? WIPE_IMAGE : '';
    const picture = image === null ? '' : `${atPlace(image.row, image.column)}${image.text}`;
    this.#hasImage = image !== null;
    const tail = rows.length < this.rows ? rest : '';
    this.#io.out.write(`${BEGIN_UPDATE}${wipe}${rows.join('')}${tail}${picture}${END_UPDATE}`);
  }

  #leave(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#io.out.write(`${this.#hasImage ? WIPE_IMAGE : ''}${END_UPDATE}${LEAVE}`);
  }
}

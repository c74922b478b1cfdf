/**
 * Loads the page's data from the page itself or, if it is served, from its server. The token that the server
 * requires is removed from the address at once, so that a copied link never contains it.
 */
import { withPart, NO_DATA, type PageData, type PageMark, type PagePart } from '../page-data.js';
import { bytesOf } from './tiles.js';

const POLL_MS = 700;
/** Polling interval while a run is in progress, whose ticks may last a second. */
const LIVE_MS = 250;
const FAILED_MS = 5000;
/** After this many requests in a row without an answer, the server counts as gone. */
const MAX_SILENCES = 3;
const TOKEN_KEY = 'orchestrate-token';

/** No answer; a missing or wrong token; an error of the server. */
export type ConnectionProblem = 'silent' | 'refused' | 'failed';

export const PROBLEM_TEXTS: Readonly<Record<ConnectionProblem, string>> = {
  silent: 'The program that served this page has ended.',
  refused: 'Open the address that the program printed: it contains the key to this page.',
  failed: 'The program can’t read the run at the moment; its terminal shows why. This page keeps trying.',
};

/**
 * Sends a verdict on a step; resolves with null once it is stored, otherwise with the reason why it was not.
 */
export type SaveAnnotation = (run: string, mark: PageMark) => Promise<string | null>;

/**
 * `onData` gets all data whenever it grows, and a function that stores verdicts (null if the page is a file).
 * `onLive` is called once everything that exists has arrived, and tells whether more may come; `words` is the
 * reason if not.
 */
export interface DataListener {
  onData(data: PageData, keep: SaveAnnotation | null): void;
  onLive(state: 'file' | 'live' | 'lost', words: string): void;
}

export async function loadData(listener: DataListener): Promise<void> {
  const embedded = document.getElementById('data')?.textContent.trim() ?? '';
  if (embedded === '') {
    await new Connection(takeToken()).follow(listener);
    return;
  }
  listener.onLive('file', '');
  const parts = JSON.parse(await decompress(bytesOf(embedded))) as readonly PagePart[];
  listener.onData(withParts(NO_DATA, parts), null);
}

async function decompress(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(stream).text();
}

function withParts(data: PageData, parts: readonly PagePart[]): PageData {
  return parts.reduce(withPart, data);
}

/** Removes the token from `#token=…` and stores it in the session, in case the page is loaded again. */
export function takeToken(): string {
  const params = new URLSearchParams(location.hash.slice(1));
  const token = params.get('token');
  if (token === null) return sessionStorage.getItem(TOKEN_KEY) ?? '';
  params.delete('token');
  sessionStorage.setItem(TOKEN_KEY, token);
  history.replaceState(null, '', `${location.pathname}#${params.toString()}`);
  return token;
}

/** The connection to the page's server: polls for new data and sends verdicts. */
class Connection {
  readonly #token: string;
  /** Verdicts are sent one after the other, because the last one on a step counts. */
  #sending: Promise<unknown> = Promise.resolve();
  /** Ends the pause before the next poll. */
  #wake: () => void = () => undefined;
  #isAwake = false;

  constructor(token: string) {
    this.#token = token;
  }

  /** Polls for new data until the server is gone. */
  async follow(listener: DataListener): Promise<void> {
    let data = NO_DATA;
    let parts = 0;
    let failures = 0;
    for (;;) {
      const answer = await askForParts<PagePart>(this.#token, parts);
      if (typeof answer === 'string') {
        // A server that is busy or has too many clients is not gone.
        failures += 1;
        if (answer === 'refused' || (answer === 'silent' && failures >= MAX_SILENCES)) {
          listener.onLive('lost', PROBLEM_TEXTS[answer]);
          return;
        }
        if (answer === 'failed') listener.onLive('lost', PROBLEM_TEXTS.failed);
        await this.#pause(answer === 'failed' ? FAILED_MS : POLL_MS);
        continue;
      }
      failures = 0;
      parts += answer.length;
      data = withParts(data, answer);
      if (answer.length > 0) listener.onData(data, this.save);
      if (answer.length > 0) continue;
      listener.onLive('live', '');
      await this.#pause(data.runs.some(({ end }) => end === null) ? LIVE_MS : POLL_MS);
    }
  }

  readonly save: SaveAnnotation = (run, mark) => {
    const sent = this.#sending.then(() => this.#send(run, mark));
    this.#sending = sent;
    return sent;
  };

  async #send(run: string, { step, verdict, text }: PageMark): Promise<string | null> {
    const headers = { authorization: `Bearer ${this.#token}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ run, step, verdict, text });
    try {
      const response = await fetch('marks', { method: 'POST', headers, body });
      if (!response.ok) return (await response.text()) || `it was refused (${response.status})`;
    } catch {
      return 'the program that served this page has ended';
    }
    this.#isAwake = true;
    this.#wake();
    return null;
  }

  async #pause(ms: number): Promise<void> {
    if (!this.#isAwake)
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        setTimeout(resolve, ms);
      });
    this.#isAwake = false;
  }
}

/** The parts from this number on, possibly none; or why there is no answer. */
export async function askForParts<Part>(
  token: string,
  from: number,
): Promise<readonly Part[] | ConnectionProblem> {
  try {
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(`data?from=${from}`, { headers, cache: 'no-store' });
    if (response.status === 401) return 'refused';
    if (response.status === 500) return 'failed';
    return response.ok ? ((await response.json()) as readonly Part[]) : 'silent';
  } catch {
    return 'silent';
  }
}

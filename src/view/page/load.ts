/**
 * Where the page's data comes from: out of the page itself, or, where it is served, from the program that serves it. The token that the
 * server wants is taken out of the address at once and is never part of a link that somebody copies.
 */
import { joined, NO_DATA, type PageData, type PagePart } from '../page-data.js';
import { bytesOf } from './tiles.js';

const POLL_MS = 700;
const TOKEN_KEY = 'orchestrate-token';

/** `onData` is told of all that is known whenever it grows; `onLive` whether more may come, with why it does not. */
export interface DataListener {
  onData(data: PageData): void;
  onLive(state: 'file' | 'live' | 'lost', words: string): void;
}

export async function loadData(listener: DataListener): Promise<void> {
  const embedded = document.getElementById('data')?.textContent.trim() ?? '';
  if (embedded === '') {
    await follow(listener);
    return;
  }
  listener.onLive('file', '');
  listener.onData(allOf(NO_DATA, JSON.parse(await inflated(bytesOf(embedded))) as readonly PagePart[]));
}

async function inflated(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(stream).text();
}

function allOf(data: PageData, parts: readonly PagePart[]): PageData {
  return parts.reduce(joined, data);
}

/** Takes the token out of `#token=…`, and keeps it for when the page is loaded again. */
function takeToken(): string {
  const words = new URLSearchParams(location.hash.slice(1));
  const given = words.get('token');
  if (given === null) return sessionStorage.getItem(TOKEN_KEY) ?? '';
  words.delete('token');
  sessionStorage.setItem(TOKEN_KEY, given);
  history.replaceState(null, '', `${location.pathname}#${words.toString()}`);
  return given;
}

/** Asks again and again for what is new, for as long as the server is there. */
async function follow(listener: DataListener): Promise<void> {
  const token = takeToken();
  let data = NO_DATA;
  let parts = 0;
  for (;;) {
    const answer = await ask(token, parts);
    if (answer === null) {
      listener.onLive('lost', 'The program that served this page has ended.');
      return;
    }
    if (answer === 'refused') {
      listener.onLive('lost', 'Open the address that the program printed: it holds the key to this page.');
      return;
    }
    parts += answer.length;
    data = allOf(data, answer);
    if (answer.length > 0) listener.onData(data);
    listener.onLive('live', '');
    if (answer.length === 0) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** Null: nobody answers any more. */
async function ask(token: string, from: number): Promise<readonly PagePart[] | 'refused' | null> {
  try {
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(`data?from=${from}`, { headers, cache: 'no-store' });
    if (response.status === 401) return 'refused';
    return response.ok ? ((await response.json()) as readonly PagePart[]) : null;
  } catch {
    return null;
  }
}

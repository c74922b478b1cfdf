/**
 * The replies of an embedded run as a fake server's answers, found by the exact text of a request: a server that answers so proves that the
 * prompts were the same, and gives a request that is sent again the same answer.
 */
import { MemorySink } from '../../src/trajectory/memory-sink.js';
import type { Message } from '../../src/model/chat.js';

/** As far as a fake server's request is looked at. */
export interface Chat {
  body: Readonly<Record<string, unknown>>;
}

export interface ChatMessage {
  role: string;
  texts: readonly string[];
  images: readonly string[];
}

interface Part {
  type: string;
  text?: string;
  image_url?: { url: string };
}

/** The messages of a request, whichever way their content is written. */
export function messagesIn(body: Readonly<Record<string, unknown>> | null): readonly ChatMessage[] {
  const messages = (body?.['messages'] ?? []) as readonly {
    role: string;
    content: string | readonly Part[];
  }[];
  return messages.map(({ role, content }) => {
    const parts = typeof content === 'string' ? [{ type: 'text', text: content } as Part] : content;
    return {
      role,
      texts: parts.flatMap((part) => (part.text === undefined ? [] : [part.text])),
      images: parts.flatMap((part) => (part.image_url === undefined ? [] : [part.image_url.url])),
    };
  });
}

function textsOf(messages: readonly Message[]): string {
  return JSON.stringify(
    messages.map(({ parts }) => parts.flatMap((part) => (part.kind === 'text' ? [part.text] : []))),
  );
}

/** What to answer to each request of the run that a sink holds. An unknown request throws: the prompt differs. */
export function answersOf(sink: MemorySink): (chat: Chat) => string {
  const answers = new Map<string, string>();
  const calls = new Map<number, string>();
  for (const entry of sink.entries) {
    if (entry.kind === 'request') calls.set(entry.call.call, textsOf(entry.call.messages));
    if (entry.kind === 'reply' && entry.end.kind === 'replied')
      answers.set(calls.get(entry.call) ?? '', entry.end.reply.content);
  }
  return ({ body }) => {
    const key = JSON.stringify(messagesIn(body).map(({ texts }) => texts));
    return answers.get(key) ?? 'a request that the embedded run never made';
  };
}

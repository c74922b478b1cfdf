/**
 * Notices when most of an agent's replies can't be parsed, while a run is played: a sink before the log,
 * because every reply passes there; it changes nothing. In: a sink and a listener; out: a sink that does the
 * same and reports once for each agent.
 */
import { counted } from '../base/counted.js';
import { LIMITS } from '../base/limits.js';
import { quoted } from '../base/text.js';
import { passingTo } from './passing-sink.js';
import type { StepRecord } from './records.js';
import type { RunSink } from './sink.js';

/** Fewer replies are not representative. */
const LEAST_REPLIES = 5;

interface UnreadCount {
  replies: number;
  unread: number;
  /** The first unreadable reply, and the reason why it could not be parsed. */
  first: string;
  isTold: boolean;
}

/** `warn` is called once for an agent, at the first step after which most of its replies were unreadable. */
export function withUnreadNotice(sink: RunSink, warn: (words: string, agent: string) => void): RunSink {
  const contents = new Map<number, string>();
  const agents = new Map<string, UnreadCount>();
  return {
    ...passingTo(sink),
    reply: (runId, call, end, durable) => {
      if (end.kind === 'replied') contents.set(call, end.reply.content);
      sink.reply(runId, call, end, durable);
    },
    step: (record) => {
      sink.step(record);
      const heard = agents.get(record.agent) ?? { replies: 0, unread: 0, first: '', isTold: false };
      agents.set(record.agent, heard);
      count(heard, record, contents);
      contents.clear();
      if (heard.isTold || heard.replies < LEAST_REPLIES || heard.unread * 2 <= heard.replies) return;
      heard.isTold = true;
      warn(noticeOf(record.agent, heard), record.agent);
    },
  };
}

function count(heard: UnreadCount, { acts }: StepRecord, contents: ReadonlyMap<number, string>): void {
  for (const { call, reading } of acts) {
    if (call === null || reading === null) continue;
    heard.replies += 1;
    if (reading.ok) continue;
    heard.unread += 1;
    const content = contents.get(call) ?? '';
    if (heard.unread === 1)
      heard.first = `${quoted(content, LIMITS.replyQuotedCharacters)} (${reading.problem.code}: ${reading.problem.message})`;
  }
}

function noticeOf(agent: string, { replies, unread, first }: UnreadCount): string {
  return `${unread} of the first ${counted(replies, 'reply', 'replies')} of ${agent} could not be read. The first was ${first}. Try another protocol (--protocol) or, if it is off, guided decoding (--guided auto).`;
}

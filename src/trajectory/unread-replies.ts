/**
 * Notices, while a run is played, that most of an agent's replies can't be parsed. It is a sink in front of
 * the log, because every reply passes there, and changes no record. In: a sink and a listener; out: a sink
 * that passes everything on and reports at most once for each agent.
 */
import { counted } from '../base/counted.js';
import { isUnanswered } from '../base/problem.js';
import { LIMITS } from '../base/limits.js';
import { quoted } from '../base/text.js';
import { passThroughSink } from './passing-sink.js';
import type { StepRecord } from './records.js';
import type { RunSink } from './sink.js';

/** Fewer replies are not representative. */
const REPLIES_MIN = 5;

interface UnreadCount {
  replies: number;
  unread: number;
  /** The first unreadable reply, and the reason why it could not be parsed. */
  firstExample: string;
  isReported: boolean;
}

/** `warn` is called once for an agent, at the first step after which most of its replies were unreadable. */
export function withUnreadNotice(sink: RunSink, warn: (message: string, agent: string) => void): RunSink {
  const contents = new Map<number, string>();
  const agents = new Map<string, UnreadCount>();
  return {
    ...passThroughSink(sink),
    reply: (runId, call, end, durable) => {
      if (end.kind === 'replied') contents.set(call, end.reply.content);
      sink.reply(runId, call, end, durable);
    },
    step: (record) => {
      sink.step(record);
      const counts = agents.get(record.agent) ?? {
        replies: 0,
        unread: 0,
        firstExample: '',
        isReported: false,
      };
      agents.set(record.agent, counts);
      countReplies(counts, record, contents);
      contents.clear();
      if (counts.isReported || counts.replies < REPLIES_MIN || counts.unread * 2 <= counts.replies) return;
      counts.isReported = true;
      warn(noticeOf(record.agent, counts), record.agent);
    },
  };
}

function countReplies(
  counts: UnreadCount,
  { acts }: StepRecord,
  contents: ReadonlyMap<number, string>,
): void {
  for (const { call, reading } of acts) {
    if (call === null || reading === null) continue;
    if (!reading.ok && isUnanswered(reading.problem.code)) continue;
    counts.replies += 1;
    if (reading.ok) continue;
    counts.unread += 1;
    const content = contents.get(call) ?? '';
    if (counts.unread === 1)
      counts.firstExample = `${quoted(content, LIMITS.replyQuotedCharacters)} (${reading.problem.code}: ${reading.problem.message})`;
  }
}

function noticeOf(agent: string, { replies, unread, firstExample }: UnreadCount): string {
  return `${unread} of the first ${counted(replies, 'reply', 'replies')} of ${agent} could not be read. The first was ${firstExample}. Try another protocol (--protocol) or, if it is off, guided decoding (--guided auto).`;
}

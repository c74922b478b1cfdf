/**
 * Notices, while a run is played, that most of an agent's replies can't be parsed, and reports it at most once
 * for each agent. It is a sink in front of the log, because every reply passes there, and changes no record.
 */
import { counted } from '../base/counted.js';
import { isUnanswered } from '../base/problem.js';
import { LIMITS } from '../base/limits.js';
import { quoted } from '../base/text.js';
import { passThroughSink } from './passing-sink.js';
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
      for (const { call, reading } of record.acts) {
        if (call === null || reading === null) continue;
        if (!reading.ok && isUnanswered(reading.problem.code)) continue;
        counts.replies += 1;
        if (reading.ok) continue;
        counts.unread += 1;
        const content = quoted(contents.get(call) ?? '', LIMITS.replyQuotedCharacters);
        if (counts.unread === 1)
          counts.firstExample = `${content} (${reading.problem.code}: ${reading.problem.message})`;
      }
      contents.clear();
      if (counts.isReported || counts.replies < REPLIES_MIN || counts.unread * 2 <= counts.replies) return;
      counts.isReported = true;
      warn(
        `${counts.unread} of the first ${counted(counts.replies, 'reply', 'replies')} of ${record.agent} could not be read. The first was ${counts.firstExample}. Try another protocol (--protocol) or, if it is off, guided decoding (--guided auto).`,
        record.agent,
      );
    },
  };
}

/**
 * A controller that answers from a fixed list, in order, for tests and scenario authors. Its memory is the
 * number of replies given, so that a resumed run continues at the right one.
 */
import { counted } from '../../base/counted.js';
import { UsageError } from '../../base/errors.js';
import type { Controller } from '../controller.js';
import { embeddedReply } from './embedded-reply.js';

/** The replies of a list, and what comes after the last. */
export interface RepliesOptions {
  readonly replies: readonly string[];
  /** After the last: wait for ever, begin again, or stop the run. */
  readonly then: 'wait' | 'repeat' | 'stop';
  /** How one waits in the agent's protocol; that of `command` by default. */
  readonly wait?: string;
}

const USED_UP = 'My list of replies is used up.';

/**
 * A controller that gives replies in order, as they are; with none to give it waits, and says the first time why. Deciding throws UsageError after the last where `then`
 * is `stop`.
 */
export function repliesController({ replies, then, wait = 'ACTION: WAIT' }: RepliesOptions): Controller {
  return {
    name: 'replies',
    isRemote: false,
    decide: async ({ agent, turn, memory }) => {
      const given = typeof memory === 'number' ? memory : 0;
      const content = replies[then === 'repeat' && replies.length > 0 ? given % replies.length : given];
      if (content === undefined && then === 'stop') {
        throw new UsageError(
          `the list of ${counted(replies.length, 'reply', 'replies')} for ${agent} ended in turn ${turn}`,
          ['add replies, or set `then: wait` or `then: repeat`'],
        );
      }
      const reply = embeddedReply(content ?? wait);
      // Said once, and apart from the answer, so that no protocol has to read it.
      const isNew = content === undefined && given > 0 && given === replies.length;
      return { reply: isNew ? { ...reply, reasoning: USED_UP } : reply, memory: given + 1 };
    },
  };
}

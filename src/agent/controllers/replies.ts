/**
 * A controller that answers from a fixed list, in order, for tests and scenario authors. Its memory is the
 * number of replies given, so that a resumed run continues at the right one.
 */
import { counted } from '../../base/counted.js';
import { UsageError } from '../../base/errors.js';
import { predictable } from '../controller.js';
import type { Controller } from '../controller.js';
import { embeddedReply } from './embedded-reply.js';

/** A list of replies, and what follows the last. */
export interface RepliesOptions {
  replies: readonly string[];
  /** After the last reply: wait in every turn, start again, or stop the run. */
  then: 'wait' | 'repeat' | 'stop';
  /** A reply that waits, in the agent's protocol; by default, the one of `command`. */
  wait?: string;
}

const USED_UP = 'My list of replies is used up.';

/**
 * A controller that gives the replies of a list in order, unchanged. When none are left, it waits, and
 * explains why the first time. If `then` is `stop`, deciding after the last reply throws UsageError.
 */
export function repliesController({ replies, then, wait = 'ACTION: WAIT' }: RepliesOptions): Controller {
  const controller = predictable('replies', ({ agent, turn, memory }) => {
    const givenCount = typeof memory === 'number' ? memory : 0;
    const content =
      replies[then === 'repeat' && replies.length > 0 ? givenCount % replies.length : givenCount];
    if (content === undefined && then === 'stop') {
      throw new UsageError(
        `the list of ${counted(replies.length, 'reply', 'replies')} for ${agent} ended in turn ${turn}`,
        ['add replies, or set `then: wait` or `then: repeat`'],
      );
    }
    const reply = embeddedReply(content ?? wait);
    // Written once, and outside the answer, so that no protocol has to parse it.
    const isNew = content === undefined && givenCount > 0 && givenCount === replies.length;
    return { reply: isNew ? { ...reply, reasoning: USED_UP } : reply, memory: givenCount + 1 };
  });
  // Where the list ends the run, there is nothing to predict.
  return then === 'stop' ? { ...controller, predict: undefined } : controller;
}

/** In the `_meta` of a call: its client sent it before it had the answer to an earlier call. */
export const SENT_UNSEEN = 'orchestrate/unseen';

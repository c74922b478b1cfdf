/**
 * What may stand after an answer: closing marks, or a plain reason for that very action. Everything else may take the answer
 * back, go on to another action or show that it was somebody else's, so this is a list of what is allowed.
 */
import type { Vocabulary } from './protocol.js';
import { verbsOf } from './verbs.js';

/** A longer remark is none; this also bounds the work. */
const REMARK_MAX = 600;

const CLOSING = /<(?:\/[a-z_]{1,20}|\|[a-z_]{1,20}\|)>/gi;
const MARKS = /^[^\p{L}\p{N}~^'"/?!<>↑←❌❎✗✘✖🚫⛔🛑👎🙅]*$/u;

/** Whether nothing but closing marks stands in `text`: brackets, rules, tags, control tokens. */
export function isClosing(text: string): boolean {
  return text.length <= REMARK_MAX && MARKS.test(text.replace(CLOSING, ''));
}

const REASON =
  /^(?:reason(?:ing)?|rationale|explanation|justification|note)\b|^(?:because|since|so|as|this|that|it|the|there|my|i|i'm|i'll|we|he|she|they|from|in order|towards?|to|for|with|nothing to do)\b/i;

/** Words with which a sentence is more than a reason: it denies, asks, makes a condition, tells of others' words, goes on. */
const MORE =
  /\b(?:no|not|nor|none|never|neither|without|cannot|avoid\w*|refus\w*|reject\w*|if|unless|when|once|until|after|before|provided|as soon|as long|assuming|would|should|could|might|may|maybe|perhaps|but|however|or|instead|rather|actually|although|though|otherwise|except|only|wrong|bad|mistak\w*|trap|wait|cancel\w*|ignore\w*|undo\w*|forget|disregard|correct\w*|sorry|oops|scratch|mind|change\w*|reconsider\w*|examples?|formats?|templates?|says?|said|told|wants|wanted|asks|what|who|whom|which|options?|alternativ\w*|plans?|hypothetical\w*|jok\w*|kidding|later|then|next|turn|twice|again|forbidden|observation|user|assistant|system|human)\b|n't\b|["?{}<>]/i;

/** Whether every sentence of a remark is a plain reason. Only English can be told; other words are refused. */
export function isReason(remark: string, vocabulary: Vocabulary): boolean {
  const text = remark.replace(CLOSING, '').trim();
  if (text.length > REMARK_MAX || MORE.test(text)) return false;
  if (/[^\p{Script=Latin}\p{N}\s.,;:!()'#/|+\-\]\p{So}]/u.test(text) || namesAction(text, vocabulary))
    return false;
  const sentences = text.split(/[.!;\n](?=\s|$)/).map((one) => one.replace(/^[^\p{L}\p{N}]+/u, ''));
  return sentences.every((one) => one.trim() === '' || REASON.test(one));
}

/** A verb in capitals, or after a word that joins: another action. */
function namesAction(text: string, vocabulary: Vocabulary): boolean {
  const verbs = verbsOf(vocabulary);
  for (const [, joint = '', word = ''] of text.matchAll(/(\band |[,:] )?\b([A-Za-z]{2,})\b/g)) {
    if ((joint !== '' || word === word.toUpperCase()) && verbs.has(word.toUpperCase())) return true;
  }
  return false;
}

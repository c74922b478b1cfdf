/**
 * The words by which a sentence speaks of the answer that follows it instead of reasoning about the world. Patterns for one
 * sentence each; `frame.ts` says when which of them matters. English is told best, other languages by their plainest words.
 */

import { TwinPattern } from './twin-pattern.js';

/** Words that announce an answer where nothing else stands with them. */
export const PLAIN_ANNOUNCING: ReadonlySet<string> = new Set(
  `so therefore thus hence now finally accordingly conclusion in my the final chosen selected next best own action answer command
  decision choice move response reply output is are will be i shall do have here here's this clear option reason reasoning thought thoughts
  ok okay sure alright thinking analysis summary explanation situation goal step update reflection also daher deshalb meine antwort ist lautet
  lo tanto por mi respuesta es donc ma réponse est 所以 因此 我的 回答 答案 是`.split(/\s+/),
);

/** The line to come is named and shown, in any of the last sentences. */
export const CATAPHORIC = new TwinPattern(
  [
    '\\b(?:next|following|coming|subsequent) (?:lines?|words?|sentences?|answers?|commands?|text|messages?|reply|replies|outputs?)\\b',
    '\\b(?:the following|what (?:follows|comes next|comes now)|as follows)\\b|\\b(?:lines?|words?|answer|text|reply|command) (?:below|that follows?|to come)\\b',
    '^\\W*(?:please )?(?:ignore|disregard|skip|discard|delete|omit|forget)\\b|\\bfollows?[.:]?$',
    '\\b(?:ignorier|ignorez|ignor[ae] (?:la|el|lo|a)|ne tenez)|\\b(?:folgende[nrs]? (?:zeile|satz|antwort|text|befehl)|nächsten? (?:zeile|satz)|volgende regel)',
    '\\b(?:ligne suivante|ce qui suit|siguiente (?:línea|frase)|línea siguiente|seguente|riga successiva|linha seguinte|próxima linha)',
    '下一行|下一句|以下|下面的?(?:一行|内容|这)|忽略|无视|次の行|無視|다음 줄|무시|التالي|تجاهل|следующ(?:ая|ую|ей|ие) (?:строк|фраз|слов)|игнорир',
  ].join('|'),
  'iu',
);

const REPLY = '(?:answers?|repl(?:y|ies)|responses?|outputs?|commands?|lines?|sentences?)';

/** The answer, the line or its kind is what the sentence is about. */
export const OF_THE_ANSWER = new TwinPattern(
  [
    `\\b(?<!\\b(?:holds?|knows?|find|contains?|get|need|learn) )(?:my|the|this|that|his|her|its|their|your|our|last|old|real|true|valid|typical|expected|final|wrong|possible|previous|\\p{L}+'s) (?:(?:own|real|last|old|final|first|only|next|possible|earlier|previous) )*${REPLY}\\b`,
    `\\ba (?:(?:valid|wrong|possible|typical|proper|good|bad) )?line\\b|\\blines (?:like|such as)\\b`,
    '\\b(?:examples?|e\\.g|for instance|samples?|formats?|templates?|placeholders?|illustrations?|quotes?|quotations?|hypothetical\\w*|jokes?|joking|kidding|a (?:lie|test)|orders? (?:of|for|to|from)|(?:translat|decod)\\w+ (?:to|as|of)|messages? (?:for|to))\\b',
    "\\b(?:this|that|what comes|these words?)(?: is|'s| are| was) (?:not|never|n't|wrong|false|what|how|nonsense|forbidden|the (?:opposite|wrong))\\b|\\b(?:isn't|wasn't) (?:my|mine)\\b",
    "\\b(?:this|that) (?:right|wrong|correct|it)\\?$|\\b(?:this|that|here)(?: is|'s) (?:how|what)\\b",
    '\\b(?<!\\b(?:for|with|about|need|like|of|before|after) )(?:this|this one|thus|like so|do so|like this|this way|these words)[.:!?]?$',
    'beispiel|ejemplo|exemple|exemplo|esempio|例|пример|예시|مثال|voorbeeld|\\blüge|gelogen|mensonge|mentira|bugia|è falsa|\\bwitz\\b|scherz|\\bbroma\\b|blague|piada|玩笑|冗談|шутк|농담|(?:meine?|ma|mi|mia|minha) (?:antwort|réponse|respuesta|risposta|resposta)|(?:我的|私の)(?:回答|答案|答え)|мой ответ|내 (?:대답|답)|إجابتي|是假|谎|嘘です|ложь|거짓|كذب',
  ].join('|'),
  'iu',
);

const TELL =
  '(?:says|said|speaks|spoke|tells|told|writes|wrote|reads|asks|asked|shouts|shouted|whispers|whispered|announces|announced|replies|replied|answers|answered|commands|commanded|orders|ordered|insists|claims|claimed|suggests|suggested|thinks|repeats|repeated|dictates|recites|sings|(?<=\\b(?:they|people|\\p{L}{2,}s) )(?:say|speak|tell|write|read|shout|whisper|repeat))';

/** The agent's own answer, given or changed in its own words. */
export const OWN_ANSWER =
  /^\W*(?:so |now |okay,? |then )?i (?:will |'ll |now |must )?(?:change|revise|correct|have|give|update|reconsider) my (?:answer|reply|command|decision|mind)\b[^.!?]{0,30}[.!]$/i;

/** What the agent is about to do, without naming it. */
export const OWN_START =
  /^\W*(?:(?:so|now|okay|then|alright),? )?(?:let's|let us|let me|i(?:'ll| will)) (?:do|try) (?:this|that|it)[.!]$/i;

/** Somebody's words are told, and end the sentence: those that follow are theirs. */
export const TELLING = new TwinPattern(
  [
    `\\b(?<!\\bwhat (?:\\p{L}+ ){1,3})${TELL}(?: (?:to )?(?:me|us|him|her|them|you|everyone))?(?: (?:this|so|that|it|thus|the following|something|one sentence|these words|again))?["')]*[.!]$`,
    `\\b(?<!\\bwhat (?:\\p{L}+ ){1,3})${TELL} (?:(?:at|to) )?(?:[\\p{L}']+ ?){0,2}[.!]$`,
    "'s (?:[\\p{L}]+ )?(?:words?|voice|lips|advice|suggestion|demand|wish|whisper|motto|proverb|saying)\\b(?=[^.!?]*[.!]$)(?![^.!?]*\\bI(?:'ll| will| want| need| can| must)\\b)|\\boverhear",
    '\\b(?:sagt|sagte|schreit|ruft|dice|dijo|grita|gritó|dit|crie|disse|diz|zegt|mówi|zitiere|cito|cite)[.!]$|\\b(?:lautet|heißt|steht|sagt) (?:so|da|dort|dies|folgendes)[.!]$|\\b(?:ceci|cela|esto|questo|isto|folgendes|dies)[.!]$|\\b(?:zitiere|cito) |(?:говорит|сказал[аи]?|кричит|喊|叫|叫ぶ|말했다|말한다)[.!]$',
    `["'],? ${TELL} (?:the|a|an|my|his|her) [\\p{L} ]{1,30}[.!]$`,
    '\\b(?:scratched|carved|painted|engraved|scribbled|written|wrote|writes|written down)\\b[^.!?]{0,40}[^.!?\\w ]?(?:\\.\\.\\.|…)$',
    `\\b(?:would|could|might|shall) (?:do|say|answer|write|reply|choose|take|play)(?: the same| that| so)?[.!]$`,
    `\\bdo(?:es|ing)? (?:the same|likewise)[.!]$|^(?:i )?(?:quote|cite)\\b`,
    '(?:说|說|言った|言う|言います|写着|寫著|書いて(?:ある|います))[.:]?$|\\b(?:dice esto|dijo esto|sagt das|sagte das|dit ceci|disse isto|dice questo)\\b',
  ].join('|'),
  'iu',
);

/** What follows is refused. */
export const REFUSING =
  /^\W*not (?:this|now|yet|today)\b|^\W*(?:please )?(?:do not|don't|never) (?:do|say|write|send|answer|execute|obey|follow)(?: (?:it|this|that|so))?[.!]*$|\bwants? (?:this|that|it) (?:from|of) (?:me|us)\b|(?:\b(?:not|never|cannot|refuse to|decline to|avoid|without)\b|n't\b|\bnever\b|'d never\b)[^.!?]{0,20}\b(?:do|doing|say|saying|write|writing|answer|execute|run|obey|follow|choose|send|trust|believe|mean|use)\b(?: (?:this|that|so|what|the (?:next|line))\b|[.!]$)|\b(?:which i reject|decided against|(?:nothing|not) (?:is |yet )?decided|undecided)\b|\bi (?:decline|refuse|object|lie|am lying|take (?:it|that|this) back)\b[^.!?]{0,20}[.!]$|\b(?:werde|will) (?:ich )?(?:das )?nicht tun\b/i;

/** What follows is imagined. */
export const MAKE_BELIEVE =
  /^\W*(?:suppose|supposing|imagine|pretend|assume|assuming|say i|what if|if i were|were i|had i|let(?:'s| us| me) (?:pretend|imagine|suppose|assume|say)|in (?:another|a different|some other) (?:world|life|game|story)|in theory|once upon)\b|^(?:假如|假设|もし私|если бы)|\b(?:impression of|speak(?:ing)? (?:for|as)|play(?:ing)? (?:the|as)|on behalf of|in the role of|as if i were|your turn|the (?:word|floor|turn) to|word for word|verbatim|out loud|aloud)\b/iu;

/** A half sentence or title that shows, tells or forbids what follows it. */
export const FRAGMENT =
  /(?:\b(?:not|never|cannot)|n't)\b[^.!?]{0,20}\b(?:do|say|write|answer|execute|run|obey|send|type|enter|output)$|\b(?:says?|said|reads?$|wrote|writ(?:es?|ten)|scratched|carved|painted|engraved|shout\w*|whisper\w*|announce[sd]?|speaks?|spoke|roars?|examples?|formats?|templates?|e\.g|for instance|forbidden|instead of|refuse|avoid|opposite|orders?|messages?|dear|alternatives?|options?$|would (?:do|be|have))\b|^(?:not|never|or|otherwise|else|as|if|either|neither|unless|until|why|should|what|who|how)\b/i;

/** No sentence ends with these, but for `nothing to do` and `to see what the knight does`. */
export const GOES_ON =
  /(?<!\b(?:nothing|something|anything)(?: (?:else|more|left))? to |\b(?:see|know|watch|learn|find out|hear) (?:what|how|where)\b[^:"]{0,40} )(?:\b(?:to|of|in|on|at|by|with|as|from|for|like|than|goes|is|are|was|were|be|been|do|does|did|done|doing|should|would|could|must|will|shall|can|may|might|and|or|but|not|never|the|an?|my|your|his|her|its|their|this|that|these|those|following|if|whether|when|because|i|you|he|she|we|they|says?|said|thinks?|wants?|tells?|asks?|answers?|answered|writes?|replies|reply|command|execute|nicht|niemals|jamais|nunca|não)|n't)$/i;

/** A pronoun for what was said or comes, in German, French, Spanish, Italian, Portuguese; before a noun it is an article. */
export const FOREIGN_THIS =
  /(?<![\p{L}'])(?:[Dd](?:as|ies)(?= \p{Ll}|[.!]*$)|[Çç]a|[Cc]e(?:la|ci)|[Cc]e(?= n')|[Cc]'est|[Ee]st?o|[Qq]uesto(?=[.!]*$| non | è )|[Ii]s[st]o)(?!\p{L})/u;

/** That it is denied or wrong, in the same languages. */
export const FOREIGN_DENIAL =
  /(?<!\p{L})(?:nicht|nie|niemals|pas|jamais|no|nunca|non|não|falsch|unwahr|faux|fausse|fals[oa]|incorrect[oa]|incorreto|errado|sbagliato)(?!\p{L})/iu;

/**
 * The words by which a sentence of a few words turns the answer after it into something else: it denies it, shows it, or gives it to
 * somebody or to another time. Patterns for one such sentence, in lower case and without its marks; `remark.ts` says when they matter.
 */

/** A list of patterns as one. */
function anyOf(...patterns: readonly string[]): RegExp {
  return new RegExp(patterns.join('|'), 'u');
}

const NO =
  "no|nope|nah|never|not|none|don't|do not|mustn't|must not|shouldn't|should not|can't|cannot|won't|wouldn't|isn't|neither|nonsense|rubbish|wrong|false|incorrect|untrue|invalid|illegal|impossible|forbidden|cancelled|canceled|rejected|refused|denied|dismissed|discarded|void|no way|anything but|opposite|the opposite|the reverse";
const BAD =
  'bad|terrible|awful|stupid|dumb|silly|poor|horrible|wrong|worst|worse|foolish|crazy|mad|ridiculous|absurd|misguided|illegal|invalid|forbidden|incorrect|false';

/** A whole sentence that says no, to what is before it or to what comes. */
export const BARE_DENIAL = anyOf(
  `^(?:(?:oh|well|just|please|but|and|so|ok|okay|still|absolutely|certainly|definitely|of course|hell|heck|haha|lol|totally|completely|quite|very|simply|all|also|that is|this is|it is|that's|this's|it's) )*(?:${NO})(?: (?:no|not|never|ever|again|thanks|sir|more|really|at all|me|mine|i|it|that|this|these|so|like|true|right|correct|good|ok|okay|allowed|possible|do|done|meant|serious|seriously|intended|valid|wise))*$(?<!^oh no)`,
  `^(?:very |really |such |what |just |also |still |so )*(?:an? |the |my |your |his |her )*(?:${BAD})(?: (?:idea|plan|move|choice|decision|option|answer|advice|thought|action|attempt|step|example|line|command|reply|one|thing))?$`,
  '^(?:what |an? |the |my |your |his |her |big |bad |old |obvious |huge )*(?:mistake|error|blunder|lie|lies|trap|trick|typo|fallacy|taboo)$',
  "^(?:i|we) (?:will not|won't|would not|wouldn't|can't|cannot|do not|don't|must not|mustn't|should not|shouldn't|think not|abstain|(?:will |would )?never)$|^(?:i'd|i'll|we'd|we'll) never$",
  '^(?:please )?(?:cancel|undo|strike|scratch|delete|discard|retract|abort|revert|omit|skip|ignore|disregard)(?: (?:that|this|it|all|everything))?$',
  '^not (?:what|as|how|the) ',
);

/** The answer is shown, told or imagined. */
export const SHOWING = anyOf(
  '\\b(?:(?:counter)?examples?|samples?|exhibits?|specimens?|footnotes?|quotes?|quoted|quoting|quotations?|unquote|cite[ds]?|citing|citations?|verbatim|drafts?|templates?|formats?|syntax|usage|placeholders?|illustrations?|demonstrations?|demo|excerpts?|extracts?|captions?|appendix|epigraph|transcripts?|translations?|translated|paraphras\\w+|copied|parody|fiction|fictional|fake[ds]?|mock|dummy|bogus|lorem|anti-?patterns?)\\b',
  '\\b(?:satire|sarcasm|sarcastic\\w*|irony|ironic\\w*|jokes?|joking|kidding|lol|april fools?|hypothe\\w+|theoretical\\w*|pretend\\w*|imagin\\w+|suppos\\w+|simulat\\w+|role-? ?play\\w*|rumou?rs?|myths?|legends?|proverbs?|mottos?|slogans?|lyrics|poems?|songs?|verses?|prophec\\w+|dream\\w*|flashbacks?|graffiti|inscriptions?|spam|advertisements?|propaganda|disclaimer|nb)\\b',
  '\\b(?:carved|painted|engraved|scratched|scribbled|written|texts?|words)\\b|^(?:on|in) the (?:walls?|board|margin|ceiling|floor|stone|air)$',
  // "No reply." tells of the world.
  '^(?!(?:still |got )?(?:no|any) |(?:need|await\\w*|waiting|want) )(?:.* )?(?:answers?|repl(?:y|ies)|responses?|commands?|orders?|messages?|instructions?|outputs?|prompts?)\\b',
  '^(?:the |my |your |his |her |old |public )*(?:notice|warning|sign|note|letter|scroll|book|diary|poster|plaque|tablet|runes?|riddle)$',
  '^(?:an? |the |my |your |his |her |old |just |only |first |second |last |final )*(?:copy|test|testing|choice|oath|input|log|history|memory|default|backup|fallback|alternatives?|options?|suggestions?|proposals?|comments?|postscript|reminder|spoiler)(?: only)?$',
  '^(?:the )?(?:option|choice|alternative|variant|case|rule|law|chapter|page|verse|line|entry|figure|fig|item|number|version|turn|round|scenario|article|paragraph|clause) (?:\\d{1,4}|[a-z]|one|two|three|four|five|i{1,3}|iv)$',
  '^(?:for instance|e ?g|i ?e|viz|sic|such as|like so|like this|like that|as such|as follows|see below|below|read on|out loud|aloud|off the record|in jest|for fun|in quotes|in character|end quote)$',
  '^i (?:heard|read|remember|recall|wrote|said|quote|dreamt)$',
);

const SOMEBODY =
  'user|human|assistant|system|narrator|player|admin|developer|author|enemy|opponent|stranger|voices?|whispers?|echo(?:es)?|crowd|chorus';

/** It is somebody else's. */
export const ANOTHERS = anyOf(
  `^(?:he|she|they|him|her|them|his|hers|theirs|you|yours|somebody|someone|everybody|everyone|anybody|anyone|people|others?|another|${SOMEBODY})$|^(?:the|an?|my|your|our|some|his|her|their) (?:${SOMEBODY}|others?|game|world|environment)$`,
  "^(?:(?:as|on|in|by|for|from) )?(?:his|her|their|your|its|nobody's|somebody's|someone's|everyone's|another's|(?:the |an? |my )?(?!(?:let|it|that|here|there|he|she|what|who|where)'s)[\\p{L}-]+'s?) (?:\\p{L}+ )?(?:words?|turn|idea|plan|advice|lines?|voice|choice|move|suggestion|wish|demand|version|opinion|view|thoughts?|part|role|motto|saying|job|business|decision|action|behalf|name)$",
  '^(?:not (?:mine|me|my \\p{L}+|i|us|ours)|dear \\p{L}+.*|(?:quoth|says|said|cried|thus|so) (?:he|she|they|spoke|spake|says|said|it|the \\p{L}+|an? \\p{L}+)(?: \\p{L}+)?|signed.*|sincerely.*|announcement)$|^\\p{L}+ (?:speaking|talking|calling)$',
  '^(?:by (?:him|her|them|somebody|someone|others)|(?:from|per|via|according to) (?:the|an?|my|his|her|him|them|memory|somebody|someone|others|above|below|user|system)(?: \\p{L}+)?)$',
);

/** It is of another time, or under a condition. */
export const ELSEWHEN = anyOf(
  "^(?:if|unless|when|whenever|once(?! (?:more|again))|until|till|provided|assuming|or|nor|either(?! way)|rather than|instead of|in case|as if)(?: [\\p{L}']+)*$",
  '^(?:later|then later|tomorrow|yesterday|earlier|previously|formerly|afterwards?|(?:after|before) (?:that|this)|someday|one day|eventually|long ago|(?:next|last|previous|prior|earlier|another|some other) (?:turn|time|round|move|plan|idea|thought|action|decision)|(?:old|former) (?:plan|idea|thought|action|decision)|in theory|otherwise|else|instead|(?:would|could|should|might) be)$',
);

/** A question about the answer, or one that is left open. */
export const ASKING =
  /^(?:and |but |so )?(?:(?:should|would|shall|could|must|may|do|did|will|might) (?:i|you|he|she|we|they|it)|really|seriously|right|correct|true|wrong|sure|what if|why not|or not)$/u;

/** The same in other languages: what denies. */
export const FOREIGN_BARE_DENIAL = new RegExp(
  [
    '^(?:nein|nie|niemals|nicht(?: (?:so|doch|das|dies))?|auf keinen fall|keinesfalls|falsch|verboten|unsinn|quatsch|(?:eine )?(?:schlechte|dumme) idee|das nicht|so nicht|lieber nicht|besser nicht)$',
    '^(?:non|jamais|pas (?:ça|cela|ceci|question|comme ça)|surtout pas|faux|interdit|(?:une )?mauvaise idée|non pas|nunca|jamás|falso|incorrecto|prohibido|(?:una )?mala idea|así no|eso no|esto no|ni hablar)$',
    '^(?:mai|sbagliato|vietato|(?:una )?(?:cattiva|pessima) idea|cos[iì] no|não|errado|proibido|(?:uma )?(?:má|péssima) ideia|isso não|assim não|nee|nooit|fout|slecht idee|niet (?:zo|dit|dat)|nie tak|nigdy|źle|zły pomysł)$',
    '^(?:нет|нельзя|неправильно|неверно|не так|не это|не надо|не дела\\p{L}+(?: этого)?|никогда|плохая идея|hayır|asla|yanlış|kötü fikir|không|sai|đừng|tidak|jangan|salah|nej|aldrig|fel|ei|väärin|नहीं|गलत|कभी नहीं|لا|كلا|خطأ|أبدا|فكرة سيئة)$',
    '^(?:不|不是|不行|不对|不對|错|错了|錯|错误|絕不|绝不|禁止|坏主意)$|^请?(?:不要|别|勿)|^这(?:是|个是)?(?:错|假|不对)',
    '^(?:いいえ|いや|だめ|ダメ|駄目|違う|違います|ちがう|やめて|間違い)$|^これは(?:違|嘘|だめ)|^(?:아니|아니요|아니오|안 돼|안돼|절대|나쁜 생각)$|틀렸|틀려|하지 ?마',
  ].join('|'),
  'u',
);

/** The same in other languages: what shows, or is somebody's. */
export const FOREIGN_SHOWING = new RegExp(
  [
    'beispiel|ejemplo|exemple|exemplo|esempio|voorbeeld|przykład|пример|örnek|ví dụ|contoh|例|예시|예를|مثال|उदाहरण|^z ?b$|^(?:p )?ej$|^p ?ex$|^[a-z]$',
    'zitat|\\bcita\\b|citation|citazione|citação|цитата|引用|引号|인용|اقتباس|\\b(?:entwurf|borrador|brouillon|bozza|rascunho)\\b|черновик|草稿|下書き|초안',
    '^(?:statt ?dessen|anstatt|statt|à la place|au lieu|en lugar|en vez|invece|em vez|вместо(?: этого)?|而不是|代わりに|대신)(?: d\\p{L}+)?$',
    '^(?:(?:ein|une?|uno|una|um|uma) )?(?:scherz|spaß|witz|blague|broma|scherzo|piada|brincadeira|шутка|开?玩笑|冗談|농담|مزحة)$',
    '^(?:er|sie|man|il|elle|él|ella|lui|lei|ele|ela|он|она|他|她|彼|彼女|그|그녀)(?: (?:sagt|sagte|dit|a dit|dice|dijo|ha detto|disse|diz|говорит|сказал|сказала))?$|^(?:他|她|彼|彼女)(?:说|說|は言った|が言った)',
  ].join('|'),
  'u',
);

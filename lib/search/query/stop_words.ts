/**
 * Weight of English stop words. It is not 0, so that texts with "World War I" or "for loop" still rank before others.
 * nDCG@10 of BM25 with weights 1, .2 and 0: Cranfield .386, .396, .393; XQuAD-en .971, .972, .971.
 */
export const STOP_WORD_WEIGHT = 0.2;

/**
 * English stop words: articles, pronouns, auxiliaries, prepositions, conjunctions, question words, and words of politeness.
 * `not`, `no`, `without` and `never` are missing, because they carry the meaning in "not found" and "without a password".
 */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  `a an the this that these those
  i me my mine we us our ours you your yours he him his she her hers it its they them their theirs
  myself yourself himself herself itself ourselves themselves
  am is are was were be been being do does did doing done have has had having
  can could shall should will would may might must ought
  of in on at by to for from with as into onto upon about
  and or but if so than then
  what which who whom whose when where why how whether
  there here also just very too such some any each both
  please
  what's who's where's when's why's how's that's there's here's it's he's she's let's
  i'm i'd i'll i've you're you'd you'll you've we're we'd we'll we've they're they'd they'll they've
  he'd he'll she'd she'll it'd it'll`.split(/\s+/),
);

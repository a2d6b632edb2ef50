/**
 * The sentences of an answer that state something. Left out are headings, code, the heads of tables, questions, sentences that introduce a
 * list, lists of sources, and sentences that say what the documents do not say.
 */
import { sentencesOf, type Span } from "./sentences.ts";

/** Names that answers use for what they were made from. */
const DOCUMENTS =
  "(?:documents?|passages?|sources?|files?|texts?|excerpts?|materials?|(?:search )?results?|context|knowledge base|folder)";
const 文档 = "(?:文档|文件|资料|材料|片段|段落|原文|上下文|知识库|检索结果|搜索结果|来源|文中)";

/** Patterns of one language. They take V8 milliseconds to compile, so only sentences with a name and a negation are tried. */
interface Gaps {
  readonly names: RegExp;
  readonly negations: RegExp;
  readonly patterns: readonly RegExp[];
}

/** Sentences in lower case about the documents themselves: they do not say something, or nothing was found in them. */
const ABOUT_GAPS: readonly Gaps[] = [{
  names: new RegExp(DOCUMENTS),
  negations: /no|n['’]t|never|unable/,
  patterns: [
    new RegExp(
      `\\b(?:the|these|those|your|no|none of the|provided|given|retrieved|available|indexed)\\s(?:\\w+\\s){0,2}${DOCUMENTS}\\b.{0,40}?\\b(?:(?:do|does|did)(?: not|n['’]t)|cannot|can['’]t|never|no)\\b.{0,30}?\\b(?:say|mention|state|contain|provide|specify|include|give|cover|address|discuss|indicate|answer|tell|explain|information|details?|mention)\\b`,
    ),
    new RegExp(`\\bno ${DOCUMENTS} (?:says?|mentions?|states?|contains?|gives?|provides?|answers?)\\b`),
    new RegExp(
      `(?:\\b(?:not|no|nothing|nowhere|unable to|cannot)|n['’]t)\\b.{0,40}?\\b(?:found|find|mention(?:ed)?|stated?|given|specified|described|provided|available|information|determined?|says?|tell|answer(?:ed)?)\\b.{0,40}?\\b(?:in|from|by|within|based on) (?:the|these|those|your|any|all|provided|given|retrieved) (?:\\w+ ){0,2}${DOCUMENTS}\\b`,
    ),
  ],
}, {
  names: new RegExp(文档),
  negations: /[没未无不]/,
  patterns: [
    new RegExp(
      `${文档}[^，。；,;]{0,12}(?:没有|未|并未|没|不|无)[^，。；,;]{0,6}(?:提及|提到|说明|给出|提供|包含|涉及|记载|找到|写明|指出|说|列出|回答|相关|信息|内容)`,
    ),
    new RegExp(
      `(?:未|没有|没能|无法|不能)[^，。；,;]{0,4}(?:在|从|根据)?[^，。；,;]{0,12}${文档}[^，。；,;]{0,8}(?:找到|查到|得知|确定|提及|提到|回答)`,
    ),
    new RegExp(
      `(?:在|从|根据)[^，。；,;]{0,8}${文档}[^，。；,;]{0,4}(?:未|没有|没能|无法|不能)[^，。；,;]{0,4}(?:找到|查到|得知|确定|发现|回答)`,
    ),
  ],
}];

/** A sentence that goes on with something else. */
const GOES_ON = /\b(?:but|however|although|though|while|yet)\b|但|不过|然而|可是/;

/** Questions state nothing, and a sentence that ends in a colon introduces what is below it. */
const STATES_NOTHING = /[?？:：][*_]{0,2}["'”’)）]*$/;

/** A line in lower case that lists sources. */
const SOURCES =
  /^[\s>*_#-]*(?:sources?|references?|citations?|see also|来源|出处|参考(?:资料|文献|来源)?|引用)[*_]{0,2}\s*[:：]/;

const FENCE = /^[\s>]{0,20}(`{3,}|~{3,})/;
const HEADING = /^ {0,3}#{1,6}(?:\s|$)/;
/** The line below the head of a table. */
const RULE = /^[\s>]*\|?(?:\s*:?-{2,}:?\s*\|)+\s*(?::?-{2,}:?\s*)?$/;

/** Returns the places of the sentences of an answer that state something. */
export function statementsOf(answer: string): Span[] {
  const others = otherLines(answer);
  let at = 0;
  return sentencesOf(answer).filter(({ start, end }) => {
    while (at < others.length && others[at]!.end <= start) at++;
    const other = others[at];
    return (other === undefined || start < other.start) && states(answer.slice(start, end));
  });
}

function states(sentence: string): boolean {
  return !STATES_NOTHING.test(sentence) && !isAboutGaps(sentence.toLowerCase());
}

function isAboutGaps(sentence: string): boolean {
  return ABOUT_GAPS.some(({ names, negations, patterns }) =>
    names.test(sentence) && negations.test(sentence) && patterns.some((pattern) => pattern.test(sentence))
  ) && !GOES_ON.test(sentence);
}

/** Returns the lines of headings, code, heads of tables and lists of sources, in their order. */
function otherLines(answer: string): Span[] {
  const others: Span[] = [];
  let fence: string | undefined;
  let before: Span = { start: 0, end: 0 };
  for (const { 0: line, index: start } of answer.matchAll(/[^\n\r]+/g)) {
    const place = { start, end: start + line.length };
    const mark = FENCE.exec(line)?.[1];
    const isInside = fence !== undefined;
    if (fence === undefined) fence = mark;
    else if (mark?.startsWith(fence)) fence = undefined;
    const isHead = RULE.test(line);
    if (isHead && others.at(-1) !== before) others.push(before);
    if (isInside || mark !== undefined || isHead || HEADING.test(line) || SOURCES.test(line.toLowerCase())) {
      others.push(place);
    }
    before = place;
  }
  return others;
}

/**
 * Texts of a language model without anything that acts on a reader or a program: links, HTML, Markdown, invisible characters,
 * labels of roles, and sentences that give instructions to an assistant.
 *
 * A model reads documents that may tell it what to write. So its texts are treated as written by the worst of them. All
 * functions take time linear in the text, which is cut first.
 */
import { sentencesOf } from "#engine/support/mod.ts";

/** A text is cut to so many times the length that it may have before it is cleaned: what is removed does not count. */
const ROOM = 4;

/** Passes until nothing changes any more. A text that needs more was made to outlast them. */
const PASSES = 6;

/**
 * Returns a text of a model in one line, without links, markup, invisible characters and instructions, of `most` UTF-16 units
 * at most. Empty if nothing is left.
 */
export function cleaned(text: string, most: number): string {
  let now = visible(text.slice(0, ROOM * most));
  for (let pass = 0; pass < PASSES; pass++) {
    const before = now;
    now = withoutInstructions(withoutLinks(withoutMarkup(now))).replace(/\s+/g, " ").trim();
    if (now !== before) continue;
    now = cut(now, most);
    // The beginning of a word may be a link: "a.community" cut to "a.com".
    if (now === before) return now;
  }
  return "";
}

/** The same for each text of a list, without those that are empty or repeat another one; `count` texts at most. */
export function cleanedList(texts: readonly string[], most: number, count: number): string[] {
  const kept = new Map<string, string>();
  for (const text of texts.slice(0, ROOM * count)) {
    const clean = cleaned(text, most);
    const key = clean.toLowerCase();
    if (clean !== "" && !kept.has(key)) kept.set(key, clean);
    if (kept.size === count) break;
  }
  return [...kept.values()];
}

/** Characters that take no room or have no meaning of their own, those of them that Unicode does not call format characters too. */
const INVISIBLE =
  /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\u{e0100}-\u{e01ef}]/gu;

/** Returns a text in NFKC but for Chinese punctuation, so that no letter passes for another by its width, without invisible characters. */
function visible(text: string): string {
  return text.replace(/[\t\n\v\f\r\u0085\u2028\u2029]+/g, " ").toWellFormed()
    .replace(/[^，！？；：（）]+/g, (part) => part.normalize("NFKC")).replace(INVISIBLE, "").slice(
      0,
      4 * text.length,
    );
}

/** HTML, tokens of chat templates, entities, and brackets that would begin another tag. */
const TAG = /<(?=[a-z/!?|])[^<>]{0,300}>/gi, OPENING = /<(?![\s\d=])|>(?=>)/g, ENTITY = /&#?\w{1,32};/g;
const PICTURE = /!\[[^[\]]{0,300}\](?:\([^()]{0,500}\)|\[[^[\]]{0,100}\])?/g;
const LINK = /\[([^[\]]{0,300})\](?:\([^()]{0,500}\)|\[[^[\]]{0,100}\])/g;
const TEMPLATE =
  /\[\/?(?:INST|SYS|TOOL\w{0,20})\]|#{2,6} ?(?:instruction|response|指令|回答)(?![a-z]) ?[:：]?/gi;
/** Labels of roles at the beginning, and marks of code, tables and headings. */
const ROLE = /^[\s#*_]*(?:system|assistant|user|human|developer|tool|系统|助手|用户)[\s*_]*[:：]/i;
const MARKS = /`+|\*{2,}|~{2,}|^#+|\|/g;

function withoutMarkup(text: string): string {
  return text.replace(TAG, " ").replace(OPENING, " ").replace(ENTITY, " ").replace(PICTURE, " ")
    .replace(LINK, " $1 ").replace(TEMPLATE, " ").replace(ROLE, " ").replace(MARKS, " ")
    .replace(/\](?=[([:])|!(?=\[)/g, " ");
}

/** Endings of hosts that are taken for links without `http://`. Names of files such as `node.js` are not. */
const ENDINGS =
  "com|org|net|io|cn|dev|app|info|biz|xyz|top|co|me|ru|de|uk|jp|site|online|shop|club|link|click|live|tk|zip";
const URL_PARTS = [
  "(?:(?<![a-z])[a-z][a-z0-9+.-]{1,20})?[:：][\\\\/]{2,}[\\x21-\\x7e]{0,2000}",
  "(?:javascript|vbscript)[:：][\\x21-\\x7e]{0,2000}",
  "(?<![a-z])(?:mailto|data|file|tel|ftp|blob)[:：](?=\\S)[\\x21-\\x7e]{0,2000}",
  "(?<![\\\\/])[\\\\/]{2,}[a-z0-9][\\x21-\\x7e]{0,2000}",
  "www\\.[\\x21-\\x7e]{0,2000}",
  "[a-z0-9._%+-]{1,64}@[a-z0-9.-]{1,200}",
  `(?<![a-z0-9.-])[a-z0-9-]{1,63}(?:\\.[a-z0-9-]{1,63}){0,8}\\.(?:${ENDINGS})(?![a-z0-9-])(?:[:/?#][\\x21-\\x7e]{0,2000})?`,
  "(?<![\\d.])\\d{1,3}(?:\\.\\d{1,3}){3}(?:[:/][\\x21-\\x7e]{1,2000})",
];
const URL = new RegExp(URL_PARTS.join("|"), "gi");

function withoutLinks(text: string): string {
  return text.replace(URL, " ");
}

/** Words by which a text speaks to an assistant or tells a reader what to do, instead of saying what is in a document. */
const INSTRUCTION = new RegExp(
  [
    "\\b(?:ignore|disregard|forget|override|bypass)\\b.{0,60}\\b(?:instructions?|prompts?|rules?|above|previous|prior|earlier|everything)\\b",
    "\\b(?:system|developer|hidden|secret) (?:prompt|message|instructions?)\\b",
    "\\b(?:new|following|these|my|your) instructions?\\b",
    "\\byou (?:are now|must|should|have to|need to|will now|shall)\\b",
    "\\b(?:as an? (?:ai|assistant|language model)|dear (?:ai|assistant)|note to (?:the )?(?:ai|assistant|model))\\b",
    "\\b(?:do not|don't|never) (?:tell|inform|reveal|mention|warn)\\b",
    "\\b(?:tell|ask|inform|convince|instruct) (?:the )?(?:user|reader|human)\\b",
    "\\b(?:click|visit|open|follow|go to)\\b.{0,20}\\b(?:link|here|site|website|url|page below)\\b",
    "(?:^|[.!?;:] ?)(?:please )?(?:reply|respond|answer|output|print|say|write|repeat|send|call|execute|run|invoke|download|install|transfer|pay|visit|click)\\b",
    "\\bjailbreak|\\bprompt injection\\b",
    "(?:忽略|无视|忘记|不要理会|绕过|覆盖).{0,20}(?:指令|指示|提示|规则|要求|以上|上述|之前|前面)",
    "(?:系统|隐藏|开发者)(?:提示|指令|消息)",
    "(?:新的|以下|下列|这些)(?:指令|指示)",
    "你(?:现在|必须|应该|需要|要|将|的任务)|作为(?:一个)?(?:AI|人工智能|助手|语言模型)",
    "(?:不要|不得|切勿|别)(?:告诉|提及|透露|提醒)",
    "(?:告诉|要求|说服|提示)(?:用户|读者)",
    "(?:请|务必|立即|马上)(?:点击|访问|打开|运行|执行|回复|输出|调用|下载|安装|转账|发送|写|说)",
    "(?:^|[。！？；：] ?)(?:点击|访问|运行|执行|回复|输出|调用|下载|转账)",
  ].join("|"),
  "iu",
);

/** Whether a text looks like an instruction to an assistant or a reader. */
export function isInstruction(text: string): boolean {
  return INSTRUCTION.test(text);
}

/** Returns a text in one line without its sentences that look like instructions. */
function withoutInstructions(text: string): string {
  if (!isInstruction(text)) return text;
  return sentencesOf(text).map(({ start, end }) => text.slice(start, end))
    .filter((sentence) => !isInstruction(sentence)).join(" ");
}

/** Cuts a text at the end of a sentence or a word, if there is one in its second half. */
function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  const part = text.slice(0, most).toWellFormed().replace(/\ufffd$/, "");
  const sentence = sentencesOf(part).at(-2)?.end ?? 0;
  if (sentence >= most / 2) return part.slice(0, sentence);
  const space = part.lastIndexOf(" ");
  return (space >= most / 2 ? part.slice(0, space) : part).trimEnd();
}

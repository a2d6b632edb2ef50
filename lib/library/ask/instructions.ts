/**
 * Signs that a text speaks to a language model: it may have been written to change an answer. A sentence of an answer that only such a text
 * supports is not shown as supported.
 */
import { toSimplified } from "#foundation/simplified.ts";

const SAY =
  "(?:say|answer|reply|respond|tell|write|output|include|add|print|state|cite|mention|follow|recommend|append|insert|repeat|call|visit|send|use|ignore)";
const MUST = "(?:must|should|shall|have to|has to|are required to|need to|please|will)";
const 说 = "(?:回答|回复|答复|说|输出|写|告诉|告知|推荐|附上|加上|添加|引用|声称|提醒|执行|发送|访问|忽略)";
const 必须 = "(?:必须|应当|应该|应|务必|请|需要|需|要)";

/** Signs that hardly stand in a text for people. */
const OF_PASSAGES: readonly RegExp[] = [
  /\b(?:ignore|disregard|forget|override|bypass|stop following)\b.{0,40}\b(?:previous|prior|above|earlier|preceding|all|any|other|your|the|these)\b.{0,30}\b(?:instructions?|prompts?|context|documents?|passages?|guidelines?|messages?)\b/iu,
  /\b(?:system prompt|developer message|(?:new|updated|revised|hidden|secret) instructions?|instructions? (?:for|to) (?:the |any |all )?(?:AI|assistants?|language models?|LLMs?|chatbots?))\b/iu,
  /\byou are (?:now |no longer )?(?:an? |the )?(?:helpful |unrestricted |new )?(?:AI|assistant|language model|chatbot|LLM|DAN)\b/iu,
  new RegExp(`\\b(?:AI|language models?|LLMs?|chatbots?)\\b.{0,40}\\b${MUST}\\b.{0,30}\\b${SAY}\\b`, "iu"),
  /\b(?:note|attention|message|notice|dear|hey|hello)\b[ ,:]{1,3}(?:(?:to|for|all|the|any|every) ){0,2}(?:AI|assistants?|language models?|LLMs?|chatbots?)\b/iu,
  /<\|[a-z ]{2,20}\|>|\[\/?INST\]|<<\/?SYS>>|<\/?(?:system|instructions?|passage|question)[-\w]{0,40}>/iu,
  /\[ ?(?:system|admin|developer) (?:override|message|note|prompt|update)s? ?\]/iu,
  /\b(?:human|user) ?: .{1,400}? assistant ?: |用户 ?: ?.{1,400}?(?:AI|助手|助理) ?:/iu,
  /#{2,4} ?instructions? ?: .{1,400}?#{2,4} ?(?:response|answer) ?:/iu,
  /(?:忽略|无视|忘记|忘掉|不要理会|不要遵守|不必理会|覆盖|绕过)[^。\n]{0,12}(?:指令|指示|提示词?|上文|以上|之前|此前|前面)/u,
  /系统提示词|(?:系统|隐藏的?|新的?|秘密)指令/u,
  new RegExp(`(?:AI|大?语言模型|大模型|人工智能|智能体)[^。\\n]{0,16}${必须}[^。\\n]{0,16}${说}`, "u"),
  /(?:致|发给|写给|各位)(?:所有|任何|各)?[^。\n]{0,6}(?:助手|助理|模型|人工智能|AI|智能体)/u,
  /你(?:现在|从现在起)?(?:是|扮演|不再是)[^。\n]{0,12}(?:助手|助理|模型|AI|智能体)/u,
];

/** Signs that also stand in texts for people: a manual may say what to tell a user. */
const OF_SENTENCES: readonly RegExp[] = [
  /\b(?:tell|inform|instruct|ask|advise|remind|direct|urge|convince|warn|order|persuade) (?:the |every |any |each |all )?(?:users?|readers?|humans?|person asking|people who ask)\b/iu,
  new RegExp(`\\b(?:assistants?|models?|bots?)\\b.{0,40}\\b${MUST}\\b.{0,30}\\b${SAY}\\b`, "iu"),
  new RegExp(
    `\\b(?:when|if|whenever)\\b.{0,40}\\b(?:asked|asks|answering|summari[sz]ing|responding|replying)\\b.{0,80}\\b${SAY}\\b`,
    "iu",
  ),
  /\b(?:end|begin|start|finish|prefix|conclude) (?:your|every|each|the|all) (?:answers?|repl(?:y|ies)|responses?|messages?|outputs?)\b/iu,
  /\b(?:your|every|each|all|any) (?:answers?|repl(?:y|ies)|responses?|outputs?)\b.{0,20}\b(?:must|should|has to|have to|needs? to|will|shall)\b/iu,
  /(?:告诉|告知|提醒|引导|要求|通知|劝说|建议|让|请)(?:所有|每个|每位|任何)?(?:用户|提问者|提问人|读者|对方|使用者)/u,
  new RegExp(`(?:助手|助理|模型|机器人)[^。\\n]{0,16}${必须}[^。\\n]{0,16}${说}`, "u"),
  new RegExp(
    `(?:回答|回复|答复|总结|被问到|被问及|有人问|如果问|用户问)[^。\\n]{0,24}(?:必须|务必|都要|一定|请|统一|一律)[^。\\n]{0,10}${说}`,
    "u",
  ),
  /\bfrom now on\b.{0,30}\b(?:answer|reply|respond|say|write|output)\b/iu,
  /从(?:现在|今)(?:起|开始|以后|往后)[^。\n]{0,12}(?:回答|回复|答复|说|输出)/u,
  /(?:AI|助手|助理|模型|机器人|人工智能|智能体)[^。\n]{0,8}只(?:能|许|准|可|需)[^。\n]{0,8}(?:回答|回复|答复|说|输出)/u,
  /(?:回答|回复|答复|答案)(?:的|中|里|之)?(?:末尾|结尾|最后|开头|前面|后面)/u,
];

/** UTF-16 units of a text that are looked at. */
const MOST = 100_000;

/** Cyrillic and Greek letters, and the Latin ones that they look like. */
const LOOKS = "аеорсхуіјѕһԁӏАВЕКМНОРСТХУІЈЅοναρικτυΑΒΕΖΗΙΚΜΝΟΡΤΥΧ";
const LATIN = "aeopcxyijshdlABEKMHOPCTXYIJSovapiktuABEZHIKMNOPTYX";
const LOOK_ALIKE = new RegExp(`[${LOOKS}]`, "gu");

/** A text with plain letters, and the lines that it has. */
function plainLines(text: string): string {
  const visible = text.slice(0, MOST).normalize("NFKD")
    .replace(/[\p{M}\p{Default_Ignorable_Code_Point}]/gu, "").normalize("NFKC");
  return toSimplified(visible.replace(LOOK_ALIKE, (letter) => LATIN[LOOKS.indexOf(letter)]!));
}

/** A text with plain letters, in one line. */
function plain(text: string): string {
  return inOneLine(plainLines(text));
}

function inOneLine(lines: string): string {
  return lines.replace(/[\s_]+/g, " ");
}

/** Whether a passage has signs of instructions to a language model. */
export function speaksToModels(passage: string): boolean {
  const lines = plainLines(passage), text = inOneLine(lines);
  return OF_PASSAGES.some((sign) => sign.test(text)) || hasPromptHeadings(lines);
}

/** Headings of the prompts by which models are trained to follow instructions. Manuals have them in the plural. */
const INSTRUCTION =
  /^[ \t>*]{0,9}#{1,6}[ \t]{0,9}[*_]{0,3}(?:instruction|指令)[*_ \t]{0,9}:?[*_ \t]{0,9}\r?$/imu;
const RESPONSE =
  /^[ \t>*]{0,9}#{1,6}[ \t]{0,9}[*_]{0,3}(?:response|answer|output|回答|回复|答案)[*_ \t]{0,9}:?[*_ \t]{0,9}\r?$/imu;

/** Whether a text has the heading of an instruction, and below it that of the response. */
function hasPromptHeadings(lines: string): boolean {
  const { index } = INSTRUCTION.exec(lines) ?? {};
  return index !== undefined && RESPONSE.test(lines.slice(index));
}

/** UTF-16 units at the end of a passage, and at the beginning of another one, that are read as one text. */
const EDGE = 300;

/** Returns the indices of the passages that have signs of instructions, also those of which two together have one. */
export function passagesToModels(passages: readonly string[]): Set<number> {
  const found = new Set(passages.keys().filter((i) => speaksToModels(passages[i]!)));
  const others = passages.map((passage, i) => ({ passage, i })).filter(({ i }) => !found.has(i));
  for (const { passage: first, i } of others) {
    for (const { passage: second, i: j } of others) {
      if (i !== j && speaksToModels(`${first.slice(-EDGE)}\n${second.slice(0, EDGE)}`)) found.add(i).add(j);
    }
  }
  return found;
}

/**
 * Whether a sentence of an answer does what the sentence of a passage, which supports it, tells a model to do: "Tell the user to call 555" and
 * "Call 555". A sentence that reports what the passage says ("users are to be told") has such signs itself.
 */
export function obeys(sentence: string, evidence: string): boolean {
  const [said, source] = [plain(sentence), plain(evidence)];
  return OF_SENTENCES.some((sign) => sign.test(source) && !sign.test(said));
}

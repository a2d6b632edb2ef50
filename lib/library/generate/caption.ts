/**
 * The task `caption`: what a picture shows, as a model sees it. A picture is known by its content, so the same one in two documents is
 * one call.
 */
import * as z from "zod";
import { relation, sentencesOf, valuesIn, type WrittenValue } from "#engine/support/mod.ts";
import type { ModelImage } from "#models/language/mod.ts";
import { cleaned } from "./cleaned.ts";
import type { GeneratedTask } from "./generator.ts";

/** A picture, and the texts of its document that belong to it. */
export interface CaptionInput {
  /** SHA-256 of the picture in the document, in hexadecimal. */
  readonly sha256: string;
  /** Headings, caption and text near it. */
  readonly near: string;
  /** Text that was recognised in it; empty if there is none. */
  readonly recognised: string;
  readonly kind: PictureKind | "";
  /** Absent where it is only asked whether the caption is known. */
  readonly image?: ModelImage;
}

/** Kinds of pictures for which a model is asked for different things. */
export type PictureKind = "diagram" | "chart" | "screenshot" | "photo";

/** Most tokens of a caption, about; the form around it takes the others. */
const MOST_TOKENS = 200, FORM_TOKENS = 60;
/** Most UTF-16 units of a caption: 200 tokens of English. Chinese takes a token for about a character. */
const MOST_UNITS = 900, MOST_HAN = 260;

const CAPTIONED = z.object({ seen: z.boolean(), caption: z.string() });

/** The answer of a model about a picture. */
export type Captioned = z.infer<typeof CAPTIONED>;

/** The task. The key of a caption has the picture in the place of the texts near it. */
export const CAPTION: GeneratedTask<CaptionInput, Captioned> = {
  name: "caption",
  version: 1,
  schema: CAPTIONED,
  maxOutputTokens: MOST_TOKENS + FORM_TOKENS,
  usualTokens: 90,
  identity: ({ sha256 }) => sha256,
  kind: ({ kind }) => kind,
  values: ({ near, recognised }) => ({ near, recognised }),
  valueTokens: { near: 500, recognised: 500 },
  // A model that has no eyes says so in words, whatever form it was asked for.
  rejectedBy: ["llm_refusal", "llm_wrong_form"],
  images: ({ image }) => image === undefined ? [] : [image],
  checked: ({ seen, caption }) => {
    const text = captionOf(caption);
    return seen && text !== undefined ? { seen, caption: text } : undefined;
  },
};

/**
 * Returns what a model wrote about a picture without links, markup and instructions; `undefined` if it says that the picture could not be
 * seen, refuses, says nothing, or repeats itself.
 */
export function captionOf(written: string): string | undefined {
  if (isUnseen(written)) return undefined;
  const text = cleaned(written, HAN.test(written) ? MOST_HAN : MOST_UNITS);
  return isUnseen(text) || isEmptyTalk(text) || isRepetition(text) ? undefined : text;
}

const HAN = /\p{Script=Han}/u;
/** The beginning of an answer, which tells whether the model has seen the picture. A screenshot may show an error further on. */
const BEGINNING = 200;

/** Sentences of models that have not seen a picture, or do not want to say what it shows. */
const UNSEEN = new RegExp(
  [
    "^[^\\p{L}\\p{N}]*(?:i['’]?m|i am|we are|we['’]re)?\\s*(?:so |very |really )?sorry\\b",
    "\\b(?:i|we) (?:do apologi[sz]e|apologi[sz]e)\\b|^[^\\p{L}\\p{N}]*(?:my )?apologies\\b",
    "\\b(?:i|we)(?:['’]m| am|['’]re| are)? (?:not (?:able|allowed) to|unable to|un?able)\\b",
    "\\b(?:i|we) (?:can ?not|can['’]t|could ?n[o']t|could not|do not|don['’]t|did not|didn['’]t|won['’]t|will not)\\b.{0,40}" +
    "\\b(?:see|view|access|open|display|process|analy[sz]e|identify|describe|determine|recogni[sz]e|interpret|read|load|help|assist|have|receive)\\b",
    "\\b(?:image|picture|photo|file|attachment|content)s? (?:is|was|are|were|has|have|could|can|cannot|can['’]t|does|did)(?: ?n[o'’]t| not)?" +
    "(?: be(?:en)?)? ?(?:not )?(?:provided|attached|visible|available|accessible|loaded|viewed|seen|displayed|opened|missing|recogni[sz]able|load)\\b",
    "\\bno (?:image|picture|photo|file|attachment)s?\\b.{0,20}\\b(?:provided|attached|visible|available|given|found|received|see|here)\\b",
    "\\bthere is no (?:image|picture|photo)\\b",
    "\\bas (?:an? )?(?:ai|artificial intelligence|(?:large )?language model|text[- ](?:based|only))\\b",
    "\\bplease (?:provide|upload|attach|share|send|re-?upload)\\b",
    "\\b(?:content|usage|safety) (?:policy|policies|guidelines)\\b",
    "^[^\\p{L}\\p{N}]*(?:n/?a|none|null|unknown|unclear|undefined|cannot (?:see|view|determine))[^\\p{L}\\p{N}]*$",
    "^[^\\p{L}\\p{N}]*(?:非常|很|十分)?(?:抱歉|对不起|不好意思|很遗憾|遗憾)|很抱歉|非常抱歉",
    "(?:我|本模型|该模型)(?:目前|现在|暂时|还)?(?:无法|不能|没法|没有办法|看不到|看不见|看不清|未能|没有看到|没有收到|并未收到|不支持)",
    "(?:^|[，。；：])[^\\p{L}\\p{N}]*(?:由于.{0,20}[，,])?(?:无法|不能|未能|没法)(?:直接)?(?:查看|看到|看清|识别|辨认|访问|打开|分析|描述|读取|加载|显示|确定).{0,10}(?:图|照片|内容)",
    "(?:图片|图像|图|照片|内容)(?:无法|不能|未能|没有|尚未|并未|未)(?:被)?(?:正常|成功|正确)?(?:显示|加载|查看|识别|辨认|提供|上传|附上|打开|看清)",
    "(?:没有|未|并未|尚未)(?:提供|附上|收到|看到|上传|发现|检测到)(?:任何)?.{0,4}(?:图片|图像|照片)",
    "请(?:您|你)?(?:重新)?(?:提供|上传|发送|附上).{0,8}(?:图|照片)",
    "作为.{0,6}(?:AI|人工智能|语言模型)",
    "(?:违反|不符合).{0,8}(?:政策|规定|准则)|(?:无法|不能)(?:协助|提供帮助|满足)",
    "^[^\\p{L}\\p{N}]*(?:无|没有|未知|不清楚|不详|无法识别|无法辨认|看不清|看不到)[^\\p{L}\\p{N}]*$",
  ].join("|"),
  "iu",
);

/** Whether a text says that a picture could not be seen, or refuses. */
function isUnseen(text: string): boolean {
  return UNSEEN.test(text.slice(0, BEGINNING).normalize("NFKC").replace(/\s+/g, " ").trim());
}

/** Words that say nothing but that there is a picture. */
const GENERIC_WORDS = new Set(
  ("a an the this that it is are was of in on with and or image picture photo photograph figure illustration graphic " +
    "shows showing show shown displays depicts contains there some something here one").split(" "),
);
const GENERIC_HAN =
  /这是|这里|该|此|这|一张|一幅|一个|幅|张|图片|图像|插图|图中|图|照片|画面|显示|展示|描述|内容|包含|了|的|是|有|中|某/gu;
/** A character counts for a part of a word. */
const WORD = 1.5, LEAST = 3;

/** Whether a text says less than two words about what a picture shows. */
function isEmptyTalk(text: string): boolean {
  const words = (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => !HAN.test(word));
  const said = words.filter((word) => !GENERIC_WORDS.has(word)).length;
  const han = text.replace(GENERIC_HAN, "").match(/\p{Script=Han}/gu)?.length ?? 0;
  return WORD * said + han < LEAST;
}

/** Pieces that are compared, words in a piece, and the part of them that differ in a text that does not repeat itself. */
const PIECES = 24, WORDS = 4, LEAST_DISTINCT = 0.3;

/** Whether a model has repeated itself until it was cut off. */
function isRepetition(text: string): boolean {
  const words = text.toLowerCase().match(/\p{Script=Han}|[^\P{L}\p{Script=Han}]+|\p{N}+/gu) ?? [];
  const pieces = words.slice(WORDS - 1).map((_, i) => words.slice(i, i + WORDS).join(" "));
  return pieces.length >= PIECES && new Set(pieces).size < LEAST_DISTINCT * pieces.length;
}

/**
 * Returns the numbers, dates and units of a caption that the texts of its document do not have, as they are written. Values are compared as
 * the check of answers compares them.
 */
export function unconfirmedNumbers(caption: string, sources: readonly string[]): string[] {
  const known = sources.flatMap((source) => valuesOf(source.normalize("NFKC")));
  const texts = sources.join("\n").normalize("NFKC").toLowerCase();
  const isKnown = (claimed: WrittenValue) => {
    // A bound or "about" makes no other number the same.
    const { bound: _, ...exact } = { ...claimed, rounded: false };
    return known.some((value) => relation(exact, value) === "same") ||
      claimed.value.kind === "code" && texts.includes(claimed.text.toLowerCase());
  };
  const missing = valuesOf(caption.normalize("NFKC")).filter((value) => !value.isLoose && !isKnown(value));
  return [...new Set(missing.map(({ text }) => text))];
}

function valuesOf(text: string): WrittenValue[] {
  return sentencesOf(text).flatMap(({ start, end }) => valuesIn(text.slice(start, end)));
}

/** Words of captions and alternative texts by the kind of picture that they name, the surest kinds first. */
const KINDS: readonly (readonly [PictureKind, RegExp])[] = [
  [
    "screenshot",
    /\bscreen ?shots?\b|\bscreen capture\b|\bdialog(?:ue)?(?: box)?\b|\bgui\b|截图|截屏|界面|屏幕|对话框|窗口/i,
  ],
  [
    "diagram",
    /\bdiagrams?\b|\bflow ?charts?\b|\barchitecture\b|\btopology\b|\bworkflow\b|\bschematics?\b|\buml\b|\bblueprint\b|示意图|流程图|架构|结构图|拓扑|时序图|框图|关系图|原理图|电路图|思维导图/i,
  ],
  [
    "chart",
    /\bcharts?\b|\bplots?\b|\bgraphs?\b|\bhistogram\b|\bcurves?\b|\btrends?\b|柱状图|折线图|饼图|散点图|直方图|曲线|统计图|走势|趋势|分布图|雷达图/i,
  ],
  ["photo", /\bphoto(?:graph)?s?\b|\bportrait\b|照片|实拍|相片|合影/i],
];

/** Returns the kind of a picture by what its document calls it, else by whether its pixels are those of a photo; empty if neither tells. */
export function pictureKind(called: string, isPhoto: boolean): PictureKind | "" {
  return KINDS.find(([, words]) => words.test(called))?.[0] ?? (isPhoto ? "photo" : "");
}

/**
 * Decodes the bytes of a text file, whose encoding is rarely declared.
 * Below it: the evidence for UTF-8, UTF-16 and Chinese encodings, and the detector for all others.
 */
import { DocumentError, pairs, words } from "./types.ts";

/** Decoded text. */
export interface Decoded {
  /** The text with the line ends of the file, without a byte order mark. */
  readonly text: string;
  /** The encoding used, by its WHATWG name, lower case: `utf-8` (also for ASCII), `gb18030`, `big5` … */
  readonly encoding: string;
  /** Number of invalid byte sequences, each replaced by U+FFFD. */
  readonly replaced: number;
}

/** Bytes at the start that are checked for UTF-8 before the whole text is decoded. */
const HEAD = 65_536;

/** Largest number of invalid sequences per non-ASCII character in the right encoding. */
const MAX_DAMAGE = 0.005;

/** Bytes. In a larger file a few non-ASCII letters are not evidence of an encoding. */
const TINY = 1_000;

/** Non-ASCII characters from which on the detector's low confidence is taken seriously. */
const LONG = 100;

/**
 * Decodes the bytes of a text file. It tries, in this order: the byte order mark; `forced`, if given (any WHATWG label);
 * UTF-16 without a mark; UTF-8, with a few invalid sequences allowed; GB18030 (which includes GBK and GB2312) if the result
 * looks like Chinese; Big5, likewise; the detector's guess. Throws {@linkcode DocumentError}
 * `unsupported_encoding`.
 *
 * ```ts
 * import { equal } from "node:assert/strict";
 * import { decode } from "./encoding.ts";
 *
 * const bytes = Uint8Array.fromHex("cfb5cdb3d6d0b5c4cec4bcfe"); // GBK
 * const { text, encoding } = await decode(bytes);
 * equal(text, "系统中的文件");
 * equal(encoding, "gb18030");
 * ```
 */
export async function decode(bytes: Uint8Array, forced?: string): Promise<Decoded> {
  const marked = byMark(bytes);
  if (marked !== null) return marked;
  if (forced !== undefined) return byForce(bytes, forced);
  const found = asUtf16(bytes) ?? asUtf8(bytes) ?? asChinese(bytes) ?? await byDetector(bytes) ??
    asAscii(bytes);
  if (found === null) throw unsupported();
  return found;
}

function unsupported(encoding?: string): DocumentError {
  const message = encoding === undefined ? "its encoding is not recognised" : `it is not text in ${encoding}`;
  return new DocumentError("unsupported_encoding", message);
}

function byMark(bytes: Uint8Array): Decoded | null {
  const starts = (...mark: number[]) => mark.every((byte, i) => bytes[i] === byte);
  if (starts(0xef, 0xbb, 0xbf)) return lenient(bytes, "utf-8");
  // UTF-16LE with a NUL as its first character begins the same, but its length is rarely a multiple of four.
  const isUtf32 = starts(0, 0, 0xfe, 0xff) || (starts(0xff, 0xfe, 0, 0) && bytes.length % 4 === 0);
  if (isUtf32) throw unsupported("utf-32");
  if (starts(0xff, 0xfe)) return lenient(bytes, "utf-16le");
  if (starts(0xfe, 0xff)) return lenient(bytes, "utf-16be");
  if (starts(0x84, 0x31, 0x95, 0x33)) return lenient(bytes.subarray(4), "gb18030");
  return null;
}

function byForce(bytes: Uint8Array, label: string): Decoded {
  const encoding = decoderOf(label)?.encoding;
  if (encoding === undefined) throw unsupported(label);
  const decoded = lenient(bytes, encoding);
  if (!isDamageSmall(decoded)) throw unsupported(encoding);
  return decoded;
}

/** Returns the decoder for a label of WHATWG; `undefined` if there is none. */
export function decoderOf(label: string): TextDecoder | undefined {
  try {
    return new TextDecoder(label);
  } catch {
    return undefined;
  }
}

function asUtf16(bytes: Uint8Array): Decoded | null {
  const encoding = looksLikeUtf16(bytes);
  return encoding === null ? null : lenient(bytes, encoding);
}

function asUtf8(bytes: Uint8Array): Decoded | null {
  // A look at the start saves decoding all of a large file in another encoding.
  if (bytes.length > HEAD && !isNearlyUtf8(utf8Health(bytes.subarray(0, HEAD)))) return null;
  // Without `fatal`, because 100 MB of ASCII take 60 ms instead of 600 ms.
  const text = new TextDecoder().decode(bytes);
  if (!text.includes("\ufffd")) {
    return isChineseByChance(bytes, text) ? null : { text, encoding: "utf-8", replaced: 0 };
  }
  const health = utf8Health(bytes);
  return isNearlyUtf8(health) ? { text, encoding: "utf-8", replaced: health.broken } : null;
}

/**
 * Whether a valid UTF-8 text is more likely GBK. A few GBK characters can be valid UTF-8 by chance: the bytes of "系统" are
 * also "ϵͳ". So a small text is GBK if its few non-ASCII letters are all unusual in UTF-8 and all common hanzi in GBK.
 */
function isChineseByChance(bytes: Uint8Array, text: string): boolean {
  if (bytes.length > TINY || countNonAscii(text, 8) >= 8) return false;
  const letters = text.match(/[^\p{ASCII}]/gu) ?? [];
  if (letters.length === 0 || letters.some((letter) => USUAL_TWO_BYTE_LETTER.test(letter))) return false;
  const { gb2312Share, commonShare } = gbEvidence(bytes);
  return gb2312Share === 1 && commonShare === 1;
}

/** Usual letters of Latin, Greek and Cyrillic, and every character of more than two bytes. */
const USUAL_TWO_BYTE_LETTER = /[\u00a0-\u017f\u0386-\u03ce\u0400-\u045f\u0800-\u{10ffff}]/u;

function asChinese(bytes: Uint8Array): Decoded | null {
  const { characters, gb2312Share, commonShare } = gbEvidence(bytes);
  // An accented letter before a plain one ("ég") is a rare or traditional hanzi in GBK, outside GB2312. Then more
  // characters are needed as evidence.
  const isGb = commonShare >= 0.6 && (gb2312Share >= 0.9 || characters >= 8);
  if (isGb) {
    const decoded = lenient(bytes, "gb18030");
    if (isDamageSmall(decoded)) return decoded;
  }
  const big5 = lenient(bytes.subarray(0, HEAD), "big5");
  if (isDamageSmall(big5) && commonChineseShare(big5.text) >= 0.6) {
    const whole = lenient(bytes, "big5");
    if (isDamageSmall(whole)) return whole;
  }
  return null;
}

/** Decodes by the detector's guess. With low confidence, a Western or Chinese text is preferred where the bytes allow it. */
async function byDetector(bytes: Uint8Array): Promise<Decoded | null> {
  const detection = await detectEncoding(bytes);
  const western = lenient(bytes, "windows-1252");
  if (isWestern(western.text) && (detection === null || isWeakGuess(detection))) return western;
  if (detection === null) return null;
  if (detection.confidence < 0.3) {
    const { gb2312Share, commonShare } = gbEvidence(bytes);
    const chinese = gb2312Share >= 0.9 && commonShare >= 0.35 ? lenient(bytes, "gb18030") : null;
    if (chinese !== null && isDamageSmall(chinese)) return chinese;
  }

  const decoded = lenient(bytes, detection.encoding);
  const isLong = countNonAscii(decoded.text, LONG) === LONG;
  if (isLong && detection.confidence < 0.1) return null;
  return isDamageSmall(decoded) && !hasControls(decoded.text) ? decoded : null;
}

/** Single-byte encodings differ in a few letters, so the detector cannot tell them apart in short texts. */
function isWeakGuess({ encoding, confidence }: { encoding: string; confidence: number }): boolean {
  return confidence < 0.15 && encoding.startsWith("windows-");
}

/** ASCII text with a few other bytes, which are replaced by U+FFFD. */
function asAscii(bytes: Uint8Array): Decoded | null {
  const strange = bytes.reduce((count, byte) => byte >= 0x80 ? count + 1 : count, 0);
  return strange <= bytes.length / 1000 ? lenient(bytes, "utf-8") : null;
}

function lenient(bytes: Uint8Array, encoding: string): Decoded {
  const text = new TextDecoder(encoding).decode(bytes);
  return { text, encoding, replaced: countReplaced(bytes, encoding, text) };
}

function countReplaced(bytes: Uint8Array, encoding: string, text: string): number {
  return text.includes("\ufffd") && !isSound(bytes, encoding) ? countOf(text, "\ufffd") : 0;
}

/** Returns how often a character occurs in a text. */
export function countOf(text: string, char: string): number {
  let count = 0;
  for (let at = text.indexOf(char); at >= 0; at = text.indexOf(char, at + 1)) count++;
  return count;
}

/** Whether the bytes are valid, so that every U+FFFD in the text was in the file. */
export function isSound(bytes: Uint8Array, encoding: string): boolean {
  try {
    new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** Whether there are few invalid sequences. One at the end is allowed in any text, because files get truncated. */
function isDamageSmall({ text, replaced }: Decoded): boolean {
  if (replaced === 0) return true;
  const end = text.indexOf("\ufffd") >= text.length - 2;
  return (replaced === 1 && end && text.length > 3) || replaced <= countNonAscii(text) * MAX_DAMAGE;
}

export function countNonAscii(text: string, atMost = Infinity): number {
  let count = 0;
  for (let i = 0; i < text.length && count < atMost; i++) if (text.charCodeAt(i) >= 0x80) count++;
  return count;
}

function commonChineseShare(text: string): number {
  let all = 0;
  let common = 0;
  for (const char of text) {
    const code = char.codePointAt(0)!;
    if (code < 0x80) continue;
    all++;
    if (isCommonChinese(code)) common++;
  }
  return all === 0 ? 0 : common / all;
}

const NOT_WESTERN =
  /[^\p{ASCII}àáâãäåæçèéêëìíîïñòóôõöøùúûüýÿœßÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØÙÚÛÜŒ«»‹›“”‘’„–—•…€£§°©®¿¡·×\u00a0]/u;

/** Whether the text has only characters of Western European languages, and mostly ASCII. */
function isWestern(text: string): boolean {
  return !NOT_WESTERN.test(text) && countNonAscii(text) < 0.45 * text.length;
}

/** Whether the text has too many control characters (U+0080 to U+009F included) to be in this encoding. */
function hasControls(text: string): boolean {
  let count = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if ((code < 32 && (code < 8 || code > 13) && code !== 27) || (code >= 0x7f && code < 0xa0)) count++;
  }
  return count > text.length / 100;
}

/**
 * Returns how many characters beyond ASCII in bytes are valid UTF-8, and how many places are not. A place is what a decoder
 * replaces by one U+FFFD. `cutAtEnd`: whether the last place is a character that the end of the bytes cuts off.
 */
function utf8Health(bytes: Uint8Array): { valid: number; broken: number; cutAtEnd: boolean } {
  const decoder = new TextDecoder();
  const text = decoder.decode(bytes, { stream: true });
  const cutAtEnd = decoder.decode() !== "";
  let [all, written] = [0, 0];
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit >= 0x80 && !(unit >= 0xdc00 && unit < 0xe000)) all++;
  }
  for (let at = bytes.indexOf(0xef); at >= 0; at = bytes.indexOf(0xef, at + 1)) {
    if (bytes[at + 1] === 0xbf && bytes[at + 2] === 0xbd) written++;
  }
  const broken = countOf(text, "\ufffd") - written;
  return { valid: all - broken, broken: broken + (cutAtEnd ? 1 : 0), cutAtEnd };
}

/**
 * Whether bytes are meant as UTF-8: nothing is invalid except perhaps the end, or there are at least 8 valid sequences for
 * each invalid place. In other encodings nearly every sequence is invalid.
 */
function isNearlyUtf8({ valid, broken, cutAtEnd }: ReturnType<typeof utf8Health>): boolean {
  const damage = cutAtEnd ? broken - 1 : broken;
  return damage === 0 ? broken === 0 || valid > 0 : valid >= 8 * damage;
}

/** Bytes that are examined; an even number. */
const UTF16_SAMPLE = 16_384;

/**
 * The byte order of UTF-16 without a byte order mark, or null if the bytes are not UTF-16. An ASCII character has a NUL in
 * one of its two bytes, always on the same side. Texts in other scripts show the side by their spaces, digits and line ends.
 * The decoded text must have mostly usual characters; other bytes with a few NULs do not.
 */
export function looksLikeUtf16(bytes: Uint8Array): "utf-16le" | "utf-16be" | null {
  const sample = bytes.subarray(0, Math.min(UTF16_SAMPLE, bytes.length & ~1));
  let even = 0;
  let odd = 0;
  for (let i = 0; i < sample.length; i += 2) {
    if (sample[i] === 0) even++;
    if (sample[i + 1] === 0) odd++;
  }
  // Characters such as U+4E00 and U+3000 have the NUL on the other side.
  if (even === odd || Math.min(even, odd) * 4 > Math.max(even, odd)) return null;
  const encoding = odd > even ? "utf-16le" : "utf-16be";
  return isPlausible(new TextDecoder(encoding).decode(sample)) ? encoding : null;
}

/**
 * Whether at least 60 % of the characters are usual ones and none is a control character. One U+FFFD is allowed, because the
 * sample may end within a character.
 */
function isPlausible(text: string): boolean {
  let usual = 0;
  let all = 0;
  let broken = 0;
  for (const char of text) {
    const code = char.codePointAt(0)!;
    all++;
    if (code === 0xfffd && ++broken > 1) return false;
    if (code < 32 && (code < 8 || code > 13) && code !== 27) return false;
    if (isUsual(code)) usual++;
  }
  return all > 1 && usual >= 0.6 * all;
}

/** Latin, Greek, Cyrillic, Hebrew; kana; hangul; common hanzi. */
function isUsual(code: number): boolean {
  return code < 0x600 || (code >= 0x3040 && code <= 0x30ff) || (code >= 0xac00 && code <= 0xd7a3) ||
    isCommonChinese(code);
}

/** Non-ASCII characters that are examined. */
const MAX_CHARACTERS = 4_000;

/** Evidence that bytes are Chinese text in GB18030, which includes GBK and GB2312. Shares are from 0 to 1. */
interface GbEvidence {
  /** Number of non-ASCII characters examined. */
  readonly characters: number;
  /** Share of them in GB2312, which has nearly all characters of modern simplified text. */
  readonly gb2312Share: number;
  /** Share of them that are common hanzi. */
  readonly commonShare: number;
}

/** Examines the first non-ASCII characters. The bytes may contain invalid sequences. */
function gbEvidence(bytes: Uint8Array): GbEvidence {
  let first = 0;
  while (first < bytes.length && bytes[first]! < 0x80) first++;

  let characters = 0;
  let gb2312 = 0;
  let at = first;
  while (at < bytes.length && characters < MAX_CHARACTERS) {
    const lead = bytes[at]!;
    if (lead < 0x80) {
      at++;
      continue;
    }
    const trail = bytes[at + 1] ?? 0;
    characters++;
    // Rows 1 to 9 are symbols, 16 to 87 hanzi.
    if (
      trail >= 0xa1 && trail <= 0xfe && ((lead >= 0xa1 && lead <= 0xa9) || (lead >= 0xb0 && lead <= 0xf7))
    ) gb2312++;
    at += trail >= 0x30 && trail <= 0x39 ? 4 : 2;
  }

  let common = 0;
  for (const char of new TextDecoder("gb18030").decode(bytes.subarray(first, at))) {
    if (isCommonChinese(char.codePointAt(0)!)) common++;
  }
  return {
    characters,
    gb2312Share: characters === 0 ? 0 : gb2312 / characters,
    commonShare: characters === 0 ? 0 : common / characters,
  };
}

/**
 * The thousand most frequent characters of Chinese encyclopaedia text (counted over CMRC 2018 and XQuAD-zh, where they are
 * 89 % of the text), some characters of software and office work, and the most frequent traditional forms. Text decoded with
 * the wrong encoding is spread evenly over 20,000 characters and rarely has these.
 */
const HANZI = `
的年在一为是中有大于国人和以学后成地时个了上会月不公部与日及分出名他之生其斯作行被主用本长发西而可区
到多家由线尔来法第位体下亚路这海方物南并子前道加自最至所球特现同代对新东里要等动高开经建市小间因三称
利北站赛内文得种也理任电台通立员马世德期教此美政场过车当队入合都港军或度克化色能但数外山约民定们面机
天两业平系全目进将工设事英式次士制使者州水龙原二性王重拉号司力布香比罗巴科相如广米兰院类常从尼达关战
表基联十正明语形起华金鱼条该四包城统岛运格洲安元鳍太然列无首总头计湾林品河提属校务视阿则保共向直组传
实治心接口食些纪量门就界意非交曾议结受型始近古程音乐改产管处女它影更流府点已铁演单少较身著应卡获书又
展字说星角带具陆指取选权播只维认花社剧级集资亦还气版括县活朝据别领族义足江标持委连石没群万居手游白省
专各空欧武齿命节变参黄每史果离师服即支回往片张论纳五画职转风奥历导冠信初决很创夫郡律今神波完造那帝先
威际术收状诺官印京构举博供研光反街质伊育红死题村局汉存知放观盟背圣清卫商协侧皇引未叶情宗济项青随普许
记致黑究客骨解曲示层问氏见域佛样打越医器助规速且座推争湖根去哥森亲堂段复例尾塞早九阳超园母塔六置增苏
深另药网源令划志图除环团季干吉镇班室准她牠周细易福洛报击莱蛇再强份银馆筑素录半率言显密温营索儿火伦案
终兴故模件均底伯土枚效桥边老洋需康续配病办响沙爱调象独射甲证李整才兵短瓦投低派升好排艺百编围含顿双田
几哈萨奇落八我奖真众泰修党失给歌吴曼功料范宣牙七占岁蓝雷飞澳富仍止积蒙男端杀毛容停求圆植父着木算拿限
缘戏装何担盖留登姆查呈孙确鲁副绿希刘护载写托己备费消软声附热席简告乘便鳞皮移境氧藏败嘉授织评考余岸像
货封般眼谷必技破届友岩看继楼码频住树突做步把景迪精航序漫永汽丽拥防征值念恩守退快祖息草钟候邻延川隆灵
弗勒售施肉梁陈菲纽注适雄宁唐硬云极负远价执绝攻换距酸油弹唱贝亡杰思胜想须批沿轮况感伤末满辑断似户松试
朱态习让述尚预店船责埃严房降千卷乌仅测毕采假宽虽耶典臣承莫额走词棘依久夏译佳练春闻津丁丹瑞识泽验疫签
免宫牛役章右异虫压牌坦尺晚宝野旅裂杂优照黎监厂邦径轻切左毒幼堡读控尽训夺却块雅臀鸟轨宋杯望庙释赫俗临
喜尖策饰顶丰爆央话巨判汇督革麻厅君肯吸昌束帮俄朗阶弟礼股亿甚启请归腹抗略善杜血艾势秀婚渐农劳荣络良晋
雨齐盛斑翼途剂忠胞逊乡诗敦盘胡某乙籍姓减佐迁翰柱宾诸逐刊坡票兽酒拍互颜杨库予颌鲷顺仔输栖板阵养荷庭媒
错误键鼠屏幕按钮链缓搜返堆栈册账钥禁允删添脚函符串默卸缩款付税销购订邮箱址吃饭喝睡觉朋妈爸孩谢您吗呢
吧啊哦嘛怎么什谁哪
這個們來時會為國學對發後經過說還沒樣應當現實開關問題間長門見東車馬書語話請讓認識點電腦網絡資訊檔設測
試從進動種產機體業與務給處總結構統計數據無於內連選擇頁圖畫視頻聲優質價錢買賣傳輸轉換讀寫刪儲備繼續終
議論壇導標誌戶戰爭軍區臺灣縣鄉鎮義組織係條約黨團隊員華億萬幾歲歷師醫藥農線號碼錯誤報顯單訂購運費術專
廣場舊親愛樂園葉風雲龍鳥魚麗麼嗎裡邊遠鐵紅綠藍黃銀錄讚謝幫辦確變該則雖隨極並將舉僅許環觸節響層創檢驗
證維護險滿齊絕輯編異態禮歡夢靜飛勞産値爲`;

const PUNCTUATION =
  "　、。，．·；：？！…—～“”‘’（）〔〕［］｛｝《》〈〉「」『』【】％＋－＝／￥℃①②③④⑤⑥⑦⑧⑨⑩■●○★→";

/** The characters of {@linkcode isCommonChinese}, full-width forms aside. */
const COMMON_CHINESE: ReadonlySet<number> = new Set(
  [...HANZI.replaceAll("\n", ""), ...PUNCTUATION].map((char) => char.codePointAt(0)!),
);

/** Whether a code point is common in Chinese text: a frequent character, punctuation or a full-width form. */
function isCommonChinese(codePoint: number): boolean {
  return COMMON_CHINESE.has(codePoint) || (codePoint >= 0xff10 && codePoint <= 0xff5a);
}

/** A guess: a label of `TextDecoder`, and the confidence from 0 to 1. */
interface Detection {
  readonly encoding: string;
  readonly confidence: number;
}

/** Bytes given to the detector. More bytes take longer and do not change the result. */
const DETECTED_BYTES = 65_536;
/** ASCII bytes kept before the first non-ASCII byte. */
const ASCII_CONTEXT = 256;

/** The encodings to detect: the detector's names and the labels of `TextDecoder`, where they differ. */
const LABELS: Readonly<Record<string, string>> = {
  ...pairs("big5-hkscs big5 big5hkscs big5 cp932 shift_jis cp949 euc-kr cp874 windows-874"),
  ...Object.fromEntries(
    Array.from(
      words(
        "big5 gb18030 shift_jis euc-jp euc-kr windows-1250 windows-1251 windows-1252 windows-1253 windows-1254",
        "windows-1255 windows-1256 windows-1257 windows-1258 windows-874 koi8-r koi8-u",
      ),
      (label) => [label, label],
    ),
  ),
};

/**
 * Guesses the encoding of bytes that are neither UTF-8 nor clearly GB18030; null without a guess. The library takes 100 ms
 * to load, so the first such file loads it.
 */
async function detectEncoding(bytes: Uint8Array): Promise<Detection | null> {
  const { detect } = await import("jschardet");
  const first = Math.max(0, bytes.findIndex((byte) => byte >= 0x80) - ASCII_CONTEXT);
  const { encoding, confidence } = detect(bytes.subarray(first, first + DETECTED_BYTES), {
    detectEncodings: Object.keys(LABELS),
  });
  const label = encoding === null ? undefined : LABELS[encoding.toLowerCase()];
  return label === undefined ? null : { encoding: label, confidence };
}

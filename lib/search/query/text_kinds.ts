/** Words of a question at most that is a name for a text rather than a sentence. */
const FEW_WORDS = 4;
/** Chinese characters of such a question at most. */
const FEW_CHARACTERS = 8;

const WORDS = /[\p{L}\p{N}_]+/gu;
const KIND =
  /(?<=[\p{L}\p{N}]\s*)(?:\b(?:docs?|documents?|documentation|notes?|readme)\b|文档|笔记|资料)(?=[^\p{L}\p{N}]*$)/iu;

/**
 * Returns the last word of a short question if it names a kind of text, such as `doc` in `onboarding doc` and 文档 in 入职文档;
 * else an empty text. It says which file is wanted, and the file itself seldom contains it. `file` and 文件 are no such words:
 * they are mostly part of a term (`swap file`).
 */
export function textKindOf(question: string): string {
  if (question.length > 80 || (question.match(WORDS)?.length ?? 0) > FEW_WORDS) return "";
  if ((question.match(/\p{Script=Han}/gu)?.length ?? 0) > FEW_CHARACTERS) return "";
  return KIND.exec(question)?.[0] ?? "";
}

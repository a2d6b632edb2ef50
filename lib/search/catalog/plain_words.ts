/** Words that say nothing about what a text is about. Very frequent words of a folder have low weights anyway. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  ("the and for with that this from are was were has have had not but you your its it's can will would should could may " +
    "of to in on at by as is be an or if so no we he she they them their there then than which who what when where how all " +
    "any each more most other some such only own same too very just do does did been being into about over under out up " +
    "down off again once here also one two use used using " +
    "的 了 和 是 在 有 与 或 不 也 就 都 而 及 等 这 那 其 中 为 以 对 从 到 由 被 把 让 一个 一种 可以 没有 如果 因为 所以 但是 以及 这个 " +
    "那个 我们 你们 他们 它们 自己 什么 怎么 如何 需要 进行 使用 通过 时候 其他").split(" "),
);

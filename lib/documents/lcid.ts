/**
 * The numbers of languages in Windows (LCID, described in MS-LCID): their tags and the encodings of their files.
 */

/** Tag and encoding by the lower ten bits of the number, which leave out the country. */
const LANGUAGES: Readonly<
  Record<number, readonly [tag: string, encoding: string]>
> = {
  0x01: ["ar", "windows-1256"],
  0x02: ["bg", "windows-1251"],
  0x04: ["zh", "gb18030"],
  0x05: ["cs", "windows-1250"],
  0x07: ["de", "windows-1252"],
  0x08: ["el", "windows-1253"],
  0x09: ["en", "windows-1252"],
  0x0a: ["es", "windows-1252"],
  0x0c: ["fr", "windows-1252"],
  0x0d: ["he", "windows-1255"],
  0x0e: ["hu", "windows-1250"],
  0x10: ["it", "windows-1252"],
  0x11: ["ja", "shift_jis"],
  0x12: ["ko", "euc-kr"],
  0x13: ["nl", "windows-1252"],
  0x15: ["pl", "windows-1250"],
  0x16: ["pt", "windows-1252"],
  0x18: ["ro", "windows-1250"],
  0x19: ["ru", "windows-1251"],
  0x1b: ["sk", "windows-1250"],
  0x1e: ["th", "windows-874"],
  0x1f: ["tr", "windows-1254"],
  0x22: ["uk", "windows-1251"],
  0x24: ["sl", "windows-1250"],
  0x2a: ["vi", "windows-1258"],
};
/** Taiwan, Hong Kong and Macau, which write traditional Chinese. */
const TRADITIONAL = new Map([[0x0404, "zh-TW"], [0x0c04, "zh-HK"], [0x1404, "zh-MO"]]);

/** Returns the BCP 47 tag of a language, and the WHATWG label of its encoding. */
export function languageOf(lcid: number): { readonly tag: string | undefined; readonly encoding: string } {
  const traditional = TRADITIONAL.get(lcid & 0xffff);
  if (traditional !== undefined) return { tag: traditional, encoding: "big5" };
  if ((lcid & 0xffff) === 0x0804) return { tag: "zh-CN", encoding: "gb18030" };
  const [tag, encoding = "windows-1252"] = LANGUAGES[lcid & 0x3ff] ?? [];
  return { tag, encoding };
}

const DIGITS = "〇一二三四五六七八九";
const ROMAN: readonly (readonly [number, string])[] = [
  [1000, "M"],
  [900, "CM"],
  [500, "D"],
  [400, "CD"],
  [100, "C"],
  [90, "XC"],
  [50, "L"],
  [40, "XL"],
  [10, "X"],
  [9, "IX"],
  [5, "V"],
  [4, "IV"],
  [1, "I"],
];

/**
 * Returns a number as a list shows it. `format` is a name of Office (`decimal`, `upperRoman`, `chineseCounting` …) or a
 * letter of OpenDocument (`1`, `I`, `a`, `一` …). Unknown formats, and numbers that a format cannot show, give digits.
 */
export function countAs(number: number, format: string): string {
  switch (format) {
    case "upperRoman":
    case "I":
      return roman(number);
    case "lowerRoman":
    case "i":
      return roman(number).toLowerCase();
    case "upperLetter":
    case "A":
      return letter(number);
    case "lowerLetter":
    case "a":
      return letter(number).toLowerCase();
    case "decimalZero":
      return String(number).padStart(2, "0");
    case "decimalFullWidth":
      return String(number).replace(/\d/g, (digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0));
    case "decimalEnclosedCircle":
    case "decimalEnclosedCircleChinese":
      return number >= 1 && number <= 20 ? String.fromCharCode(0x245f + number) : String(number);
    case "chineseCounting":
    case "chineseCountingThousand":
    case "taiwaneseCounting":
    case "taiwaneseCountingThousand":
    case "japaneseCounting":
    case "ideographDigital":
    case "一":
    case "一, 二, 三, ...":
      return chinese(number);
    case "chineseLegalSimplified":
    case "ideographLegalTraditional":
      return chinese(number).replace(/./gu, (char) => LEGAL[char] ?? char);
    case "ideographTraditional":
      return cyclic(number, "甲乙丙丁戊己庚辛壬癸");
    case "ideographZodiac":
      return cyclic(number, "子丑寅卯辰巳午未申酉戌亥");
    case "none":
      return "";
    default:
      return String(number);
  }
}

const LEGAL: Readonly<Record<string, string>> = {
  一: "壹",
  二: "贰",
  三: "叁",
  四: "肆",
  五: "伍",
  六: "陆",
  七: "柒",
  八: "捌",
  九: "玖",
  十: "拾",
  百: "佰",
  千: "仟",
};

function roman(number: number): string {
  if (number < 1 || number > 3999) return String(number);
  let text = "";
  for (const [value, sign] of ROMAN) {
    while (number >= value) {
      text += sign;
      number -= value;
    }
  }
  return text;
}

/** Returns A … Z, then AA, BB …, as both Office and OpenDocument count. */
function letter(number: number): string {
  if (number < 1 || number > 260) return String(number);
  return String.fromCharCode(65 + (number - 1) % 26).repeat(Math.ceil(number / 26));
}

/** Returns a Chinese number as lists and chapters use it: 十二, 一百〇五. */
function chinese(number: number): string {
  if (number < 0 || number > 9999) return String(number);
  if (number === 0) return "〇";
  let text = "";
  let skipped = false;
  for (const [unit, sign] of [[1000, "千"], [100, "百"], [10, "十"], [1, ""]] as const) {
    const digit = Math.floor(number / unit) % 10;
    if (digit === 0) {
      skipped = text !== "";
      continue;
    }
    if (skipped) text += "〇";
    skipped = false;
    text += (digit === 1 && unit === 10 && text === "" ? "" : DIGITS[digit]!) + sign;
  }
  return text;
}

function cyclic(number: number, signs: string): string {
  return signs[number - 1] ?? String(number);
}

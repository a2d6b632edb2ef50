/**
 * The units of quantities and how they convert. BIPM, "The International System of Units", 9th edition; a 斤 is 500 g and a 亩 10000/15 m²,
 * as in China.
 */

/** The names of units with their factors, by what they measure. `factor`: of the unit that the dimension is counted in. */
const NAMES: Readonly<Record<string, string>> = {
  share:
    ".01: %|％|percent|percents|per cent|个百分点|百分点|percentage point|percentage points, .001: ‰, .1: 成",
  times: "1: 倍|times|fold|-fold",
  length:
    "1000: km|kilometers|kilometer|kilometres|kilometre|公里|千米, 500: 里, 1: m|meters|meter|metres|metre|米|公尺, .01: cm|centimeters|centimeter|centimetres|centimetre|厘米|公分, .001: mm|millimeters|millimeter|millimetres|millimetre|毫米, 1e-6: μm|微米, 1e-9: nm|纳米, 1609.344: miles|mile|英里, .3048: ft|feet|foot|英尺, .0254: inches|inch|英寸, 1852: 海里|nautical miles",
  mass:
    "1000: kg|kilograms|kilogram|kilos|公斤|千克, 1: g|grams|gram|克, .001: mg|milligrams|毫克, 1e6: t|tons|ton|tonnes|tonne|公吨|吨, 500: 市斤|斤, 50: 两重, 453.59237: lb|lbs|pounds of weight|磅, 28.349523125: oz|ounces|ounce|盎司",
  area:
    "1e6: km2|square kilometers|square kilometres|square kilometer|square kilometre|sq km|平方公里|平方千米, 1: m2|square meters|square metres|square meter|square metre|平方米|平米, 1e4: hectares|hectare|ha|公顷, 666.6666666666666: 亩, 4046.8564224: acres|acre|英亩, 2589988.110336: square miles|平方英里",
  volume:
    "1: liters|liter|litres|litre|l|公升|升, .001: ml|milliliters|millilitres|毫升, 1000: m3|cubic meters|cubic metres|立方米, 3.785411784: gallons|加仑",
  duration:
    ".001: milliseconds|ms|毫秒, 1: seconds|second|secs|sec|s|秒钟|秒, 60: minutes|minute|mins|min|分钟, 3600: hours|hour|hrs|h|个小时|小时|个钟头, 86400: days|day|天|日内|日以内|日之内, 604800: weeks|week|周|个星期|星期",
  months: "1: months|month|个月, 12: years|year|年|周年, 120: decades|decade, 1200: centuries|century|个世纪",
  age: "1: 周岁|岁|years old|year-old|years-old|year old|-year-old|years of age",
  celsius: "1: °c|℃|degrees celsius|摄氏度|度|degrees",
  data:
    "1: bytes|byte|字节, 1e3: kb, 1e6: mb, 1e9: gb, 1e12: tb, 1e15: pb, 1024: kib, 1048576: mib, 1073741824: gib, 1099511627776: tib",
  speed: "1000: km/h|kmh|公里/小时|千米/小时, 1609.344: mph, 3600: m/s|米/秒",
  power: "1: w|watts|瓦, 1e3: kw|kilowatts|千瓦, 1e6: mw|megawatts|兆瓦, 1e9: gw",
  energy: "1: kwh|千瓦时|度电, 1e3: mwh, 2.7777777777777776e-7: joules|焦耳",
  CNY: "1: 元|块钱|人民币|rmb|yuan|cny|元人民币|¥|renminbi, .1: 角",
  USD: "1: 美元|dollars|dollar|usd|us$|$|美金|us dollars, .01: cents",
  EUR: "1: 欧元|euros|euro|eur|€",
  GBP: "1: 英镑|pounds|pound|gbp|£|pounds sterling",
  JPY: "1: 日元|yen|jpy|日圆",
  HKD: "1: 港元|港币|hk$|hkd",
  fahrenheit: "1: °f|℉|degrees fahrenheit|华氏度",
};

/** A unit: what it measures, and its factor to the unit that this is counted in. */
export interface Unit {
  readonly dimension: string;
  readonly factor: number;
}

/** The units by their names in lower case. */
export const UNITS: ReadonlyMap<string, Unit> = new Map(
  Object.entries(NAMES).flatMap(([dimension, units]) =>
    units.split(", ").flatMap((unit) => {
      const [factor, names] = unit.split(": ") as [string, string];
      return names.split("|").map((name): [string, Unit] => [name, { dimension, factor: Number(factor) }]);
    })
  ),
);

/** The factors of words behind a number: 3 million, 3万. */
export const MAGNITUDES: ReadonlyMap<string, number> = new Map(Object.entries({
  ...{
    十: 10,
    百: 100,
    千: 1e3,
    万: 1e4,
    萬: 1e4,
    十万: 1e5,
    百万: 1e6,
    千万: 1e7,
    亿: 1e8,
    億: 1e8,
    十亿: 1e9,
    百亿: 1e10,
  },
  ...{
    千亿: 1e11,
    万亿: 1e12,
    hundred: 100,
    thousand: 1e3,
    million: 1e6,
    mn: 1e6,
    billion: 1e9,
    bn: 1e9,
    trillion: 1e12,
  },
}));

/** The things that Chinese counters count. Others such as 个, 台 and 辆 may stand for each other. */
export const COUNTED: ReadonlyMap<string, string> = new Map(Object.entries({
  ...{ 人: "people", 名: "people", 位: "people", 户: "households" },
  ...{ 种: "kinds", 类: "kinds", 次: "times", 层: "floors" },
}));

/** Letters of Latin script in lower case, for a class of characters. V8 compiles `\p{Script=Latin}` to hundreds of ranges. */
export const LATIN = "a-zß-öø-ʯḁ-ỿ";

const LATIN_OR_DIGIT = new RegExp(`[${LATIN}\\d]`);
const HAN = /[一-鿿]$/;

/** The names of a table by their first characters, the longest first. */
type Names = ReadonlyMap<string, readonly string[]>;

const UNIT_NAMES: Names = byFirst(UNITS.keys()), MAGNITUDE_NAMES: Names = byFirst(MAGNITUDES.keys());

function byFirst(names: Iterable<string>): Names {
  return Map.groupBy([...names].sort((a, b) => b.length - a.length), (name) => name[0]!);
}

/** Returns the longest name of a unit that stands at a place of a text in lower case. */
export function unitAt(text: string, at: number): string | undefined {
  return UNIT_NAMES.get(text[at] ?? "")?.find((name) => isWordAt(name, text, at));
}

/** Returns the longest word for a magnitude that stands at a place of a text in lower case: 万, million, millions. */
export function magnitudeAt(text: string, at: number): string | undefined {
  const names = MAGNITUDE_NAMES.get(text[at] ?? "") ?? [];
  return names.flatMap((name) => HAN.test(name) ? [name] : [name, `${name}s`])
    .find((name) => isWordAt(name, text, at));
}

/** Whether a name stands at a place. In Latin letters or signs it must not be the beginning of a longer word. */
function isWordAt(name: string, text: string, at: number): boolean {
  return text.startsWith(name, at) && (HAN.test(name) || !LATIN_OR_DIGIT.test(text[at + name.length] ?? ""));
}

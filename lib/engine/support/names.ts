/**
 * Chinese names, which have no capital letters: of countries, provinces and cities, and the surnames that names of people begin with.
 */

/** Places of one kind exclude each other; a city may lie in a country. */
const KINDS: readonly ReadonlySet<string>[] = [
  chineseCountries(),
  listed("欧洲 亚洲 非洲 美洲 北美洲 南美洲 大洋洲 南极洲"),
  listed(
    "北京 上海 天津 重庆 河北 山西 辽宁 吉林 黑龙江 江苏 浙江 安徽 福建 江西 山东 河南 湖北 湖南 广东 海南 四川 贵州 云南 陕西 甘肃 青海 台湾 内蒙古 广西 西藏 宁夏 新疆 香港 澳门",
  ),
  listed(
    "北京 上海 天津 重庆 香港 澳门 广州 深圳 杭州 苏州 南京 武汉 成都 西安 郑州 长沙 青岛 济南 宁波 无锡 合肥 佛山 东莞 沈阳 大连 厦门 福州 泉州 温州 常州 徐州 扬州 南通 嘉兴 绍兴 金华 台州 湖州 哈尔滨 长春 石家庄 太原 南昌 昆明 贵阳 南宁 桂林 " +
      "海口 三亚 兰州 西宁 银川 乌鲁木齐 拉萨 呼和浩特 珠海 惠州 中山 汕头 烟台 潍坊 洛阳 开封 唐山 保定 台北 高雄 东京 大阪 京都 首尔 曼谷 伦敦 巴黎 柏林 慕尼黑 法兰克福 汉堡 罗马 米兰 马德里 巴塞罗那 莫斯科 圣彼得堡 纽约 洛杉矶 芝加哥 旧金山 " +
      "西雅图 波士顿 华盛顿 多伦多 温哥华 悉尼 墨尔本 孟买 新德里 开罗 雅典 维也纳 布鲁塞尔 阿姆斯特丹 日内瓦 苏黎世 迪拜 里约热内卢 圣保罗 布宜诺斯艾利斯 雅加达 马尼拉 河内",
  ),
];

function chineseCountries(): ReadonlySet<string> {
  const names = new Intl.DisplayNames(["zh-Hans"], { type: "region", fallback: "none" });
  const found = new Set(["德国", "英国"]);
  for (let i = 0; i < 26 * 26; i++) {
    const name = names.of(String.fromCharCode(65 + Math.floor(i / 26), 65 + i % 26));
    if (name !== undefined) found.add(name);
  }
  return found;
}

function listed(names: string): ReadonlySet<string> {
  return new Set(names.split(" "));
}

/** The longest place that is put together from words. */
const LONGEST_PLACE = 4;

/** Whether Chinese characters are the name of a place, or of its people: 法国, 法国人. */
export function isPlace(term: string): boolean {
  return kindsOf(term).length > 0;
}

/** Whether words that a table has apart are the name of a place together: 苏 and 州. */
export function isDividedPlace(term: string): boolean {
  return term.length <= LONGEST_PLACE && KINDS.some((names) => names.has(term));
}

/** Whether two words name different places of one kind: two cities, but not a city and a country. */
export function areOtherPlaces(a: string, b: string): boolean {
  if (a.startsWith(b) || b.startsWith(a)) return false;
  const ofB = kindsOf(b);
  return ofB.length > 0 && kindsOf(a).some((kind) => ofB.includes(kind));
}

/** Whether both words name places, of which one may lie in the other. */
export function arePlacesApart(a: string, b: string): boolean {
  return isPlace(a) && isPlace(b) && !areOtherPlaces(a, b);
}

function kindsOf(term: string): readonly ReadonlySet<string>[] {
  const place = term.replace(/(?<=..)[人队语军籍市省]$/, "");
  return KINDS.filter((names) => names.has(place) || names.has(term));
}

/** The most frequent surnames of China with their sounds. */
const SURNAMES: ReadonlyMap<string, string> = new Map(
  ("王wang 李li 张zhang 刘liu 陈chen 杨yang 黄huang 赵zhao 吴wu 周zhou 徐xu 孙sun 马ma 朱zhu 胡hu 郭guo 何he 林lin 罗luo 高gao 梁liang 郑zheng 谢xie 宋song 唐tang 许xu 邓deng 冯feng 韩han 曹cao 曾zeng 彭peng 萧xiao 蔡cai 潘pan 田tian 董dong 袁yuan 于yu 余yu 叶ye 蒋jiang 杜du 苏su 魏wei 程cheng 吕lu 丁ding 沈shen " +
    "任ren 姚yao 卢lu 傅fu 钟zhong 姜jiang 崔cui 谭tan 廖liao 范fan 汪wang 陆lu 金jin 石shi 戴dai 贾jia 韦wei 夏xia 邱qiu 方fang 侯hou 邹zou 熊xiong 孟meng 秦qin 白bai 江jiang 阎yan 薛xue 尹yin 段duan 雷lei 黎li 史shi 龙long 陶tao 贺he 顾gu 毛mao 郝hao 龚gong 邵shao 万wan 钱qian 严yan 武wu 孔kong 向xiang 汤tang")
    .split(" ").map((name): [string, string] => [name[0]!, name.slice(1)]),
);

/** Whether a character is a frequent surname. */
export function isSurname(character: string): boolean {
  return SURNAMES.has(character);
}

/** Returns how a frequent surname sounds, without its tone. */
export function soundOfSurname(character: string): string | undefined {
  return SURNAMES.get(character);
}

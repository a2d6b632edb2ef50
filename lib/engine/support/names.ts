/**
 * Chinese names, which have no capital letters: of countries, provinces and cities, and the surnames that names of people begin with.
 */

/** Places of one kind exclude each other; a city may lie in a country. */
const KINDS: readonly string[] = [
  // The regions of Intl.DisplayNames, which takes 15 ms to look them up.
  "德国 英国 阿森松岛 安道尔 阿拉伯联合酋长国 阿富汗 安提瓜和巴布达 安圭拉 阿尔巴尼亚 亚美尼亚 库拉索 安哥拉 南极洲 阿根廷 美属萨摩亚 奥地利 澳大利亚 阿鲁巴 奥兰群岛 阿塞拜疆 " +
  "波斯尼亚和黑塞哥维那 巴巴多斯 孟加拉国 比利时 布基纳法索 保加利亚 巴林 布隆迪 贝宁 圣巴泰勒米 百慕大 文莱 玻利维亚 荷属加勒比区 巴西 巴哈马 不丹 缅甸 布韦岛 博茨瓦纳 " +
  "白俄罗斯 伯利兹 加拿大 中非共和国 瑞士 科特迪瓦 库克群岛 智利 喀麦隆 中国 哥伦比亚 克利珀顿岛 哥斯达黎加 塞尔维亚 古巴 佛得角 圣诞岛 塞浦路斯 捷克 迪戈加西亚岛 吉布提 丹麦 " +
  "多米尼克 多米尼加共和国 阿尔及利亚 休达及梅利利亚 厄瓜多尔 爱沙尼亚 埃及 西撒哈拉 厄立特里亚 西班牙 埃塞俄比亚 欧盟 欧元区 芬兰 斐济 密克罗尼西亚 法罗群岛 法国 加蓬 格林纳达 " +
  "格鲁吉亚 法属圭亚那 根西岛 加纳 直布罗陀 格陵兰 冈比亚 几内亚 瓜德罗普 赤道几内亚 希腊 南乔治亚和南桑威奇群岛 危地马拉 关岛 几内亚比绍 圭亚那 香港 赫德岛和麦克唐纳群岛 " +
  "洪都拉斯 克罗地亚 海地 匈牙利 加纳利群岛 印度尼西亚 爱尔兰 以色列 马恩岛 印度 英属印度洋领地 伊拉克 伊朗 冰岛 意大利 泽西岛 牙买加 约旦 日本 肯尼亚 吉尔吉斯斯坦 柬埔寨 " +
  "基里巴斯 科摩罗 圣基茨和尼维斯 朝鲜 韩国 科威特 开曼群岛 哈萨克斯坦 老挝 黎巴嫩 圣卢西亚 列支敦士登 斯里兰卡 利比里亚 莱索托 立陶宛 卢森堡 拉脱维亚 利比亚 摩洛哥 摩纳哥 " +
  "摩尔多瓦 黑山 法属圣马丁 马达加斯加 马绍尔群岛 北马其顿 马里 蒙古 澳门 北马里亚纳群岛 马提尼克 毛里塔尼亚 蒙特塞拉特 马耳他 毛里求斯 马尔代夫 马拉维 墨西哥 马来西亚 莫桑比克 " +
  "纳米比亚 新喀里多尼亚 尼日尔 诺福克岛 尼日利亚 瓦努阿图 尼加拉瓜 荷兰 挪威 尼泊尔 瑙鲁 纽埃 新西兰 阿曼 巴拿马 秘鲁 法属波利尼西亚 巴布亚新几内亚 菲律宾 巴基斯坦 波兰 " +
  "圣皮埃尔和密克隆群岛 皮特凯恩群岛 波多黎各 巴勒斯坦 葡萄牙 帕劳 巴拉圭 卡塔尔 大洋洲边远群岛 留尼汪 津巴布韦 罗马尼亚 俄罗斯 卢旺达 沙特阿拉伯 所罗门群岛 塞舌尔 苏丹 瑞典 " +
  "新加坡 圣赫勒拿 斯洛文尼亚 斯瓦尔巴和扬马延 斯洛伐克 塞拉利昂 圣马力诺 塞内加尔 索马里 苏里南 南苏丹 圣多美和普林西比 萨尔瓦多 荷属圣马丁 叙利亚 斯威士兰 特里斯坦-达库尼亚群岛 " +
  "特克斯和凯科斯群岛 乍得 法属南部领地 多哥 泰国 塔吉克斯坦 托克劳 东帝汶 土库曼斯坦 突尼斯 汤加 土耳其 特立尼达和多巴哥 图瓦卢 台湾 坦桑尼亚 乌克兰 乌干达 美国本土外小岛屿 " +
  "联合国 美国 乌拉圭 乌兹别克斯坦 梵蒂冈 圣文森特和格林纳丁斯 越南 委内瑞拉 英属维尔京群岛 美属维尔京群岛 瓦利斯和富图纳 萨摩亚 科索沃 也门 马约特 南非 赞比亚",
  "欧洲 亚洲 非洲 美洲 北美洲 南美洲 大洋洲 南极洲",
  "北京 上海 天津 重庆 河北 山西 辽宁 吉林 黑龙江 江苏 浙江 安徽 福建 江西 山东 河南 湖北 湖南 广东 海南 四川 贵州 云南 陕西 甘肃 青海 台湾 内蒙古 广西 西藏 宁夏 新疆 香港 澳门",
  "北京 上海 天津 重庆 香港 澳门 广州 深圳 杭州 苏州 南京 武汉 成都 西安 郑州 长沙 青岛 济南 宁波 无锡 合肥 佛山 东莞 沈阳 大连 厦门 福州 泉州 温州 常州 徐州 扬州 南通 嘉兴 绍兴 金华 台州 湖州 哈尔滨 长春 石家庄 太原 南昌 昆明 贵阳 南宁 桂林 " +
  "海口 三亚 兰州 西宁 银川 乌鲁木齐 拉萨 呼和浩特 珠海 惠州 中山 汕头 烟台 潍坊 洛阳 开封 唐山 保定 台北 高雄 东京 大阪 京都 首尔 曼谷 伦敦 巴黎 柏林 慕尼黑 法兰克福 汉堡 罗马 米兰 马德里 巴塞罗那 莫斯科 圣彼得堡 纽约 洛杉矶 芝加哥 旧金山 " +
  "西雅图 波士顿 华盛顿 多伦多 温哥华 悉尼 墨尔本 孟买 新德里 开罗 雅典 维也纳 布鲁塞尔 阿姆斯特丹 日内瓦 苏黎世 迪拜 里约热内卢 圣保罗 布宜诺斯艾利斯 雅加达 马尼拉 河内",
];

/** For each name of a place the kinds that have it, as bits. */
const KINDS_OF = new Map<string, number>();
for (const [kind, names] of KINDS.entries()) {
  for (const name of names.split(" ")) KINDS_OF.set(name, (KINDS_OF.get(name) ?? 0) | 1 << kind);
}

/** The longest place that is put together from words. */
const LONGEST_PLACE = 4;
/** Behind a place: its people, its team, its language. */
const PLACE_ENDINGS = "人队语军籍市省";

/** Whether Chinese characters are the name of a place, or of its people: 法国, 法国人. */
export function isPlace(term: string): boolean {
  return kindsOf(term) !== 0;
}

/** Whether words that a table has apart are the name of a place together: 苏 and 州. */
export function isDividedPlace(term: string): boolean {
  return term.length <= LONGEST_PLACE && KINDS_OF.has(term);
}

/** Whether two words name different places of one kind: two cities, but not a city and a country. */
export function areOtherPlaces(a: string, b: string): boolean {
  return (kindsOf(a) & kindsOf(b)) !== 0 && !a.startsWith(b) && !b.startsWith(a);
}

/** Whether both words name places, of which one may lie in the other. */
export function arePlacesApart(a: string, b: string): boolean {
  return isPlace(a) && isPlace(b) && !areOtherPlaces(a, b);
}

function kindsOf(term: string): number {
  const isLonger = term.length > 2 && PLACE_ENDINGS.includes(term.at(-1)!);
  const place = isLonger ? KINDS_OF.get(term.slice(0, -1)) ?? 0 : 0;
  return place | (KINDS_OF.get(term) ?? 0);
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

import { deepEqual, ok } from "node:assert/strict";
import { SupportChecker, type Verdict } from "#engine/support/mod.ts";
import { loadTable, WordFinder } from "#models/embedding/mod.ts";

const table = loadTable();
const checker = new SupportChecker(table, new WordFinder(table));

/** The verdict of the only sentence, its reason, and what is claimed and found instead. */
function judged(claim: string, ...passages: string[]): unknown[] {
  const [{ verdict, reason, claimed, found }] = checker.check(claim, passages) as [
    ReturnType<SupportChecker["check"]>[number],
  ];
  return [verdict, reason, claimed, found].filter((part) => part !== undefined);
}

const BRIDGE = "The Harbour Bridge is 1,149 m long and was opened by Jack Lang on 19 March 1932.";
const 大桥 = "杭州湾跨海大桥全长36公里，2008年5月1日通车，总投资约118亿元。";

Deno.test("a sentence of a passage is supported, whatever stands around it", () => {
  const answer = `## Answer\n- **${BRIDGE}** [1]\n${大桥}【2】`;
  const passages = ["Nothing here.", `First. ${BRIDGE} Last.`, 大桥];
  deepEqual(
    checker.check(answer, passages).map(({ text, verdict, evidence }) => [text, verdict, evidence?.quote]),
    [
      [`**${BRIDGE}** [1]`, "supported", BRIDGE],
      [`${大桥}【2】`, "supported", 大桥],
    ],
  );
});

Deno.test("the evidence is a place in a passage", () => {
  const passages = ["One. Two.", `Before. ${BRIDGE} After.`];
  const [{ start, end, evidence }] = checker.check(BRIDGE, passages) as [
    ReturnType<SupportChecker["check"]>[number],
  ];
  deepEqual([start, end], [0, BRIDGE.length]);
  deepEqual(evidence, { passage: 1, start: 8, end: 8 + BRIDGE.length, quote: BRIDGE });
});

Deno.test("a value, a unit, a name or a negation that is another one is named with what the passage says", () => {
  const cases: [claim: string, source: string, ...expected: string[]][] = [
    [BRIDGE.replace("1,149", "1,194"), BRIDGE, "number", "1,194 m", "1,149 m"],
    [BRIDGE.replace("19 March", "19 May"), BRIDGE, "date", "19 May 1932", "19 March 1932"],
    [BRIDGE.replace(" m ", " feet "), BRIDGE, "unit", "1,149 feet", "1,149 m"],
    [BRIDGE.replace("Jack Lang", "Tom Ford"), BRIDGE, "name", "Tom Ford", "Jack Lang"],
    [BRIDGE.replace("was opened", "was not opened"), BRIDGE, "negation", "not"],
    ["The bridge was opened.", "The bridge was never opened.", "negation", "open", "never"],
    [大桥.replace("36", "63"), 大桥, "number", "63公里", "36公里"],
    ["仪式在第三十一天举行。", "仪式在第三十天举行。", "number", "第三十一", "第三十"],
    [大桥.replace("5月", "6月"), 大桥, "date", "2008年6月1日", "2008年5月1日"],
    [大桥.replace("公里", "英里"), 大桥, "unit", "36英里", "36公里"],
    [大桥.replace("亿元", "亿美元"), 大桥, "unit", "118亿美元", "118亿元"],
    ["村里有200人。", "村里有200户。", "unit", "200人", "200户"],
    ["村里有二百人。", "村里有200户。", "unit", "二百人", "200户"],
    ["李建华负责的新项目三月通过验收。", "王志强负责的新项目三月通过验收。", "name", "李建华", "王志强"],
    ["这个项目没有通过审批。", "这个项目通过审批。", "negation", "没有"],
    ["离市中心约1英里。", "离市中心约1公里。", "unit", "1英里", "1公里"],
    ["轨距为4米8英寸。", "轨距为4英尺8英寸。", "unit", "4米", "4英尺"],
    [
      "历任主席为王志强，于五月任职。",
      "历任主席为拉津德·帕乔，于五月任职。",
      "name",
      "王志强",
      "拉津德·帕乔",
    ],
  ];
  for (const [claim, source, ...expected] of cases) {
    deepEqual(judged(claim, source), ["conflicting", ...expected], claim);
  }
});

Deno.test("a value that stands in the same sentence for something else does not support another one", () => {
  const source = "In 2010 the city had 30 schools, in 2014 it had 45.";
  deepEqual(judged("In 2014 the city had 30 schools, in 2014 it had 45.", source).slice(0, 2), [
    "conflicting",
    "number",
  ]);
  deepEqual(judged("In 2010 the city had 45 schools, in 2014 it had 45.", source).slice(0, 2), [
    "conflicting",
    "number",
  ]);
});

Deno.test("a value that the same sentence states of another thing is conflicting", () => {
  const cases: [claim: string, source: string, claimed: string, found: string][] = [
    ["Alpha has 5 doors.", "Alpha has 3 doors and Beta has 5 doors.", "5", "3"],
    ["Beta has 3 doors.", "Alpha has 3 doors, Beta has 5.", "3", "5"],
    ["The price of tea is $5.", "The price of coffee is $5 and that of tea is $3.", "$5", "$3"],
    ["The north tower is 90 m high.", "The south tower is 90 m high, the north tower 70 m.", "90 m", "70 m"],
    ["北京有5家工厂。", "北京有3家工厂，上海有5家。", "5", "3"],
  ];
  for (const [claim, source, ...expected] of cases) {
    deepEqual(judged(claim, source), ["conflicting", "number", ...expected], claim);
  }
  const kept: [claim: string, source: string][] = [
    ["Beta has 5 doors.", "Alpha has 3 doors, Beta has 5."],
    ["Meier and Huber scored 8 and 12 points.", "Meier scored 8 points and Huber scored 12 points."],
    ["The Oslo firm has 50 people.", "Founded with 30 people in Oslo, the firm grew to 50 people."],
    ["上海有5家工厂。", "北京有3家工厂，上海有5家。"],
    [
      "He led Team Norway at the 2016 Games.",
      "He led Team Norway at the Baku 2015 Games and the Rio 2016 Games.",
    ],
  ];
  for (const [claim, source] of kept) deepEqual(judged(claim, source), ["supported", "coverage"], claim);
});

Deno.test("a name that the passages have in another role is conflicting", () => {
  const 负责人 = "负责人是张伟。审核人是李娜，她每周一检查备份。";
  const owner =
    "The owner is Anna Schmidt. The reviewer is Maria Keller, and she checks the backups every Monday.";
  const roles = "The architect is Anna Schmidt. The builder is Maria Keller.";
  const joined = "The architect is Anna Schmidt and the builder is Maria Keller.";
  const 角色 = "设计者是王芳。施工者是李娜。";
  const cases: [claim: string, source: string, claimed: string, found: string][] = [
    ["The architect is Maria Keller.", roles, "Maria Keller", "Anna Schmidt"],
    ["Maria Keller is the architect.", roles, "Maria Keller", "Anna Schmidt"],
    ["The architect is Maria Keller.", joined, "Maria Keller", "Anna Schmidt"],
    [
      "The architect is Maria Keller and the builder is Anna Schmidt.",
      roles,
      "Maria Keller",
      "Anna Schmidt",
    ],
    [
      "Paris is the capital of Germany.",
      "Berlin is the capital of Germany. Paris is the capital of France.",
      "Paris",
      "Berlin",
    ],
    ["设计者是李娜。", 角色, "李娜", "王芳"],
    ["设计者是李娜，施工者是王芳。", 角色, "李娜", "王芳"],
    ["负责人是李娜。", 负责人, "李娜", "张伟"],
    ["审核人是张伟。", 负责人, "张伟", "李娜"],
    ["The reviewer is Anna Schmidt.", owner, "Anna Schmidt", "Maria Keller"],
  ];
  const expected = cases.map(([, , ...names]) => ["conflicting", "name", ...names]);
  deepEqual(cases.map(([claim, source]) => judged(claim, source)), expected);
  const supported: [claim: string, source: string][] = [
    ["The architect is Anna Schmidt and the builder is Maria Keller.", roles],
    ["设计者是王芳，施工者是李娜。", 角色],
    ["负责人是张伟，审核人是李娜。", 负责人],
    ["李娜每周一检查备份。", 负责人],
    ["The reviewer is Maria Keller.", owner],
    ["Alice Smith is an architect.", "Alice Smith and Bob Jones are architects."],
    ["The winner is Bob Jones.", "The winners are Alice Smith and Bob Jones."],
    ["Bob Jones designed the tower.", "Alice Smith designed the bridge and Bob Jones the tower."],
    ["王芳是工程师。", "李娜和王芳是工程师。"],
    ["The Harbour Bridge was opened in 2008.", "Harbour Bridge\nIt was opened in 2008 and has six lanes."],
  ];
  deepEqual(supported.map(([claim, source]) => judged(claim, source)[0]), supported.map(() => "supported"));
});

Deno.test("a sentence with a name that no passage has is never supported", () => {
  const 负责人 = "负责人是李娜，她每周一检查备份。";
  deepEqual(judged("Anna Schmidt checks them weekly.", 负责人), ["not_found", "coverage"]);
  deepEqual(judged("李娜每周检查备份。", "Anna Schmidt checks the backups weekly."), [
    "not_found",
    "coverage",
  ]);
  deepEqual(judged("李娜每周一检查备份。", "Li Na checks the backups every Monday.")[0], "supported");
});

Deno.test("a Chinese name is the same in pinyin, another one is not", () => {
  const cases: [claim: string, source: string, verdict: Verdict][] = [
    ["The project manager is Zhang Jianguo.", "项目经理是张建国。", "supported"],
    ["The project manager is Zhang Jian Guo.", "项目经理是张建国。", "supported"],
    ["项目经理是张建国。", "The project manager is Zhang Jianguo.", "supported"],
    ["The project manager is Li Jianguo.", "项目经理是张建国。", "not_found"],
    ["The project manager is Zhang Jianhua.", "项目经理是张建国。", "not_found"],
    ["项目经理是李建国。", "The project manager is Zhang Jianguo.", "not_found"],
    ["刘洋是财务总监。", "刘阳是财务总监。", "conflicting"],
  ];
  deepEqual(cases.map(([claim, source]) => judged(claim, source)[0]), cases.map(([, , verdict]) => verdict));
});

Deno.test("a name in another role is conflicting in the other language too", () => {
  const roles =
    "The person in charge is Zhang Wei. The reviewer is Li Na; she checks the backups every Monday.";
  const 负责人 = "负责人是张伟。审核人是李娜，她每周一检查备份。";
  const 建筑师 = "建筑师是王芳。设计师是李娜。";
  const architect = "The architect is Wang Fang. The designer is Li Na.";
  const cases: [claim: string, source: string, verdict: Verdict][] = [
    ["负责人是李娜。", roles, "conflicting"],
    ["负责人是张伟。", roles, "supported"],
    ["The person in charge is Li Na.", 负责人, "conflicting"],
    ["The person in charge is Zhang Wei.", 负责人, "supported"],
    ["建筑师是李娜。", architect, "conflicting"],
    ["建筑师是王芳。", architect, "supported"],
    ["The architect is Li Na.", 建筑师, "conflicting"],
    ["The architect is Wang Fang.", 建筑师, "supported"],
  ];
  deepEqual(cases.map(([claim, source]) => judged(claim, source)[0]), cases.map(([, , verdict]) => verdict));
});

Deno.test("a range that is turned round is conflicting", () => {
  const cases: [claim: string, source: string, claimed: string, found: string][] = [
    ["The price changed from 5 to 3 dollars.", "The price changed from 3 to 5 dollars.", "5", "3"],
    ["The share went from 5 % to 3 %.", "The share went to 5 % from 3 %.", "5 %", "3 %"],
    ["人数从5万变为到3万。", "人数从3万变为到5万。", "5万", "3万"],
  ];
  for (const [claim, source, ...expected] of cases) {
    deepEqual(judged(claim, source), ["conflicting", "number", ...expected], claim);
  }
  deepEqual(judged("The share went to 5 % from 3 %.", "The share went from 3 % to 5 %."), [
    "supported",
    "coverage",
  ]);
});

Deno.test("large numbers are the same with commas, spaces or apostrophes", () => {
  for (const sign of [" ", "\u202f", "\u2009", "\u00a0", "’"]) {
    const written = `1${sign}234${sign}567`;
    deepEqual(judged(`The city has ${written} inhabitants.`, "The city has 1,234,567 inhabitants."), [
      "supported",
      "coverage",
    ], written);
  }
});

Deno.test("a changed fact is never supported", () => {
  const cases: Record<string, string[]> = {
    "The bridge is 1,149 m long.": [
      "The bridge is less than 1,100 m long.",
      "The bridge is over 1,200 m long.",
      "The bridge is at most 1,000 m long.",
      "The bridge is 1,149 m wide.",
    ],
    "More than 500 guests came.": ["At most 500 guests came.", "Fewer than 500 guests came."],
    "Do not take more than 2 tablets a day.": [
      "Take at least 2 tablets a day.",
      "Do not take more than 3 tablets a day.",
    ],
    "The hall does not hold more than 500 guests.": ["The hall holds more than 500 guests."],
    "The hall holds more than 500 guests.": ["The hall doesn't hold more than 500 guests."],
    "The temperature fell to -5 °C.": ["The temperature fell to 5 °C.", "The temperature rose to -5 °C."],
    "The team won the final 3:2 against Ajax.": [
      "The team won the final 2:3 against Ajax.",
      "The team lost the final 3:2 against Ajax.",
      "Ajax won the final 3:2 against the team.",
    ],
    "The bridge has one lane and four lifts.": [
      "The bridge has four lanes and one lift.",
      "The bridge has two lanes.",
    ],
    "The bridge has four lanes.": ["The bridge has one lane.", "The bridge has a single lane."],
    "She was the first woman to win the prize.": ["She was the second woman to win the prize."],
    "Revenue rose from $20 million in 2019 to $40 million in 2020.": [
      "Revenue was $20 million in 2020.",
      "Revenue rose from $40 million in 2019 to $20 million in 2020.",
      "Revenue fell from $20 million in 2019 to $40 million in 2020.",
    ],
    "There are twice as many men as women.": ["There are twice as many women as men."],
    "Paris has twice as many museums as Berlin.": ["Berlin has twice as many museums as Paris."],
    "The report for the board is in budget.pdf.": ["The report for the board is in budget.docx."],
    "Alice is older than Bob.": ["Bob is older than Alice.", "Alice is younger than Bob."],
    "Dogs are not allowed in the park after 8 pm.": ["Dogs are not allowed in the park before 8 pm."],
    "The drug increases blood pressure in most patients.": [
      "The drug lowers blood pressure in most patients.",
      "The drug increases blood pressure in all patients.",
    ],
    "Python 3.8 is no longer supported.": ["Python 3.8 is supported."],
    "He was born on 3/4/1980 and has two sisters.": ["He has three sisters.", "He was born on 3/5/1980."],
    "The warranty covers the battery but not the screen.": [
      "The warranty does not cover the battery.",
      "The warranty covers the screen but not the battery.",
    ],
    "Microsoft, not Google, bought GitHub.": ["Google, not Microsoft, bought GitHub."],
    "La torre mide 172,5 metros.": ["La torre mide 175,2 metros."],
    "第3条 押金为两个月租金。": ["押金为三个月租金。"],
    "本产品不含糖，适合糖尿病患者。": ["不适合糖尿病患者。"],
    "公司有四家工厂。": ["公司有一家工厂。"],
    "公司有员工1200人。": ["公司有员工不足1000人。", "公司员工超过2000人。"],
    "中国队以3:2战胜日本队。": ["中国队以2:3战胜日本队。", "中国队以3比2负于日本队。"],
    "手机号13800138000，版本v2.6.10。": ["手机号是13800138001。", "版本是v2.6.1。"],
    "未满18周岁者不得入内。": ["18周岁以上者不得入内。"],
    "2023年营业收入同比增长8.3%。": ["2023年营业收入同比下降8.3%。"],
    "甲方应在收到发票后30日内付款，逾期每日计息。": [
      "乙方应在收到发票后30日内付款，逾期每日计息。",
      "甲方应在收到发票前30日内付款，逾期每日计息。",
      "甲方应在收到发票后30日内付款，逾期每月计息。",
    ],
    "2024年第一季度销量为15万辆，第二季度为18万辆。": ["第一季度销量为18万辆。"],
    "公司总部位于苏州。": ["公司总部位于杭州。", "公司总部位于杭州市。"],
    "项目经理是张建国。": ["项目经理是李建国。", "项目经理是张建华。"],
    "刘阳于2019年加入公司，任财务总监。": ["刘洋于2019年加入公司，任财务总监。"],
    "李明毕业于清华大学。": ["李明毕业于北京大学。", "李明毕业于复旦大学。"],
    "北京到上海的高铁最快4小时18分。": ["北京到上海的高铁最慢4小时18分。"],
  };
  const kept = Object.entries(cases).flatMap(([source, claims]) =>
    claims.filter((claim) => judged(claim, source)[0] === "supported")
  );
  deepEqual(kept, []);
});

Deno.test("bounds, ages, negations and joined statements in other words are no conflict", () => {
  const cases: [claim: string, ...sources: string[]][] = [
    ["The bridge is more than 1,100 m long.", "The bridge is 1,149 m long."],
    ["Over 500 guests came.", "More than 500 guests came."],
    ["Take at most 2 tablets a day.", "Do not take more than 2 tablets a day."],
    ["The actor is 35 years old.", "The 35-year-old actor lives in Paris."],
    ["The device doesn't need a password.", "The device works offline and needs no password."],
    ["The warranty does not cover the screen.", "The warranty covers the battery but not the screen."],
    ["The screen is not covered by the warranty.", "The warranty covers the battery but not the screen."],
    ["Python 3.8 is not supported anymore.", "Python 3.8 is no longer supported."],
    [
      "It opened in 1932 and cost £4.2m.",
      "The bridge opened in 1932.",
      "The bridge has eight lanes and cost £4.2 million.",
    ],
    ["The town has 2 hospitals.", "The town has two hospitals."],
    ["大桥全长超过30公里。", "大桥全长36公里。"],
    ["教职工超过2000人。", "教职工2100多人。"],
    ["甲方应在30天内付款。", "甲方应在30日内付款。"],
    ["未经批准的人员不得进入机房。", "不允许未经批准的人员进入机房。"],
    ["人为损坏不在保修范围内。", "保修不包括人为损坏。"],
  ];
  const conflicts = cases.filter(([claim, ...sources]) => judged(claim, ...sources)[0] === "conflicting");
  deepEqual(conflicts, []);
});

Deno.test("equal values in other forms are no difference", () => {
  const pairs: [claim: string, source: string][] = [
    ["三成员工参加了培训。", "30%的员工参加了培训。"],
    ["百分之三十的员工参加了培训。", "三成员工参加了培训。"],
    ["一半员工参加了培训。", "50%的员工参加了培训。"],
    ["三分之二的员工参加了培训。", "2/3 的员工参加了培训。"],
    ["公司有1.2万名员工。", "公司有12,000名员工。"],
    ["公司有12000名员工。", "公司有一万二千名员工。"],
    ["投资3亿2000万元。", "投资3.2亿元。"],
    ["会议于2024年1月18日召开。", "会议于2024-01-18召开。"],
    ["会议于二〇二四年一月十八日召开。", "会议于2024/1/18召开。"],
    ["会议于2024年召开。", "会议于2024年1月18日召开。"],
    ["会议下午2点30分开始。", "会议14:30开始。"],
    ["行李重5公斤。", "行李重5 kg。"],
    ["行李重5千克。", "行李重5000克。"],
    ["行李重10斤。", "行李重5公斤。"],
    ["全程3.2公里。", "全程3200米。"],
    ["气温为零下5度。", "气温为零下5℃。"],
    ["票价为20美元。", "票价为$20。"],
    ["票价为20元。", "票价为人民币20元。"],
    ["课程共三天。", "课程共3天。"],
    ["面积为2公顷。", "面积为20000平方米。"],
    ["Thirty percent of the staff took part.", "30 % of the staff took part."],
    ["Half of the staff took part.", "50 percent of the staff took part."],
    ["Two thirds of the staff took part.", "2/3 of the staff took part."],
    ["The firm has twelve thousand employees.", "The firm has 12,000 employees."],
    ["The firm has 1.5 million users.", "The firm has 1,500,000 users."],
    ["Sales reached $3 billion.", "Sales reached 3,000,000,000 dollars."],
    ["The meeting took place on 18 Jan 2024.", "The meeting took place on January 18, 2024."],
    ["The meeting took place on 2024-01-18.", "The meeting took place on 18th of January 2024."],
    ["The meeting took place in January 2024.", "The meeting took place on 18 January 2024."],
    ["The meeting began at 2:30 pm.", "The meeting began at 14:30."],
    ["The bag weighs 5 kg.", "The bag weighs 5 kilograms."],
    ["The bag weighs 5,000 grams.", "The bag weighs 5 kg."],
    ["The track is 3.2 km long.", "The track is 3,200 metres long."],
    ["The track is 26.2 miles long.", "The track is 26.2 mi. long (26.2 miles)."],
    ["The course takes three days.", "The course takes 3 days."],
    ["The course takes two hours.", "The course takes 120 minutes."],
    ["The lease runs for two years.", "The lease runs for 24 months."],
    ["The disk holds 2 TB.", "The disk holds 2,000 GB."],
    ["He came third, in 3rd place.", "He came third, in 3rd place."],
    ["About 12,000 people came.", "Exactly 12,034 people came."],
  ];
  deepEqual(pairs.length, 40);
  const flagged = pairs.flatMap(([claim, source]) => {
    const [verdict, reason, ...rest] = judged(claim, source);
    return verdict === "supported" ? [] : [[claim, verdict, reason, ...rest]];
  });
  deepEqual(flagged, []);
});

Deno.test("another counter of the same things is no other unit", () => {
  const pairs: [claim: string, source: string][] = [
    ["公司有五辆车。", "公司有5台车。"],
    ["公司有5名员工。", "公司有五个员工。"],
    ["会议有300位代表参加。", "会议有三百名代表参加。"],
  ];
  deepEqual(
    pairs.map(([claim, source]) => judged(claim, source)),
    pairs.map(() => ["supported", "coverage"]),
  );
});

Deno.test("words that mean the same support a sentence, words that only stand in the same places less so", () => {
  const score = (claim: string, source: string) => checker.score(claim, [source]);
  const [same, other] = ["The film earned much money.", "The book earned much money."].map((claim) =>
    score(claim, "The movie earned much money.")
  ) as [number, number];
  ok(same > other, `${same} ${other}`);
  const [相同, 相反] = ["产量增长了。", "产量减少了。"].map((claim) => score(claim, "产量增加了。")) as [
    number,
    number,
  ];
  ok(相同 > 相反, `${相同} ${相反}`);
});

Deno.test("an answer in one language is compared with passages in the other", () => {
  const verdicts = (answer: string, source: string): Verdict[] =>
    checker.check(answer, [source]).map(({ verdict }) => verdict);
  const source = "The bridge across the river was opened in 2008. It has six lanes.";
  deepEqual(verdicts("这座桥有六条车道。", source), ["supported"]);
  deepEqual(verdicts("这座桥于2009年开通。", source), ["conflicting"]);
  deepEqual(verdicts("这座桥有四条车道。", source), ["conflicting"]);
});

Deno.test("questions are left out, and a sentence that no passage supports is not found", () => {
  deepEqual(checker.check("Is it long? 它长吗？", [BRIDGE]), []);
  deepEqual(checker.check("", [BRIDGE]), []);
  deepEqual(judged("The moon is made of cheese.", BRIDGE), ["not_found", "coverage"]);
  deepEqual(judged("The moon is made of cheese."), ["not_found", "coverage"]);
});

Deno.test("an opinion of the speaker is in no passage", () => {
  const source = "Skiing is a competitive winter sport.";
  ok(
    checker.score("I love skiing, my favourite winter sport.", [source]) <
      checker.score("Skiing is a winter sport.", [source]),
  );
});

Deno.test("hostile answers and passages take time in proportion to their length", () => {
  const marks = [
    ...[
      "1",
      "1,",
      "一",
      "十",
      ".",
      "《",
      "a1",
      "Jan ",
      "[1]",
      "**",
      "-",
      " ",
      "万",
      "1月",
      "not ",
      "[",
      "](",
      "(a.b:1",
    ],
    ...[
      "\n|-",
      "|",
      "\n```",
      "no documents ",
      "没有文档",
      "#",
      "·",
      "王·",
      ">",
      "分之",
      "1/",
      ":",
      "half ",
      "根据",
      "\n",
    ],
  ];
  for (const mark of marks) {
    const text = mark.repeat(20_000 / mark.length);
    checker.check(text, ["short"]);
    checker.check("short", [text]);
  }
});

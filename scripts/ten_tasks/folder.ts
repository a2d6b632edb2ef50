import { join } from "node:path";

/** Sentences that fill the long documents. None of them answers a task. */
const FILL = [
  "The committee met in the small hall and went through the list of open points in the usual order.",
  "Several members asked that the papers be sent out a week before the next meeting.",
  "The storage room was cleared, and the shelves were labelled with the numbers of the inventory.",
  "A second opinion was asked for before any further decision on the heating was taken.",
  "Visitors register at the front desk and receive a badge, which they return when they leave.",
  "The old forms remain valid until the stock is used up; new ones are on the shared drive.",
  "Deliveries arrive at the side entrance, because the ramp in front is closed in winter.",
  "Lost property is kept for three months and then given to a charity of the town.",
];
const FILL_ZH = [
  "会议按照惯例逐项讨论了上次留下的问题，并记录了各部门的意见。",
  "仓库已经整理完毕，货架上贴好了新的编号标签。",
  "访客在前台登记并领取胸牌，离开时交还。",
  "旧表格用完为止，新的表格放在共享目录里。",
  "冬季正门坡道关闭，送货请走侧门。",
];

const filler = (list: readonly string[], from: number, count: number, between: string) =>
  Array.from({ length: count }, (_, i) => list[(from * 3 + i) % list.length]).join(between);

/** Revenue of a product on a day: any numbers that differ. */
export function revenue(day: number, product: number): string {
  return ((day * 7919 + product * 104_729) % 90_000 / 100 + 100).toFixed(2);
}

/** The mixed documents by name: tables, long prose, mail, a web page, a notebook, subtitles, in two languages. */
function documents(): Record<string, string> {
  const sales = ["date,product,region,units,revenue"];
  for (let day = 1; day <= 28; day++) {
    for (const [i, product] of ["Widget A", "Widget B", "Widget C", "Gadget D"].entries()) {
      const date = `2024-01-${String(day).padStart(2, "0")}`;
      sales.push(`${date},${product},${["North", "South"][day % 2]},${day + i},${revenue(day, i)}`);
    }
  }
  const minutes = Array.from({ length: 12 }, (_, i) =>
    [
      `## Meeting ${i + 1}`,
      filler(FILL, i, 6, " "),
      i === 7 ? "The repair of the roof cost 18,430 euros, of which the insurance paid 12,000." : "",
      filler(FILL, i + 1, 6, " "),
    ].filter(Boolean).join("\n\n"));
  const terms = [
    "pallet",
    "consignment",
    "backorder",
    "cross-docking",
    "safety stock",
    "lead time",
    "picking",
  ];
  const meanings: Record<string, string> = {
    "cross-docking":
      "Goods that arrive are loaded straight onto outgoing lorries and are never put on a shelf.",
    "safety stock": "The number of units kept back for days on which deliveries are late.",
  };
  const glossary = terms.map((term, i) => `### ${term}\n\n${meanings[term] ?? filler(FILL, i, 2, " ")}`);
  const lease = (year: number, months: string, rent: string) =>
    [
      `# Lease of ${year}`,
      `## Rent\n\nThe rent is ${rent} euros a month, due on the third working day. ${
        filler(FILL, year, 5, " ")
      }`,
      `## Notice\n\nEither party may end the lease with a notice period of ${months} months. ${
        filler(FILL, year + 1, 5, " ")
      }`,
      `## House rules\n\n${filler(FILL, year + 2, 8, " ")}`,
    ].join("\n\n");
  const budget = ["| 月份 | 科目 | 预算（元） | 实际（元） |", "|---|---|---|---|"];
  for (let month = 1; month <= 12; month++) {
    for (const [i, item] of ["差旅费", "办公用品", "培训费", "设备维护"].entries()) {
      budget.push(`| ${month} 月 | ${item} | ${month * 1000 + i * 137} | ${month * 990 + i * 151} |`);
    }
  }
  return {
    "sales-2024-01.csv": `${sales.join("\n")}\n`,
    "minutes.md": `# Minutes of the house committee\n\n${minutes.join("\n\n")}\n`,
    "glossary.md": `# Warehouse glossary\n\n${glossary.join("\n\n")}\n`,
    "lease-2022.md": lease(2022, "three", "1,150"),
    "lease-2023.md": lease(2023, "six", "1,240"),
    "lisbon.eml": [
      "From: Ana Moreira <ana@example.org>",
      "To: Travel desk <travel@example.org>",
      "Subject: Trip to Lisbon",
      "Date: Tue, 05 Mar 2024 10:00:00 +0000",
      "",
      "Dear colleagues,",
      "",
      "the trip to Lisbon in April was approved by Henrik Solberg on Monday. Please book the train for two.",
      "",
      filler(FILL, 4, 6, "\n"),
    ].join("\r\n"),
    "handbook.html": `<html><head><title>Handbook</title></head><body><h1>Handbook</h1>${
      Array.from({ length: 10 }, (_, i) => `<h2>Part ${i + 1}</h2><p>${filler(FILL, i, 8, " ")}</p>`).join("")
    }<h2>Parking</h2><p>Bicycles are parked behind the kitchen. Cars need permit P-47, which the caretaker issues.</p></body></html>`,
    "机器保养.md": `# 机器保养\n\n${
      filler(FILL_ZH, 0, 10, "")
    }\n\n## 咖啡机\n\n咖啡机每六周用白醋除垢一次，然后用两升清水冲洗。${filler(FILL_ZH, 2, 8, "")}\n`,
    "预算.md": `# 部门预算\n\n${filler(FILL_ZH, 1, 6, "")}\n\n${budget.join("\n")}\n`,
    "talk.srt": Array.from(
      { length: 30 },
      (_, i) =>
        `${i + 1}\n00:${String(i).padStart(2, "0")}:00,000 --> 00:${String(i).padStart(2, "0")}:50,000\n${
          i === 21 ? "Our first server ran on a laptop in Maya's kitchen." : FILL[i % FILL.length]
        }\n`,
    ).join("\n"),
  };
}

/** Writes the mixed documents into a new folder. */
export async function writeMixedDocuments(folder: string): Promise<void> {
  await Deno.mkdir(folder, { recursive: true });
  for (const [name, text] of Object.entries(documents())) await Deno.writeTextFile(join(folder, name), text);
}

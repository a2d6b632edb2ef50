/** The lines of the scanned pages in this folder. `scripts/recognition_samples.ts` draws them. */
export const PAGES: Readonly<Record<"zh" | "en", readonly string[]>> = {
  zh: [
    "数据中心的搬迁工作在第四季度完成，共迁移服务器",
    "三百台。保修期自验收之日起计算，为期三年。",
    "联系电话 010-62345678，合同编号 HT-2023-0457。",
  ],
  en: [
    "The warranty period begins on the day of acceptance",
    "and lasts three years. Claims must be filed in writing",
    "within fourteen days. Invoice 2023-0457: $12,480.50",
  ],
};

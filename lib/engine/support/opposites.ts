/**
 * Words that exclude each other: the vectors and the translations of `increase` and `decrease`, of 甲方 and 乙方 are near, and a sentence
 * with the one does not support a sentence with the other.
 */
import { wordTerms } from "#engine/index/mod.ts";
import { areOtherPlaces, isPlace } from "./names.ts";
import type { Word } from "./words.ts";

/** Groups between semicolons; in a group, the words on each side of a bar exclude those on the other sides. */
const GROUPS = `
increase increases increased increasing rise rises rose risen rising grow grows grew grown growing raise raised raises climb climbed gain gained | decrease decreased
 decreases decreasing fall falls fell fallen falling decline declined declining drop dropped lower lowers lowered reduce reduced reduces shrink shrank shrunk loss;
open opens opened opening | close closed closes closing; win won wins winning beat defeated | lose lost loses losing;
begin begins began begun start started starts | end ended ends finish finished; before | after; maximum highest | minimum lowest; most | some few all | none;
fastest | slowest; oldest | youngest; older | younger; more | fewer less; largest biggest | smallest; longest | shortest; first | last; cheaper | dearer; daily | weekly | monthly | yearly annually annual;
male men man boys | female women woman girls; import imports imported | export exports exported; buy bought buys | sell sold sells; profit | loss losses;
always | never sometimes; allowed permitted allows | forbidden prohibited; accept accepted accepts | reject rejected rejects; north northern | south southern; east eastern | west western; left | right; wide width | long length | high height | deep depth;
install | uninstall; enable enabled enables | disable disabled disables; online | offline; include included includes | exclude excluded excludes; adults adult | children child kids; brother brothers | sister sisters; son sons | daughter daughters; mother | father;
monday | tuesday | wednesday | thursday | friday | saturday | sunday;
增长 增加 上升 提高 升高 上涨 增多 增大 扩大 | 下降 减少 降低 下跌 下滑 回落 减小 缩小; 盈利 | 亏损; 最高 | 最低; 最大 | 最小; 最快 | 最慢; 最多 | 最少; 最长 | 最短; 最早 | 最晚; 快 | 慢; 高 | 低; 大 | 小; 多 | 少;
前 之前 以前 | 后 之后 以后; 男 男性 男子 男员工 男生 | 女 女性 女子 女员工 女生; 甲方 甲 | 乙方 乙 | 丙方 丙; 进口 | 出口; 买入 买 购买 | 卖出 卖 出售; 允许 | 禁止; 支持 赞成 | 反对; 赢 战胜 击败 获胜 | 输 负 负于 失败; 成人 成年人 | 儿童 未成年人; 每日 每天 日均 | 每周 | 每月 月均 | 每年 年均;
上午 早上 | 下午 | 晚上; 周一 星期一 | 周二 星期二 | 周三 星期三 | 周四 星期四 | 周五 星期五 | 周六 星期六 | 周日 星期日; 上级 上司 | 下级 下属; 开始 | 结束; 打开 开启 启用 | 关闭 禁用; 全部 所有 | 部分 少数; 买方 | 卖方; 收入 | 支出; 总裁 | 副总裁; 东部 | 西部; 南部 | 北部; 宽 | 长 全长 | 高
`;

/** For each term the groups that have it, with its side there. */
const SIDES = new Map<string, Map<number, number>>();
for (const [group, sides] of GROUPS.split(";").entries()) {
  for (const [side, words] of sides.split("|").entries()) {
    for (const word of words.match(/\S+/g) ?? []) {
      const term = /^\p{Script=Han}/u.test(word) ? word : wordTerms(word)[0] ?? word;
      const known = SIDES.get(term) ?? new Map<number, number>();
      SIDES.set(term, known.set(group, side));
    }
  }
}

/** Whether a word is one of those that exclude others. */
export function hasOpposite({ term }: Word): boolean {
  return SIDES.has(term) || isPlace(term);
}

/** Whether two words of one language exclude each other. */
export function areOpposite({ term: a }: Pick<Word, "term">, { term: b }: Pick<Word, "term">): boolean {
  if (a === b) return false;
  if (haveOtherHeads(a, b) || areOtherPlaces(a, b)) return true;
  const [ofA, ofB] = [SIDES.get(a) ?? [], SIDES.get(b)];
  const shared = Array.from(ofA).filter(([group]) => ofB?.has(group));
  return shared.length > 0 && shared.every(([group, side]) => ofB!.get(group) !== side);
}

/** Whether two Chinese words end alike and begin with other characters: 北京大学, 清华大学. Both are translated as "university". */
function haveOtherHeads(a: string, b: string): boolean {
  return a.length >= 4 && b.length >= 4 && a.slice(-2) === b.slice(-2) && a.slice(0, 2) !== b.slice(0, 2) &&
    /^\p{Script=Han}/u.test(a);
}

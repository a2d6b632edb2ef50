import { loadTable } from "#models/embedding/mod.ts";
import { SupportChecker } from "/work/wt/verify/lib/engine/support/mod.ts";
import { sentencesOf } from "/work/wt/verify/lib/engine/support/mod.ts";
const c = new SupportChecker(loadTable());
let seed = 11; const rnd = () => (seed = Math.imul(seed ^ seed >>> 15, 0x2c1b3c6d) + 0x9e3779b9 | 0, (seed >>> 0) / 2 ** 32); const pick = <T>(a: readonly T[]) => a[Math.floor(rnd() * a.length)]!;
const docs = (n: string) => Deno.readTextFileSync(`/work/shared/eval/${n}/corpus.jsonl`).trim().split("\n").map((l) => JSON.parse(l).text as string);
const sets: Record<string, string[]> = { en: docs("xquad-en"), zh: [...docs("xquad-zh"), ...docs("cmrc2018-zh")] };
const NAMES_EN = ["Kowalski", "Brisbane", "Hendricks", "Norway", "Okafor", "Valencia", "Tanaka", "Oregon", "Petrov", "Kenya"];
const NAMES_ZH = ["挪威", "奥克兰", "李建华", "彼得罗夫", "肯尼亚", "田中一郎", "瓦伦西亚", "王志强"];
const regionZh = new Intl.DisplayNames(["zh"], { type: "region" });
const countries = "US GB FR DE JP CN RU IT ES IN KR CA AU BR MX EG TR GR PL NL SE NO DK FI CH AT BE PT IE IR IQ IL VN TH MY SG ID PH NZ ZA KE NG AR CL PE CO CU".split(" ").map((r) => regionZh.of(r)!);
const UNITS_EN: [RegExp, string][] = [[/(?<=\d )kilometers\b/, "miles"], [/(?<=\d )km\b/, "miles"], [/(?<=\d )miles\b/, "kilometers"], [/(?<=\d )million\b/, "billion"], [/(?<=\d )billion\b/, "million"], [/(?<=\d )years\b/, "months"], [/(?<=\d )percent\b/, "years"], [/(?<=\d)%/, " kg"], [/(?<=\d )feet\b/, "meters"], [/(?<=\d )(?:metres|meters|m)\b/, "feet"], [/(?<=\d )days\b/, "weeks"], [/(?<=\d )hours\b/, "days"], [/\$(?=\d)/, "€"], [/£(?=\d)/, "$"], [/(?<=\d )kg\b/, "pounds"], [/(?<=\d )tons\b/, "kg"]];
const UNITS_ZH: [RegExp, string][] = [[/(?<=\d ?)公里/, "英里"], [/(?<=\d ?)英里/, "公里"], [/(?<=\d ?)万(?!人)/, "亿"], [/(?<=\d ?)米/, "英尺"], [/(?<=\d ?)%/, "公斤"], [/(?<=\d ?)美元/, "欧元"], [/(?<=\d ?)公斤/, "磅"], [/(?<=\d ?)天/, "周"], [/(?<=\d ?)小时/, "天"], [/(?<=\d ?)平方公里/, "平方英里"], [/(?<=\d ?)英尺/, "米"], [/(?<=\d ?)吨/, "公斤"], [/(?<=\d ?)分钟/, "小时"], [/(?<=\d ?)人民币/, "美元"], [/(?<=\d)元/, "美元"]];
function changeDigit(s: string) { const i = Math.floor(rnd() * s.length); let d; do d = String(Math.floor(rnd() * 10)); while (d === s[i] || i === 0 && d === "0"); return s.slice(0, i) + d + s.slice(i + 1); }
const M = "January February March April May June July August September October November December".split(" ");
type Mut = (s: string) => string | undefined;
const muts: Record<string, Record<string, Mut>> = {
  en: {
    number: (s) => { const all = [...s.matchAll(/(?<![\d.,\w-])\d+(?:,\d{3})*(?:\.\d+)?(?![\d\w]|-\w)/g)].filter((m) => !/^(1[0-9]\d\d|20\d\d)$/.test(m[0])); if (!all.length) return; const m = pick(all); const num = m[0]; const at = [...num].map((ch, i) => /\d/.test(ch) ? i : -1).filter((i) => i >= 0); const i = pick(at); let d; do d = String(1 + Math.floor(rnd() * 9)); while (d === num[i]); return s.slice(0, m.index) + num.slice(0, i) + d + num.slice(i + 1) + s.slice(m.index + num.length); },
    date: (s) => { const all = [...s.matchAll(/\b(1[0-9]\d\d|20[012]\d)\b(?!s)/g)]; const mm = [...s.matchAll(new RegExp(`\\b(${M.join("|")})\\b(?= \\d|,? \\d{4})`, "g"))]; if (mm.length && (rnd() < .5 || !all.length)) { const m = pick(mm); let o; do o = pick(M); while (o === m[0]); return s.slice(0, m.index) + o + s.slice(m.index + m[0].length); } if (!all.length) return; const m = pick(all); let y; do y = String(Number(m[0]) + Math.floor(rnd() * 19) - 9); while (y === m[0] || s.includes(y)); return s.slice(0, m.index) + y + s.slice(m.index + 4); },
    unit: (s) => { const able = UNITS_EN.filter(([r]) => r.test(s)); if (!able.length) return; const [r, t] = pick(able); return s.replace(r, t); },
    name: (s) => { const all = [...s.matchAll(/(?<=[a-z,] )\p{Lu}\p{Ll}{3,}\b/gu)].filter((m) => !M.includes(m[0]) && !/^(The|This|These)/.test(m[0])); if (!all.length) return; const m = pick(all); return s.slice(0, m.index) + pick(NAMES_EN) + s.slice(m.index + m[0].length); },
    negation: (s) => { if (/\b(not|no|never|n't|without)\b/.test(s)) return rnd() < .5 && / not /.test(s) ? s.replace(/ not /, " ") : undefined; const m = /\b(is|was|are|were|has|have|had|can|could|will|would|should|may|must)\b(?= \w)/.exec(s); return m ? s.slice(0, m.index + m[0].length) + " not" + s.slice(m.index + m[0].length) : undefined; },
  },
  zh: {
    number: (s) => { const all = [...s.matchAll(/(?<![\d.,\w-])\d+(?:,\d{3})*(?:\.\d+)?(?![\d\w年月日]|-\w)/g)].filter((m) => !/^(1[0-9]\d\d|20\d\d)$/.test(m[0])); if (!all.length) return; const m = pick(all); const num = m[0]; const at = [...num].map((ch, i) => /\d/.test(ch) ? i : -1).filter((i) => i >= 0); const i = pick(at); let d; do d = String(1 + Math.floor(rnd() * 9)); while (d === num[i]); return s.slice(0, m.index) + num.slice(0, i) + d + num.slice(i + 1) + s.slice(m.index + num.length); },
    date: (s) => { const all = [...s.matchAll(/(?<!\d)(?:1\d{3}|20[012]\d)(?= ?年)|(?<=月)\d{1,2}(?=日)|(?<=年)\d{1,2}(?=月)/g)]; if (!all.length) return; const m = pick(all); let y; if (m[0].length === 4) do y = String(Number(m[0]) + Math.floor(rnd() * 19) - 9); while (y === m[0] || s.includes(y)); else do y = String(1 + Math.floor(rnd() * 12)); while (Number(y) === Number(m[0])); return s.slice(0, m.index) + y + s.slice(m.index + m[0].length); },
    unit: (s) => { const able = UNITS_ZH.filter(([r]) => r.test(s)); if (!able.length) return; const [r, t] = pick(able); return s.replace(r, t); },
    name: (s) => { const all = [...s.matchAll(/[\p{Script=Han}]{1,4}·[\p{Script=Han}]{1,5}(?=[是在的和于出，、])/gu), ...countries.flatMap((k) => { const at = s.indexOf(k); return at < 0 ? [] : [Object.assign([k], { index: at })]; })]; if (!all.length) return; const m = pick(all) as RegExpMatchArray; let o; do o = m[0].includes("·") ? pick(NAMES_ZH) : pick(countries); while (s.includes(o)); return s.slice(0, m.index) + o + s.slice(m.index! + m[0].length); },
    negation: (s) => { if (/[不没未无非]/.test(s)) return undefined; for (const [r, t] of [[/(?<![就只但可于总还乃即若])是(?!否|非)/, "不是"], [/可以/, "不可以"], [/(?<=[\p{Script=Han}])能够/u, "不能够"], [/(?<![所拥具只还含])有(?=[\p{Script=Han}])(?!关|限|效|机|名|些)/u, "没有"], [/会(?=被|在|将|使)/, "不会"]] as [RegExp, string][]) if (r.test(s)) return s.replace(r, t); },
  },
};
const show = Number(Deno.args[0] ?? 0);
for (const lang of ["en", "zh"]) {
  const D = sets[lang]!;
  const all = D.flatMap((d, i) => sentencesOf(d).map(({ start, end }) => ({ i, s: d.slice(start, end) }))).filter(({ s }) => s.length > (lang === "en" ? 40 : 15) && s.length < 400 && !/[?？]$/.test(s));
  const near = (i: number) => [D[i]!, ...Array.from({ length: 9 }, (_, k) => D[(i + 1 + k) % D.length]!)];
  for (let k = all.length - 1; k > 0; k--) { const j = Math.floor(rnd() * (k + 1)); [all[k], all[j]] = [all[j]!, all[k]!]; }
  let flagged = 0; const why: string[] = [];
  const t0 = performance.now();
  for (const { i, s } of all.slice(0, 500)) { const r = c.check(s, near(i)); const bad = r.find((x) => x.verdict !== "supported"); if (bad) { flagged++; why.push(`${bad.reason} ${bad.claimed} -> ${bad.found} ${bad.score.toFixed(2)} | ${s} ||| ${bad.evidence?.quote}`); } }
  console.log(lang, "verbatim flagged", flagged, "of 500", ((performance.now() - t0) / 500).toFixed(1), "ms each"); why.slice(0, show).forEach((w) => console.log("   ", w));
  for (const [name, mut] of Object.entries(muts[lang]!)) {
    let n = 0, hit = 0, conflict = 0, right = 0; const missed: string[] = [];
    for (const { i, s } of all) { if (n >= 300) break; const m = mut(s); if (m === undefined || m === s || D[i]!.includes(m)) continue; n++; const r = c.check(m, near(i)); const bad = r.find((x) => x.verdict !== "supported"); if (bad) { hit++; if (bad.verdict === "conflicting") conflict++; if (bad.reason === name || name === "date" && bad.reason === "number" || name==="unit" && bad.reason==="number") right++; } else missed.push(`${m} ||| ${s}`); }
    console.log("  ", lang, name, `found ${hit} of ${n} = ${(hit / n).toFixed(3)}, conflicting ${conflict}, reason right ${right}`); missed.slice(0, show).forEach((w) => console.log("       ", w));
  }
}

import { deepEqual, equal } from "node:assert/strict";
import * as fc from "fast-check";
import {
  comparableForms,
  dateOf,
  mayHoldValues,
  numberOf,
  writtenValues,
} from "#foundation/written_values.ts";
import { fuzz } from "../_fuzz.ts";

Deno.test("dates of every form are one value, and numbers lose the separators between thousands", () => {
  const day = [
    ...[
      "2024-01-18",
      "2024/1/18",
      "2024.1.18",
      "2024年1月18日",
      "2024 年 1 月 18 号",
      "二〇二四年一月十八日",
    ],
    ...["18 Jan 2024", "18-Jan-2024", "18th of January 2024", "January 18, 2024", "Jan. 18th 2024"],
    ...["18.1.2024", "18/01/2024", "1/18/2024", "2024-01-18T09:30:00Z", "(2024-01-18)"],
  ];
  for (const text of day) deepEqual(writtenValues(text), ["2024-01-18"], text);
  deepEqual(writtenValues("二零一九年十二月三十一日 and 一九九八年十一月廿一日"), [
    "2019-12-31",
    "1998-11-21",
  ]);
  deepEqual(writtenValues("1,234.5 of 1,234,567"), ["1234.5", "1234567"]);
  deepEqual(writtenValues('A1,2024-01-18,"1,234.5",7'), ["2024-01-18", "1234.5"]);
});

Deno.test("a text that can be read in two ways, or is no date or number, is no value", () => {
  const none = [
    ...["1/2/2024", "2024-13-01", "2023-02-29", "2024-00-10", "0999-01-01", "May 2024", "2024年1月"],
    ...[
      "1.2.2024.5",
      "10.1.2.3",
      "1,2,3",
      "12,34",
      "1234,567",
      "1,2345",
      "0,123",
      "1,234,5",
      "1/2/3",
      "12345678-01-18",
    ],
  ];
  for (const text of none) deepEqual(writtenValues(text), [], text);
});

Deno.test("numbers with and without separators, and with zeros at the end, are one value", () => {
  deepEqual(
    comparableForms("1,234.50, then 1234.5 on January 18, 2024 by A1234, 1.5 and 2024-1"),
    [
      { words: "1,234.50", value: "1234.5" },
      { words: "January 18, 2024", value: "2024-01-18" },
      { words: "1234.5", value: "1234.5" },
    ],
  );
});

Deno.test("a fraction of 200,000 zeros is compared in linear time", () => {
  const [separated, plain] = comparableForms(`1,234.${"0".repeat(200_000)}1 1234.${"0".repeat(200_000)}`)
    .map(({ value }) => value);
  deepEqual([separated?.length, plain], [200_006, "1234"]);
});

Deno.test("a cell is a date, with its time if it has one, or it is none", () => {
  equal(dateOf("2024年1月18日"), "2024-01-18");
  equal(dateOf("Thu, 18 Jan 2024 09:05:00 +0100"), "2024-01-18T09:05:00");
  equal(dateOf("January 18, 2024 5:30 PM"), "2024-01-18T17:30:00");
  equal(dateOf("2024/1/18 12:05 am"), "2024-01-18T00:05:00");
  for (const text of ["", "soon", "2024", "until 2024-01-18", "January 18, 2024 or so"]) {
    equal(dateOf(text), undefined);
  }
});

Deno.test("a cell is a number in any script, with a currency, a unit or brackets, or it is none", () => {
  const numbers = {
    "1,234.5": 1234.5,
    "１２３４．５": 1234.5,
    "−4": -4,
    "(300)": -300,
    "¥1,200": 1200,
    "12%": 12,
  };
  for (const [text, number] of Object.entries(numbers)) equal(numberOf(text), number, text);
  deepEqual([numberOf("1.5万"), numberOf("5 USD"), numberOf("1e3"), numberOf(".5")], [15000, 5, 1000, 0.5]);
  for (const text of ["", "-", "3 kg", "2024-01-18", "1,2", "A1"]) equal(numberOf(text), undefined, text);
});

Deno.test("mayHoldValues() passes over no text that has a value, and over most that have none", () => {
  const holds = (text: string) => {
    const units = Uint16Array.from(`${text}\0`, (unit) => unit.charCodeAt(0));
    return mayHoldValues(units, text.length);
  };
  const parts = fc.constantFrom(
    ..."2024|1,234|18|1|January|of |th|Sept. |年|月|日|二〇二四|十|零|○".split("|"),
    ..."-/., a",
  );
  const property = fc.property(fc.array(parts, { maxLength: 8 }), (texts) => {
    const text = texts.join("");
    if (writtenValues(text).length > 0) equal(holds(text), true, text);
  });
  fc.assert(property, fuzz(20_000));
  for (const text of ["2024-01-18", "1,234", "18 Jan 2024", "Jan 1, 2024"]) equal(holds(text), true, text);
  for (const text of ["", "in 2024", "12 pumps", "v1.x", "3. step", "一个", "12345"]) {
    equal(holds(text), false, text);
  }
});

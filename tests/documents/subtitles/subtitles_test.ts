import assert from "node:assert/strict";
import { loader } from "#documents/formats/subtitles.ts";

const load = (text: string, path = "a.srt") => loader.load(new TextEncoder().encode(text), { path });

Deno.test("SubRip cues become paragraphs; a pause begins a new one; the text has the time once a minute", async () => {
  const document = await load(
    "1\r\n00:00:01,000 --> 00:00:03,000\r\n<i>We are</i>\r\nin New York.\r\n\r\n2\r\n00:00:03,500 --> 00:00:05,000\r\n{\\an8}今天天气\r\n\r\n3\r\n01:00:09,000 --> 01:00:10,000\r\nLater &amp; on\r\n",
  );
  assert.deepEqual(document, {
    text: "[00:00:01] We are in New York. 今天天气\n\n[01:00:09] Later & on\n",
    sections: [],
    pages: [{ number: 1, label: "00:00:01", start: 0, end: 36 }, {
      number: 2,
      label: "01:00:09",
      start: 36,
      end: 59,
    }],
    pageUnit: "time",
  });
});

Deno.test("WebVTT keeps speakers, and drops notes, styles and repeated lines of live captions", async () => {
  const { text } = await load(
    `WEBVTT - Talk\n\nNOTE made by hand\n\nSTYLE\n::cue { color: red }\n\n00:11.000 --> 00:13.000 align:left\n<v Roger Bingham>Hello\n
id 2\n00:13.000 --> 00:14.000\n<v Roger Bingham>Hello\n<v Roger Bingham>there<00:13.500><c> all</c>\n\n00:14.000 --> 00:15.000\n<v.loud Neil>Hi\n`,
    "a.vtt",
  );
  assert.equal(text, "[00:11] Roger Bingham: Hello there all\n\nNeil: Hi\n");
});

Deno.test("two voices in one WebVTT cue are two speakers", async () => {
  const { text } = await load(
    "WEBVTT\n\n00:01.000 --> 00:03.000\n- <v Ann>Tea &amp; milk?</v>\n- <v Bob>Please.\n\n00:03.000 --> 00:04.000\n<v Bob>Thanks.",
    "a.vtt",
  );
  assert.equal(text, "[00:01] Ann: Tea & milk?\n\nBob: Please. Thanks.\n");
});

Deno.test("SubStation Alpha and lyrics are ordered by time", async () => {
  const ass = await load(
    "[Script Info]\nTitle: 电影\n\n[Events]\nFormat: Layer, Start, End, Style, Name, Text\nDialogue: 0,0:00:09.00,0:00:10.00,Default,,Second, with comma\nDialogue: 0,0:00:01.00,0:00:02.00,Default,Ann,{\\b1}First\\Nline\n",
    "a.ass",
  );
  assert.deepEqual([ass.title, ass.text], [
    "电影",
    "[00:01] Ann: First line\n\nSecond, with comma\n",
  ]);
  const lrc = await load("[ti:歌]\n[ar:X]\n[00:12.00][01:00.00]再来\n[00:20.50]第二\n", "a.lrc");
  assert.deepEqual([lrc.title, lrc.text], ["歌", "[00:12] 再来\n\n第二\n\n再来\n"]);
});

Deno.test("cues without empty lines, and cut-off, other and empty files, keep their text", async () => {
  const dense = "1\n00:01 --> 00:02\na\n2\n00:02 --> 00:03\nb";
  assert.equal((await load(dense)).text, "[00:01] a b\n");
  assert.equal((await load("1\n00:00:01,000 --> 00:00:02,000\nWe ar")).text, "[00:01] We ar\n");
  assert.equal((await load("Just a text.\n\nTwo paragraphs.")).text, "Just a text.\n\nTwo paragraphs.\n");
  assert.equal((await load("")).text, "");
});

Deno.test("each mark repeated 200,000 times takes linear time", async () => {
  for (const mark of ["<v.", "<v ", "<v.a b>", "<", ".", "-\n"]) {
    const { text } = await load(`WEBVTT\n\n00:01.000 --> 00:02.000\nTea ${mark.repeat(200_000)}`, "a.vtt");
    assert.ok(text.startsWith("[00:01] Tea"), mark);
  }
});

import { deepEqual, equal } from "node:assert/strict";
import { formatBytes, formatDuration, formatTime } from "#program/progress.ts";

Deno.test("formatBytes() keeps two or three digits", () => {
  deepEqual(
    [0, 999, 1000, 1540, 9_960, 99_499, 999_499, 999_500, 1_000_000, 123_456_789, 5e12, 5e16].map(
      formatBytes,
    ),
    [
      "0 B",
      "999 B",
      "1.0 kB",
      "1.5 kB",
      "10 kB",
      "99 kB",
      "999 kB",
      "1.0 MB",
      "1.0 MB",
      "123 MB",
      "5.0 TB",
      "50000 TB",
    ],
  );
});

Deno.test("formatDuration() shows the two largest units", () => {
  deepEqual(
    [0, 0.0042, 0.42, 1, 1.25, 59.6, 100, 725, 12_000].map(formatDuration),
    ["0 s", "0.004 s", "0.42 s", "1 s", "1.3 s", "60 s", "1 min 40 s", "12 min 5 s", "3 h 20 min"],
  );
});

Deno.test("formatTime() gives local time", () => {
  equal(formatTime(new Date(2026, 0, 31, 9, 5, 0)), "2026-01-31 09:05:00");
});

import { deepEqual, equal, throws } from "node:assert/strict";
import { Buffer } from "node:buffer";
import { universalBinary } from "../../scripts/bundle/universal_binary.ts";
import { machO } from "./_fake_release.ts";

const X64 = 7;
const ARM64 = 12;

Deno.test("universalBinary() lists the parts, arm64 last, and starts each part at a page of 16 KiB", () => {
  const arm = machO(ARM64, "arm");
  const intel = machO(X64, "intel");
  const joined = Buffer.from(universalBinary([arm, intel]));
  equal(
    joined.toString("hex", 0, 48),
    [
      "cafebabe 00000002",
      "01000007 00000000 00004000 00000011 0000000e",
      "0100000c 00000000 00008000 0000000f 0000000e",
    ].join("").replaceAll(" ", ""),
  );
  deepEqual(joined.subarray(0x4000, 0x4000 + intel.length), Buffer.from(intel));
  deepEqual(joined.subarray(0x8000), Buffer.from(arm));
});

Deno.test("universalBinary() refuses files that are not Mach-O, and two parts for the same processor", () => {
  throws(() => universalBinary([new TextEncoder().encode("#!/bin/sh\n# no Mach-O")]), /Not a 64-bit Mach-O/);
  throws(() => universalBinary([machO(X64, "a"), machO(X64, "b")]), /same processor/);
});

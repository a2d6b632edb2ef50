import { deepEqual } from "node:assert/strict";
import { canShow, showCommand } from "#foundation/boundary/show.ts";
import { posixTest } from "../../_posix.ts";

const ADDRESS = "http://127.0.0.1:41234/#code=AbCdEfGhIjKlMnOpQrStUv";

Deno.test("the address of the pages is opened by the system's own program, without a shell", () => {
  deepEqual(showCommand({ address: ADDRESS }, "linux"), ["xdg-open", ADDRESS]);
  deepEqual(showCommand({ address: ADDRESS }, "darwin"), ["open", ADDRESS]);
  deepEqual(showCommand({ address: ADDRESS }, "windows"), [
    "rundll32.exe",
    "url.dll,FileProtocolHandler",
    ADDRESS,
  ]);
});

Deno.test("no other address is opened, and no option of the program", () => {
  const others = [
    ...["https://evil.example/#code=A", "http://evil.example:1/#code=A", "file:///etc/passwd", "--help"],
    ...[
      "http://127.0.0.1:1/search#code=A",
      "http://127.0.0.1:1/#code=A&calc.exe",
      "http://127.0.0.1.evil.example/#code=A",
    ],
    ...["http://127.0.0.1:1/", "http://user@127.0.0.1:1/#code=A", `${ADDRESS}\nx`, ""],
  ];
  for (const address of others) deepEqual(showCommand({ address }, "linux"), undefined, address);
});

posixTest("a file is shown in its folder and never opened", () => {
  deepEqual(showCommand({ file: "/notes/a, b.desktop" }, "linux"), [
    ...["dbus-send", "--session", "--type=method_call", "--dest=org.freedesktop.FileManager1"],
    ...["/org/freedesktop/FileManager1", "org.freedesktop.FileManager1.ShowItems"],
    ...["array:string:file:///notes/a%2C%20b.desktop", "string:"],
  ]);
  deepEqual(showCommand({ file: "/notes/x.app" }, "darwin"), ["open", "-R", "/notes/x.app"]);
  deepEqual(showCommand({ file: "C:\\notes\\a, b.exe" }, "windows"), [
    "explorer.exe",
    '/select,"C:\\notes\\a, b.exe"',
  ]);
  for (const file of ['C:\\a" /x', "-x", "x.exe", "/root,C:", ""]) {
    deepEqual([showCommand({ file }, "windows"), file], [undefined, file]);
  }
  for (const file of ["-x", "x.app", ""]) {
    deepEqual([showCommand({ file }, "darwin"), file], [undefined, file]);
  }
  deepEqual(
    showCommand({ file: "/notes/-a\n%2C'b.md" }, "linux")?.at(-2),
    "array:string:file:///notes/-a%0A%252C'b.md",
  );
});

Deno.test("on Linux nothing is shown without a desktop", () => {
  deepEqual([canShow({}, "linux"), canShow({ DISPLAY: ":0" }, "linux"), canShow({}, "darwin")], [
    false,
    true,
    true,
  ]);
});

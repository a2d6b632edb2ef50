/**
 * An attacker's process that exchanges two paths atomically, again and again, until it is killed. Writes a line when it has
 * begun, or the error number of the system.
 */
const AT_FDCWD = -100;
const RENAME_EXCHANGE = 2;

const libc = Deno.dlopen("libc.so.6", {
  renameat2: { parameters: ["i32", "buffer", "i32", "buffer", "u32"], result: "i32" },
});
const [one, other] = Deno.args.map((path) => new TextEncoder().encode(`${path}\0`)) as [
  Uint8Array<ArrayBuffer>,
  Uint8Array<ArrayBuffer>,
];
const exchange = () => libc.symbols.renameat2(AT_FDCWD, one, AT_FDCWD, other, RENAME_EXCHANGE);

Deno.stdout.writeSync(new TextEncoder().encode(exchange() === 0 ? "begun\n" : "not possible\n"));
for (;;) exchange();

/** Whether two looks were at the same file: device and file number agree, where the system has such numbers. */
export function isSameFile(a: Deno.FileInfo, b: Deno.FileInfo): boolean {
  return (a.ino === null || b.ino === null || a.ino === b.ino) && (!a.dev || !b.dev || a.dev === b.dev);
}

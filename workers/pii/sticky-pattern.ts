/**
 * Whether the sticky pattern matches at `at`. A pattern that is not tried is not touched either, so
 * that it stays out of the cache of the CPU.
 */
export function testAt(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}

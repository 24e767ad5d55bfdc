// Log lines repeat words, so the counts of short parts are cached, in arrays: a map would need a
// string for every part, which takes longer to make and to look up than the part takes to be read.

/** Number of cached parts, a power of two. A part has one slot, and replaces an earlier one. */
const slotCount = 2 ** 15;
/** Code units of a cached part. A longer one is usually an id, which does not occur again. */
const slotLength = 64;
/** Slots hold ASCII only. */
const maxCode = 0x7f;

/** Counts the tokens of `text[start, end)`, which are whole words. */
export type PartCounter = (text: string, start: number, end: number) => number;

/** @param countTokens counts the tokens of a text. */
export function createPartCounter(countTokens: (text: string) => number): PartCounter {
  const codes = new Uint8Array(slotCount * slotLength);
  /** 0 for a free slot. */
  const lengths = new Uint8Array(slotCount);
  const counts = new Uint8Array(slotCount);

  function isCached(slot: number, text: string, start: number, length: number): boolean {
    if (lengths[slot] !== length) return false;
    const first = slot * slotLength;
    for (let at = 0; at < length; at += 1) {
      if (codes[first + at] !== text.charCodeAt(start + at)) return false;
    }
    return true;
  }

  function cache(slot: number, text: string, start: number, length: number, tokens: number): void {
    const first = slot * slotLength;
    for (let at = 0; at < length; at += 1) codes[first + at] = text.charCodeAt(start + at);
    lengths[slot] = length;
    // At most one per code unit.
    counts[slot] = tokens;
  }

  return (text, start, end) => {
    const length = end - start;
    const slot = length <= slotLength ? slotOf(text, start, end) : -1;
    if (slot < 0) return countTokens(text.slice(start, end));
    if (isCached(slot, text, start, length)) return counts[slot] as number;
    const tokens = countTokens(text.slice(start, end));
    cache(slot, text, start, length, tokens);
    return tokens;
  };
}

/** The slot of a part, from its FNV-1a hash. @returns -1 for a part that is not cached. */
function slotOf(text: string, start: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let at = start; at < end; at += 1) {
    const code = text.charCodeAt(at);
    if (code > maxCode) return -1;
    hash = Math.imul(hash ^ code, 0x01000193);
  }
  return (hash ^ (hash >>> 15)) & (slotCount - 1);
}

import { wordPattern } from './byte-pair-encoding.ts';

// The cache has two generations. When the newer generation is full, the older one is dropped, together with the
// parts that were not used since. Frequent words stay in the cache, and ids that occur once do not displace them.
const generationSize = 30_000;
const maxCachedLength = 96;

/** Creates a function that counts the tokens of a text of whole words, and caches the counts of short texts. */
export function createPartCounter(countWordTokens: (word: string) => number): (part: string) => number {
  let cache = new Map<string, number>();
  let previousCache = new Map<string, number>();

  function add(part: string, tokens: number): void {
    if (cache.size === generationSize) {
      previousCache = cache;
      cache = new Map();
    }
    cache.set(copyString(part), tokens);
  }

  return (part) => {
    const known = cache.get(part);
    if (known !== undefined) return known;
    const tokens = previousCache.get(part) ?? countWords(part, countWordTokens);
    if (part.length <= maxCachedLength) add(part, tokens);
    return tokens;
  };
}

function countWords(text: string, countWordTokens: (word: string) => number): number {
  let tokens = 0;
  for (const word of text.match(wordPattern) ?? []) tokens += countWordTokens(word);
  return tokens;
}

/** Copies a slice of a message, because a slice keeps the whole message in memory. */
function copyString(part: string): string {
  return Buffer.from(part, 'utf16le').toString('utf16le');
}

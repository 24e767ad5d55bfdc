// Measures the counting of tokens in hostile texts, and the plain library on the same texts in the
// same process.
import { countTokens as countByLibrary, setMergeCacheSize } from 'gpt-tokenizer/encoding/o200k_base';
import { createTokenCounter } from '../../workers/ingest/count-tokens.ts';
import { readTokenRanks } from '../../workers/ingest/token-ranks.ts';
import { tokenShapes } from '../attack/worker-shapes.ts';
import type { BenchTable } from './bench-table.ts';

/** The library needs minutes for the longest message, so the two are compared on a shorter one. */
const comparedBytes = 16 * 1024;
const longestBytes = 256 * 1024;
const asText = { disallowedSpecial: new Set<string>() };

interface TokenFigures {
  readonly shape: string;
  readonly milliseconds: number;
  readonly libraryMilliseconds: number;
  /** Time of the library relative to ours. */
  readonly ratio: number;
  readonly longestMilliseconds: number;
}

/** Milliseconds of the CPU, which other processes disturb less than time. */
function measure(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

export function benchTokens(): { figures: TokenFigures[]; tables: BenchTable[] } {
  setMergeCacheSize(0);
  const countTokens = createTokenCounter(readTokenRanks());
  for (const { make } of tokenShapes) countTokens(make(1024));
  const figures = tokenShapes.map(({ name, make }): TokenFigures => {
    const text = make(comparedBytes);
    const milliseconds = measure(() => countTokens(text));
    const libraryMilliseconds = measure(() => countByLibrary(text, asText));
    const longest = make(longestBytes);
    return {
      shape: name,
      milliseconds,
      libraryMilliseconds,
      ratio: libraryMilliseconds / milliseconds,
      longestMilliseconds: measure(() => countTokens(longest)),
    };
  });
  const rows = figures.map((row) => [
    row.shape,
    row.milliseconds,
    row.libraryMilliseconds,
    row.ratio,
    row.longestMilliseconds,
  ]);
  return {
    figures,
    tables: [
      {
        title: 'Tokens of hostile texts of 16 KiB, milliseconds of the CPU, and ours of 256 KiB',
        head: ['shape', 'ours', 'gpt-tokenizer', 'ratio', 'ours, 256 KiB'],
        rows,
      },
    ],
  };
}

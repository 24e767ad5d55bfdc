import { readBookOfCode } from '../../shared/cost/price-book.ts';
import type { PriceBookFile } from '../../shared/cost/price-book-file.ts';

/** The price book of the code with other prices. @param change changes its copy. */
export function changedBook(change: (file: PriceBookFile) => void): PriceBookFile {
  const file = structuredClone(readBookOfCode());
  change(file);
  return file;
}

import type { PriceBookFile } from '../../shared/cost/price-book-file.ts';
import { storePriceBook } from '../../shared/cost/price-book-store.ts';
import type { TestService } from './test-service.ts';

/** Stores a version of the price book as a refresh does. @returns its name. */
export async function addVersion({ app }: Pick<TestService, 'app'>, file: PriceBookFile): Promise<string> {
  const newest = await app.models.priceBookVersion.findOne().sort({ sequence: -1 }).lean();
  const stored = await storePriceBook(app.models, file, { source: 'book', after: newest?.sequence ?? 0 });
  if (!stored) throw new Error('The version is stored already.');
  return stored._id;
}

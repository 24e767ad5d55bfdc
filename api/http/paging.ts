import type { Model, QueryFilter } from 'mongoose';
import type { Config } from '../../shared/config/config.ts';
import { Joi } from './input.ts';

/** The query of a list in pages, from 1. */
export interface PageQuery {
  page: number;
  page_size: number;
}

/** The query parameters of a page. */
export const pageFields = (pageSize: Config['pageSize'], lastPage = 1_000_000) => ({
  page: Joi.number().integer().min(1).max(lastPage).default(1),
  page_size: Joi.number().integer().min(1).max(pageSize.max).default(pageSize.default),
});

/**
 * Reads a page of the documents that match, and counts all of them.
 * @param list.sort a total order, so that pages neither repeat nor skip.
 * @param list.limit of the count.
 */
export async function readPage<Stored, Item>(
  model: Model<Stored>,
  { page, page_size }: PageQuery,
  list: {
    filter?: QueryFilter<Stored>;
    sort: Readonly<Record<string, 1 | -1>>;
    present: (stored: Stored) => Item;
    limit?: number;
  },
) {
  const { filter = {}, sort, present, limit } = list;
  const [stored, total] = await Promise.all([
    model
      .find(filter)
      .sort(sort)
      .skip((page - 1) * page_size)
      .limit(page_size)
      .lean<Stored[]>(),
    model.countDocuments(filter, limit === undefined ? {} : { limit }),
  ]);
  return { items: stored.map(present), total, page, page_size };
}

import type { Config } from '../../shared/config/config.ts';
import type { KnownNames } from '../../shared/cost/price-book.ts';
import { services } from '../../shared/cost/price-changes/apply-changes.ts';
import { Joi } from '../http/joi.ts';
import { modelId, priceBookVersion, priceScope } from '../scenarios/price-book.schemas.ts';
import type { PriceFilter } from './price-books.presenter.ts';

export const priceBookList = (pageSize: Config['pageSize']) =>
  Joi.object<{ page: number; page_size: number }>({
    page: Joi.number().integer().min(1).max(1_000_000).default(1),
    page_size: Joi.number().integer().min(1).max(pageSize.max).default(pageSize.default),
  });

export const priceBookPath = Joi.object<{ version: string }>({ version: priceBookVersion().required() });

export const priceBookQuery = (names: KnownNames) =>
  Joi.object<PriceFilter>({
    service: Joi.string().valid(...services),
    region: priceScope(names).description('Prices of this region, `geo` or `global`.'),
    model: modelId(names).description('Prices of this model.'),
  });

export const diffQuery = Joi.object<{ to: string }>({
  to: priceBookVersion().required().description('The version whose prices are the new ones.'),
});

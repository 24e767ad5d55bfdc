import type { KnownNames } from '../../shared/cost/price-book.ts';
import { versionForm } from '../../shared/cost/price-book-version.ts';
import { Joi } from '../http/joi.ts';

// Versions of the price book can add names at any time.

export const regionCode = (names: KnownNames) =>
  Joi.name()
    .known((code) => names.hasRegion(code), 'eu-west-1')
    .messages({ 'name.unknown': 'must be a region code of the price book, such as us-east-1' });

export const modelId = (names: KnownNames) =>
  Joi.name()
    .known((id) => names.hasModel(id), 'amazon.nova-lite-v1:0')
    .messages({ 'name.unknown': 'must be a model id of the price book' });

/** The name of a version; whether it exists is the handler's to find out. */
export const priceBookVersion = () =>
  Joi.string()
    .pattern(versionForm)
    .messages({ 'string.pattern.base': 'must be the version of a price book: GET /api/v1/price-books lists them' });

import type { KnownNames } from '../../shared/cost/price-book.ts';
import { versionForm } from '../../shared/cost/price-book-file.ts';
import { unknownModel, unknownRegion, unknownVersion } from '../../shared/cost/unknown-name.ts';
import { Joi } from '../http/joi.ts';

// Versions of the price book can add names at any time.

export const regionCode = (names: KnownNames) => nameOfRegion((code) => names.hasRegion(code), names);

/** A region, or one of the scopes of prices that are not those of a region. */
export const priceScope = (names: KnownNames) =>
  nameOfRegion((code) => code === 'geo' || code === 'global' || names.hasRegion(code), names);

const nameOfRegion = (isKnown: (code: string) => boolean, names: KnownNames) =>
  Joi.name().known(isKnown, (code) => unknownRegion(code, names), { examples: ['eu-west-1'] });

export const modelId = (names: KnownNames) =>
  Joi.name().known(
    (id) => names.hasModel(id),
    (id) => unknownModel(id, names),
    { examples: ['amazon.nova-lite-v1:0'] },
  );

/** The name of a version; whether it exists is the handler's to find out. */
export const priceBookVersion = () =>
  Joi.name().known((version) => versionForm.test(version), unknownVersion, { pattern: versionForm.source });

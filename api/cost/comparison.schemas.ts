import type { CustomHelpers } from 'joi';
import { isUuid } from '../../shared/crypto/digest-uuid.ts';
import { quoted } from '../../shared/quoted.ts';
import type { Period } from '../../shared/usage/periods.ts';
import { Joi } from '../http/joi.ts';
import { periodFields, withPeriod } from '../http/period.ts';
import { priceBookVersion } from '../scenarios/assumptions.schema.ts';

interface ComparisonQuery extends Period {
  ids: string[];
  price_book?: string;
}

const minScenarios = 2;
const maxScenarios = 10;

export const comparisonQuery = withPeriod(
  Joi.object<ComparisonQuery>({
    ids: Joi.string()
      .required()
      .custom((text: string, helpers: CustomHelpers) => {
        const ids = text.split(',').map((id) => id.trim().toLowerCase());
        if (ids.length < minScenarios || ids.length > maxScenarios)
          return helpers.error('ids.count', { count: ids.length });
        const malformed = ids.findIndex((id) => !isUuid(id));
        if (malformed !== -1) return helpers.error('ids.form', { id: quoted(ids[malformed]), position: malformed + 1 });
        return new Set(ids).size === ids.length ? ids : helpers.error('ids.unique');
      })
      .messages({
        'ids.count': `must be ${minScenarios} to ${maxScenarios} scenario ids, separated by commas, not {{#count}}`,
        'ids.form': 'must be UUIDs, separated by commas; number {{#position}} is {{#id}}',
        'ids.unique': 'must not contain an id twice',
      })
      .description('Ids of 2 to 10 scenarios, separated by commas. Differences are those from the first one.')
      .example('6f6fb4b1-5c0e-4d3c-9a53-3f2b8a6f1c11,0c2f7a9e-3b41-4f6d-8f52-91d6a4e7b320'),
    price_book: priceBookVersion().description(
      'Prices all scenarios by this version of the price book. Default: each by its own.',
    ),
    ...periodFields,
  }),
);

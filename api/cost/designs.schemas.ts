import type { Design } from '../../shared/cost/pipeline/standard-designs.ts';
import type { KnownNames } from '../../shared/cost/price-book.ts';
import type { Period } from '../../shared/usage/periods.ts';
import { Joi } from '../http/joi.ts';
import { periodFields, withPeriod } from '../http/period.ts';
import { priceBookVersion, regionCode } from '../scenarios/price-book.schemas.ts';
import { assumptionsSchema, maxNameLength } from '../scenarios/scenarios.schemas.ts';

const maxDesigns = 10;

interface DesignsBody {
  /** Absent: the standard designs. */
  designs?: Design[];
}

export type DesignsQuery = Period & { price_book?: string };

export const designsQuery = withPeriod(
  Joi.object<DesignsQuery>({
    price_book: priceBookVersion().description('Prices the designs by another version of the price book.'),
    ...periodFields,
  }),
);

export function designsBody(names: KnownNames) {
  return Joi.object<DesignsBody>({
    designs: Joi.array()
      .items(
        Joi.object<Design>({
          name: Joi.text().trim().characters(1, maxNameLength).visible().required(),
          region: regionCode(names).description('Default: the region of the scenario.'),
          assumptions: assumptionsSchema(names)
            .required()
            .description(
              'Absent fields of queue, function, inference and free_tier are those of the scenario. Without `pipeline`, an entry is one message, one invocation and one model call.',
            ),
        }),
      )
      .min(1)
      .max(maxDesigns)
      .unique('name')
      .messages({ 'array.unique': 'must not have the name of another design' })
      .description('Default: five standard designs.'),
  });
}

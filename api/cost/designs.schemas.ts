import type { Design } from '../../shared/cost/pipeline/standard-designs.ts';
import type { PriceBook } from '../../shared/cost/price-book.ts';
import type { Period } from '../../shared/usage/periods.ts';
import { Joi } from '../http/joi.ts';
import { assumptionsSchema, maxNameLength, regionCode } from '../scenarios/scenarios.schemas.ts';
import { periodFields, withPeriod } from './metrics.schemas.ts';

const maxDesigns = 10;

interface DesignsBody {
  /** Absent: the standard designs. */
  designs?: Design[];
}

export const designsQuery = withPeriod(Joi.object<Period>(periodFields));

export function designsBody(priceBook: PriceBook) {
  return Joi.object<DesignsBody>({
    designs: Joi.array()
      .items(
        Joi.object<Design>({
          name: Joi.text().trim().characters(1, maxNameLength).visible().required(),
          region: regionCode(priceBook).description('Default: the region of the scenario.'),
          assumptions: assumptionsSchema(priceBook)
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

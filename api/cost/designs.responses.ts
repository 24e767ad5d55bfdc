import { type Static, Type } from 'typebox';
import { count, nullable, uuid } from '../http/response-types.ts';
import { differences, pricedUsage } from './estimates.responses.ts';
import { costByService, usedPriceBook, wholePeriod } from './metrics.responses.ts';

const queueRequests = (description: string) =>
  Type.Optional(count({ description: `${description} Only with a pipeline.` }));

const flow = Type.Object(
  {
    messages: count({ description: 'Entries that are sent to the queue.' }),
    sends: queueRequests('Queue requests that send messages.'),
    receives: queueRequests('Queue requests that receive messages, including those of retries.'),
    deletes: queueRequests('Queue requests that delete messages.'),
    model_entries: count({ description: 'Entries that reach the model.' }),
  },
  { description: 'Counts of what passes through the pipeline. They are not part of `totals`.' },
);

/** The scenario as it is, or with a design. */
const side = {
  ...pricedUsage.properties,
  cost: costByService(),
  flow,
  month: nullable(costByService(), {
    description:
      'The cost of a month of 730 hours at the observed rate, that of the hours from the first to the last one with entries. The current hour does not count. Null if fewer than two hours are left.',
  }),
};

export const designsResponse = Type.Object(
  {
    scenario_id: uuid(),
    currency: Type.Unsafe<string>({ type: 'string', const: 'USD' }),
    price_book: usedPriceBook,
    period: wholePeriod,
    present: Type.Object(side, { description: 'The scenario as it is.' }),
    items: Type.Array(
      Type.Object(
        { name: Type.String(), ...side, difference: differences },
        { description: 'In the order of the designs.' },
      ),
    ),
    cheapest: nullable(Type.String(), {
      description:
        'The name of the cheapest design with a complete cost whose model gets entries; the first one if several cost the same.',
    }),
    notes: Type.Array(Type.String(), { description: 'Effects that the calculation does not take into account.' }),
  },
  { $id: 'Designs' },
);
export type Designs = Static<typeof designsResponse>;

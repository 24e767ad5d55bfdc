import { type Static, Type } from 'typebox';
import { count, nullable, uuid } from '../http/response-types.ts';
import { differences, pricedUsage } from './estimates.responses.ts';
import { costByService, usedPriceBook, wholePeriod } from './metrics.responses.ts';

const actions = (description: string) => Type.Optional(count({ description: `${description} With a pipeline only.` }));

const flow = Type.Object(
  {
    messages: count({ description: 'Entries that are sent to the queue.' }),
    sends: actions('Queue requests that send messages.'),
    receives: actions('Queue requests that receive messages, also those of retries.'),
    deletes: actions('Queue requests that delete messages.'),
    model_entries: count({ description: 'Entries that reach the model.' }),
  },
  { description: 'What passes through the pipeline, apart from `totals`.' },
);

const side = {
  ...pricedUsage.properties,
  cost: costByService(),
  flow,
  month: nullable(costByService(), {
    description:
      'The cost of a month of 730 hours at the rate of the hours from the first to the last one with entries. The current hour is left out. Null if fewer than two hours remain.',
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
      description: 'The name of the cheapest of the designs with a complete cost; the first one of equal costs.',
    }),
    notes: Type.Array(Type.String(), { description: 'The effects that the designs leave out.' }),
  },
  { $id: 'Designs' },
);
export type Designs = Static<typeof designsResponse>;

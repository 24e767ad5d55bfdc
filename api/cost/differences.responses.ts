import { Type } from 'typebox';
import { decimal, nullable } from '../http/response-types.ts';

const difference = nullable(
  Type.Object({
    amount: decimal(),
    share: nullable(Type.String({ pattern: '^-?\\d+\\.\\d{4}$' }), {
      description: 'The difference as a share of the first amount; null if that is 0.',
    }),
  }),
  { description: 'In USD; null if one of the two amounts is not or only partly known.' },
);
export const differences = Type.Object({
  queue: difference,
  function: difference,
  inference: difference,
  total: difference,
});

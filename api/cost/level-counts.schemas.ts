import { Type } from 'typebox';
import { levelClasses } from '../../shared/scenarios/level-class.ts';
import { type Interval, intervals, type Period } from '../../shared/usage/periods.ts';
import { Joi } from '../http/joi.ts';
import { periodFields, withPeriod } from '../http/period.ts';
import { count, nullable, oneOf, timestamp, uuid } from '../http/response-types.ts';
import { intervalField } from './metrics.schemas.ts';

const maxRows = 2_000;

interface LevelCountsQuery extends Period {
  interval: Interval;
  limit: number;
}

export const levelCountsQuery = withPeriod(
  Joi.object<LevelCountsQuery>({
    ...periodFields,
    interval: intervalField.default('hour').description('Rows by hour or by day.'),
    limit: Joi.number().integer().min(1).max(maxRows).default(maxRows).description('The most rows of a page.'),
  }),
);

const logs = Type.Object(
  {
    trace: Type.Optional(count()),
    debug: Type.Optional(count()),
    info: Type.Optional(count()),
    warn: Type.Optional(count()),
    error: Type.Optional(count()),
    fatal: Type.Optional(count()),
    other: Type.Optional(count()),
    none: Type.Optional(count()),
  },
  { description: `Entries by the class of their level: ${levelClasses.join(', ')}. Absent: no entries.` },
);

export const levelCountsResponse = Type.Object(
  {
    scenario_id: uuid(),
    interval: oneOf(intervals),
    rows: Type.Array(
      Type.Object({ start: timestamp({ description: 'Start of the UTC hour, or of the UTC day.' }), logs }),
    ),
    next: nullable(timestamp({ description: 'The `from` of the next page; null on the last one.' })),
  },
  { $id: 'LevelCounts' },
);

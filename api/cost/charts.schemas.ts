import { type ChartKind, type ChartTheme, chartKinds, chartThemes } from '../../shared/cost/charts/chart-data.ts';
import type { Interval, Period } from '../../shared/usage/periods.ts';
import { Joi } from '../http/joi.ts';
import { periodFields, withPeriod } from '../http/period.ts';
import { scenarioPath } from '../scenarios/scenarios.schemas.ts';
import { intervalField } from './metrics.schemas.ts';

export interface ChartPath {
  id: string;
  kind: ChartKind;
}

export const chartPath = scenarioPath.append<ChartPath>({
  kind: Joi.string()
    .valid(...chartKinds)
    .required()
    .example('cost-over-time'),
});

export interface ChartQuery extends Period {
  theme: ChartTheme;
  /** In CSS pixels. */
  width?: number;
  /** Absent: hours, or days where a chart cannot show all hours. */
  interval?: Interval;
}

export const chartQuery = withPeriod(
  Joi.object<ChartQuery>({
    ...periodFields,
    interval: intervalField.description(
      'Hours or days. Default: hour; day where there are more than 2,000 hours. A chart shows the first 2,000, and says so.',
    ),
    theme: Joi.string()
      .valid(...chartThemes)
      .default('light')
      .description('Colours for a light or a dark page.'),
    width: Joi.number()
      .integer()
      .min(320)
      .max(1600)
      .description('Width in CSS pixels, for which the text is laid out. Default: 800.'),
  }),
);

import { defaultAssumptions } from '../../shared/scenarios/assumptions.ts';
import type { ReportData } from '../../workers/reports/report-data.ts';

const amounts = (total: string | null) => ({
  queue: '0.000400000000',
  function: '0.000200000000',
  inference: total,
  total,
});

/** The parts of a report that follow from its designs and lines. */
export function sampleAnswer(
  total: string | null,
): Pick<ReportData, 'sentence' | 'parts' | 'designs' | 'lines' | 'untimed' | 'piiFields'> {
  const month = { ...amounts('133.090000000000'), low: null, high: null };
  const present = {
    cost: amounts(total),
    month,
    year: amounts('1597.080000000000'),
    assumptions: defaultAssumptions,
    flow: { model_entries: 1_000 },
  };
  const cheap = {
    ...present,
    month: { ...month, total: '13.309000000000' },
    assumptions: { ...defaultAssumptions, free_tier: true },
  };
  return {
    sentence: [
      { topic: 'cost', text: '$0.60 for these 1,000 entries.' },
      { topic: 'unknown', text: ' Less than a day is observed, so the month is rough.' },
    ],
    parts: [
      {
        service: 'inference',
        item: 'output_tokens',
        share: 0.91,
        name: 'the output of Claude Haiku 4.5',
        assumption: '100 tokens an entry, assumed',
      },
      { service: 'queue', item: 'requests', share: 0.0007, name: 'the requests of the queue', assumption: null },
    ],
    designs: {
      basis: 'A month of 730 hours at the rate of 1,000 entries in 3.3 hours.',
      cheapest: '50 lines a batch job',
      present,
      items: [
        { ...present, name: 'simple' },
        { ...cheap, name: '50 lines a batch job' },
      ],
    } as unknown as ReportData['designs'],
    lines: [
      {
        month: '2026-05',
        service: 'inference',
        item: 'output_tokens',
        of: `${defaultAssumptions.inference.model} geo`,
        quantity: '100000',
        unitPrice: '0.0000055',
        amount: '0.55',
        source: { asOf: '2026-10-01', publishers: ['Amazon Web Services'] },
      },
    ],
    untimed: 3,
    piiFields: { entriesRead: 1_000, byType: new Map([['email', [['user.email', 20]]]]) },
  };
}

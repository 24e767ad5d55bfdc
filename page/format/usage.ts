import { formatNumber } from '../../shared/amounts.ts';

const unitNames: Readonly<Record<string, string>> = {
  requests: 'requests',
  invocations: 'invocations',
  gb_seconds: 'GB-seconds',
  input_tokens: 'input tokens',
  output_tokens: 'output tokens',
};

/** The usage of a service in words: `3,000 invocations, 37.5 GB-seconds`. */
export const formatUsage = (usage: Readonly<Record<string, number | string>>): string =>
  Object.entries(usage)
    .map(([unit, quantity]) => `${formatNumber(quantity)} ${unitNames[unit] ?? unit.replaceAll('_', ' ')}`)
    .join(', ');

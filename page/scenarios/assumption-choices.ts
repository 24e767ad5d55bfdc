import { formatNumber } from '../../shared/amounts.ts';
import { defaultAssumptions } from '../../shared/scenarios/assumptions.ts';
import type { Model, Region } from '../client/responses.ts';
import type { Choice } from '../components/form.tsx';

/** The hints of fields that both a new scenario and a what-if have. */
export const assumptionHints = {
  queueType: 'FIFO keeps the order of messages, and costs more.',
  architecture: 'The processor that the function runs on.',
} as const;

/** Three words are about four tokens. */
export const wordsOfTokens = (tokens: number | string): string =>
  `${formatNumber(tokens)} tokens is about ${formatNumber(Math.round(Number(tokens) * 0.75))} words`;

export const queueTypeChoices: readonly Choice[] = [
  { value: 'standard', text: 'Standard' },
  { value: 'fifo', text: 'FIFO' },
];

export const architectureChoices: readonly Choice[] = [
  { value: 'x86_64', text: 'x86_64' },
  { value: 'arm64', text: 'arm64' },
];

export const regionChoices = (regions: readonly Region[]): Choice[] =>
  regions.map(({ code, name }) => ({ value: code, text: `${name} (${code})` }));

/** Models, with those marked whose price has no better source, or that have none in the region. */
export function modelChoices(models: readonly Model[], region: Region | undefined): Choice[] {
  return models.map(({ id, name, status, priced_in: pricedIn }) => {
    const hasPrice =
      !region || pricedIn.includes(region.code) || (region.partition === 'aws' && pricedIn.includes('geo'));
    const note = status === 'second_source' ? ' (price from a second source)' : '';
    const mark = id === defaultAssumptions.inference.model ? ' (default)' : note;
    return { value: id, text: name + (hasPrice ? mark : ' (no price in this region)') };
  });
}

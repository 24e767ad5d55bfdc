import type { Model, Region } from '../client/responses.ts';
import type { Choice } from '../components/form.tsx';

/** The choice of the service, which is used where none is named. */
export const byDefault = (name?: string): Choice => ({ value: '', text: name ? `Default (${name})` : 'Default' });

/** The hints of fields that both the scenario and a what-if have. */
export const assumptionHints = {
  queueType: 'FIFO keeps the order of messages, and costs more.',
  requestsPerMessage: '1 is the send, 2 adds the receive, 3 the delete.',
  architecture: 'The processor that the function runs on.',
  freeTier: 'What an account of the provider does not pay for.',
} as const;

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
    return { value: id, text: hasPrice ? name + note : `${name} (no price in this region)` };
  });
}

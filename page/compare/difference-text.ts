import { formatFineUsd, formatShare } from '../../shared/amounts.ts';
import type { Comparison } from '../client/responses.ts';

type Difference = Comparison['items'][number]['difference']['total'];

/** A difference in words: `$0.12 more (+3.40 %)`, `$0.0024 less (−1.20 %)`. */
export function differenceText(difference: Difference): string {
  if (difference === null) return 'difference not known';
  const { amount, share } = difference;
  const size = amount.replace('-', '');
  if (/^[0.]+$/.test(size)) return 'no difference';
  const isLess = amount.startsWith('-');
  const text = `${formatFineUsd(size)} ${isLess ? 'less' : 'more'}`;
  if (share === null) return text;
  return `${text} (${isLess ? '−' : '+'}${formatShare(share.replace('-', '')).replace(' ', '\u00a0')})`;
}

import type { Comparison } from '../client/responses.ts';
import { formatShare, formatUsd } from '../format/amounts.ts';

type Difference = Comparison['items'][number]['difference']['total'];

/** A difference in words: `$0.12 more (+3.40 %)`, `less than $0.01 less (−1.20 %)`. */
export function differenceText(difference: Difference): string {
  if (difference === null) return 'difference not known';
  const { amount, share } = difference;
  const size = amount.replace('-', '');
  if (/^[0.]+$/.test(size)) return 'no difference';
  const isLess = amount.startsWith('-');
  const text = `${formatUsd(size).replace('< ', 'less than ')} ${isLess ? 'less' : 'more'}`;
  if (share === null) return text;
  return `${text} (${isLess ? '−' : '+'}${formatShare(share.replace('-', '')).replace(' ', '\u00a0')})`;
}

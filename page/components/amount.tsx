import { formatExactUsd, formatFineUsd } from '../../shared/amounts.ts';
import { formatTime } from '../format/times.ts';

/** An amount in cents, or finer below one, with all its decimals for those who point at it. */
export function Amount({ usd }: { readonly usd: string | null }) {
  return (
    <data class="amount" value={usd ?? ''} title={formatExactUsd(usd)}>
      {formatFineUsd(usd)}
    </data>
  );
}

export function Time({ iso }: { readonly iso: string | null }) {
  return iso === null ? <>–</> : <time dateTime={iso}>{formatTime(iso)}</time>;
}

import { formatExactUsd, formatFineUsd } from '../../shared/amounts.ts';
import { formatTime } from '../format/times.ts';

interface AmountProps {
  readonly usd: string | null;
  readonly testId?: string;
}

/** An amount in cents, or finer below one, with all its decimals for those who point at it. */
export function Amount({ usd, testId }: AmountProps) {
  return (
    <data value={usd ?? ''} title={formatExactUsd(usd)} data-testid={testId}>
      {formatFineUsd(usd)}
    </data>
  );
}

export function Time({ iso }: { readonly iso: string | null }) {
  return iso === null ? <>–</> : <time dateTime={iso}>{formatTime(iso)}</time>;
}

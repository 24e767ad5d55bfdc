import { formatExactUsd, formatFineUsd } from '../../../shared/amounts.ts';

/** An amount with enough digits to be compared, and all of them for those who point at it. */
export function FineAmount({ usd }: { readonly usd: string | null }) {
  return (
    <data class="amount" value={usd ?? ''} title={formatExactUsd(usd)}>
      {formatFineUsd(usd)}
    </data>
  );
}

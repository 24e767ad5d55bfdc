import { useEffect } from 'preact/hooks';
import { formatNumber } from '../../shared/amounts.ts';

interface PagerProps {
  readonly what: string;
  readonly page: number;
  readonly pageSize: number;
  readonly total: number;
  readonly go: (page: number) => void;
}

export function Pager({ what, page, pageSize, total, go }: PagerProps) {
  const last = Math.max(1, Math.ceil(total / pageSize));
  const first = (page - 1) * pageSize + 1;
  // The last entry of the last page can be deleted while the page is shown.
  useEffect(() => {
    if (page > last) go(last);
  }, [page, last]);
  const range =
    total === 0
      ? 'none'
      : `${formatNumber(first)}–${formatNumber(Math.min(first + pageSize - 1, total))} of ${formatNumber(total)}`;
  if (last === 1 && page === 1) return <p class="pager">{range}</p>;
  return (
    <nav class="pager" aria-label={`Pages of ${what}`}>
      <button type="button" disabled={page <= 1} onClick={() => go(page - 1)}>
        Previous
      </button>
      <span>{range}</span>
      <button type="button" disabled={page >= last} onClick={() => go(page + 1)}>
        Next
      </button>
    </nav>
  );
}

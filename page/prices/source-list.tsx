import type { PriceBook } from '../client/responses.ts';

interface SourceListProps {
  /** The date of the newest evidence. */
  readonly asOf: string;
  readonly effectiveFrom?: string | null;
  readonly sources: readonly Omit<PriceBook['sources'][number], 'id'>[];
}

/** The date of a price, which opens to its sources. */
export function SourceList({ asOf, effectiveFrom = null, sources }: SourceListProps) {
  return (
    <details>
      <summary>
        {asOf}
        {effectiveFrom !== null && <span class="hint">applies from {effectiveFrom}</span>}
      </summary>
      <ul>
        {sources.map(({ title, publisher, version }) => (
          <li key={title}>
            {publisher}: {title}, {version}
          </li>
        ))}
      </ul>
    </details>
  );
}

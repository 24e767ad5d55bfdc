import { formatFineUsd } from '../../shared/amounts.ts';
import type { Comparison } from '../client/responses.ts';
import { incompleteNote, serviceNames } from '../format/names.ts';
import { type BarPiece, type Part, piecesOf, scaleOf, services } from './bar-shapes.ts';
import { differenceText } from './difference-text.ts';

type Compared = Comparison['items'][number];

/** A scenario or a design with its cost. */
export interface CostItem extends Pick<Compared, 'cost' | 'incomplete'> {
  readonly key: string;
  readonly name: string;
  /** Null for the one with which the others are compared. */
  readonly difference: Compared['difference'] | null;
}

interface CostBarsProps {
  readonly items: readonly CostItem[];
  /** The plural of what is compared, such as `scenarios`. */
  readonly what: string;
  /** The keys of the cheapest ones, by part of the cost. */
  readonly cheapest: Readonly<Partial<Record<Part, readonly string[]>>>;
}

/** The costs of several scenarios or designs as bars. A table beside it has the same numbers. */
export function CostBars({ items, what, cheapest }: CostBarsProps) {
  const scale = scaleOf(items.map(({ cost }) => cost));
  const first = items.find(({ difference }) => difference === null);
  return (
    <>
      <p class="hint">
        All bars have one scale; the longest one is {formatFineUsd(scale.toFixed(12))}.
        {first && (
          <>
            {' '}
            Differences are those from <bdi>{first.name}</bdi>.
          </>
        )}
      </p>
      <div
        class="cost-bars"
        role="img"
        aria-label={`Bars of the cost of ${items.length} ${what}, in total and by service, as in the table`}
      >
        {(['total', ...services] as const).map((part) => (
          <div key={part}>
            <h3>
              {part !== 'total' && (
                <svg class="swatch" aria-hidden="true">
                  <rect class={part} width="100%" height="100%" />
                </svg>
              )}
              {part === 'total' ? 'Total' : serviceNames[part]}
            </h3>
            {items.map((item) => (
              <BarRow
                key={item.key}
                item={item}
                part={part}
                scale={scale}
                isCheapest={cheapest[part]?.includes(item.key) ?? false}
              />
            ))}
          </div>
        ))}
      </div>
    </>
  );
}

interface BarRowProps {
  readonly item: CostItem;
  readonly part: Part;
  readonly scale: number;
  readonly isCheapest: boolean;
}

function BarRow({ item: { name, cost, difference, incomplete }, part, scale, isCheapest }: BarRowProps) {
  return (
    <div class="row">
      <bdi>{name}</bdi>
      <Bar pieces={piecesOf(cost, part, scale)} />
      <span>
        <span class="amount">{formatFineUsd(cost[part])}</span> {isCheapest && <span class="badge good">cheapest</span>}
        {part === 'total' && incomplete && <span class="hint">{incompleteNote}</span>}
        {difference && <span class="hint">{differenceText(difference[part])}</span>}
      </span>
    </div>
  );
}

/** Heights are in CSS pixels; widths follow the column. */
function Bar({ pieces }: { readonly pieces: readonly BarPiece[] }) {
  return (
    <svg height="18" aria-hidden="true">
      {pieces.map(({ service, start, length }) => (
        <rect key={service} class={service} x={`${start}%`} width={`${length}%`} height="18" />
      ))}
    </svg>
  );
}

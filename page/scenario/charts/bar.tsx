import type { DesignCost } from '../../client/responses.ts';
import { colorOf, serviceColors } from './chart-kinds.ts';

interface BarProps {
  /** 0 to 1. */
  readonly share: number;
  readonly color: `series-${string}`;
}

/** A bar beside a figure, for those who compare at a glance; the figure says the same. */
export const Bar = ({ share, color }: BarProps) => <Pieces pieces={[{ share, color }]} />;

interface CostBarProps {
  readonly cost: DesignCost['cost'];
  /** The amount of a whole bar. */
  readonly scale: number;
}

/** A bar of a cost: its services one after the other. */
export const CostBar = ({ cost, scale }: CostBarProps) => (
  <Pieces
    pieces={(['queue', 'function', 'inference'] as const).map((service) => ({
      share: scale > 0 ? Number(cost[service] ?? 0) / scale : 0,
      color: serviceColors[service],
    }))}
  />
);

/** Amounts that are not zero are drawn, also the smallest. */
const smallestShare = 0.004;

function Pieces({ pieces }: { readonly pieces: readonly BarProps[] }) {
  return (
    <span class="bar" aria-hidden="true">
      {pieces.map(
        ({ share, color }) =>
          share > 0 && (
            <span
              key={color}
              style={{ ...colorOf(color), width: `${Math.min(1, Math.max(share, smallestShare)) * 100}%` }}
            />
          ),
      )}
    </span>
  );
}

/** The services by their colours. */
export function ServiceLegend({ names }: { readonly names: Readonly<Record<keyof typeof serviceColors, string>> }) {
  return (
    <ul class="legend">
      {(['queue', 'function', 'inference'] as const).map((service) => (
        <li key={service}>
          <span class="swatch" style={colorOf(serviceColors[service])} aria-hidden="true" />
          {names[service]}
        </li>
      ))}
    </ul>
  );
}

import type { Comparison, Service } from '../client/responses.ts';

type Cost = Comparison['items'][number]['cost'];
export type Part = keyof Cost;

export const services = ['queue', 'function', 'inference'] as const satisfies readonly Service[];

/** In per cent of the scale: amounts that are smaller are drawn so, because they are not zero. */
const smallest = 0.3;

/** A piece of a bar: where it begins and how long it is, in per cent of the scale. */
export interface BarPiece {
  readonly service: Service;
  readonly start: number;
  readonly length: number;
}

/** The longest bar of a picture: the largest of the known amounts. Zero if there is none. */
export const scaleOf = (costs: readonly Cost[]): number =>
  Math.max(0, ...costs.flatMap((cost) => Object.values(cost).map(Number)));

/**
 * The pieces of the bar of a part of a cost. That of the total shows its services one after the
 * other. Unknown amounts have no piece.
 */
export function piecesOf(cost: Cost, part: Part, scale: number): BarPiece[] {
  const pieces: BarPiece[] = [];
  let start = 0;
  for (const service of part === 'total' ? services : [part]) {
    const amount = Number(cost[service] ?? 0);
    if (amount <= 0 || scale <= 0) continue;
    const length = Math.max((amount / scale) * 100, smallest);
    pieces.push({ service, start, length });
    start += length;
  }
  return pieces;
}

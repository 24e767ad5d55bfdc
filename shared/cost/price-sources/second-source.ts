// The steps that all second sources have in common.
import type { PriceBookFile } from '../price-book-file.ts';
import type { InferenceKind } from '../price-line.ts';
import { bookUnit } from './book-units.ts';
import { findModelId, type ProfiledModel } from './model-ids.ts';
import type { SourceEntry } from './price-point.ts';
import { shiftDecimal } from './shift-decimal.ts';

interface QuotedPrice {
  /** The id, the name if the source has one, and the profile or Region. */
  model: Omit<ProfiledModel, 'scope'> & { scope: string; name?: string };
  kind: InferenceKind;
  /** The number as written in the file. */
  text: unknown;
  /** The price in USD is `text` times ten to this power for one token. */
  power: number;
  effectiveDate?: string | null;
  evidenceDate?: string | null;
  where: string;
}

/** Converts a price of a second source into the unit of the price book. */
export function toEntry(quoted: QuotedPrice, book: PriceBookFile): SourceEntry {
  const { model, kind, where } = quoted;
  const id = findModelId(book.inference.models, model.id);
  // An id without its provider may name any model of that family.
  if (id === undefined && !/^[a-z0-9]+\.[a-z]/.test(model.id))
    return { type: 'unmapped', name: `model "${model.id}"`, where };
  const { power, maxDecimals } = bookUnit({ service: 'inference', kind });
  try {
    return {
      type: 'price',
      service: 'inference',
      scope: model.scope,
      item: id ?? model.id,
      kind,
      amount: shiftDecimal(String(quoted.text), quoted.power + power, maxDecimals),
      from: 0n,
      to: null,
      effectiveDate: quoted.effectiveDate ?? null,
      evidenceDate: quoted.evidenceDate ?? null,
      where,
      ...(model.regionPrefix === undefined ? {} : { regionPrefix: model.regionPrefix }),
      ...(id === undefined ? { newModel: { name: model.name ?? model.id } } : {}),
    };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { type: 'refused', reason: error.message, where };
  }
}

/** Models that are not priced by text tokens. */
export const isOtherMedium = (id: string): boolean =>
  /sonic|voxtral|canvas|reel|image|rerank|stability|video|speech|twelvelabs/.test(id);

import { type PriceBookFile, secondSource } from '../../shared/cost/price-book-file.ts';
import type { StoredPriceBook } from '../../shared/cost/price-book-store.ts';
import { bookLines } from '../../shared/cost/price-changes/book-lines.ts';
import { compareBooks } from '../../shared/cost/price-changes/compare-books.ts';
import { evidenceOf } from '../../shared/cost/price-evidence.ts';
import type { PriceLineId } from '../../shared/cost/price-line.ts';
import type { PriceBookDiff, ShownPrice, ShownPriceBook } from './price-books.responses.ts';

/** Which prices are shown; absent: all. */
export interface PriceFilter {
  service?: PriceLineId['service'];
  region?: string;
  model?: string;
}

export function presentPriceBook({ stored, file }: StoredPriceBook, filter: PriceFilter): ShownPriceBook {
  const without = (prices: object) =>
    file.regions.map(({ code }) => code).filter((code) => !Object.hasOwn(prices, code));
  return {
    version: stored._id,
    as_of: file.as_of,
    source: stored.source,
    created_at: stored.createdAt.toISOString(),
    currency: file.currency,
    regions: file.regions.map(({ code, name, partition }) => ({ code, name, partition })),
    models: file.inference.models.map(({ id, name, provider, status }) => ({ id, name, provider, status })),
    sources: file.sources.map(({ id, title, publisher, version }) => ({ id, title, publisher, version })),
    unverified: { queue: without(file.queue.regions), function: without(file.function.regions) },
    prices: presentPrices(file, filter),
  };
}

function presentPrices(file: PriceBookFile, { service, region, model }: PriceFilter): ShownPrice[] {
  const secondSources = new Set(
    file.inference.models.filter(({ status }) => status === secondSource).map(({ id }) => id),
  );
  return [...bookLines(file).values()]
    .filter(
      (line) =>
        (service === undefined || line.service === service) &&
        (region === undefined || line.scope === region) &&
        (model === undefined || line.item === model),
    )
    .map((line) => {
      const { effective_from = null, as_of = '', sources = [], stale = false } = evidenceOf(file, line) ?? {};
      return {
        ...presentLine(line),
        tiers: line.steps.map(({ from, to, amount }) => ({ ...presentTier({ from, to }), price: amount })),
        complete: line.isComplete,
        effective_from,
        as_of,
        sources,
        status: stale || secondSources.has(line.item) ? 'estimated' : 'ok',
      };
    });
}

export function presentDiff(older: StoredPriceBook, newer: StoredPriceBook): PriceBookDiff {
  const name = ({ stored, file }: StoredPriceBook) => ({ version: stored._id, as_of: file.as_of });
  const sources = new Map(
    newer.file.sources.map(({ id, title, publisher, version }) => [id, { title, publisher, version }]),
  );
  const items = compareBooks(older.file, newer.file).map((change) => {
    const evidence = change.new === null ? undefined : evidenceOf(newer.file, change);
    return {
      type: change.type,
      ...presentLine(change),
      tier: presentTier(change),
      old: change.old,
      new: change.new,
      percent: change.percent,
      as_of: evidence?.as_of ?? null,
      sources: (evidence?.sources ?? []).flatMap((id) => sources.get(id) ?? []),
    };
  });
  return { from: name(older), to: name(newer), items, total: items.length };
}

const units = { queue: 'million requests', inference: 'thousand tokens' } as const;

function presentLine({ service, scope, item, kind }: PriceLineId) {
  const unit = service === 'function' ? (kind === 'request' ? units.queue : 'GB-second') : units[service];
  return { service, region: scope, item, kind, unit } as const;
}

const presentTier = ({ from, to }: { from: bigint; to: bigint | null }) => ({
  from: String(from),
  to: to === null ? null : String(to),
});

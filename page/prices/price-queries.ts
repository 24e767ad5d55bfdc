import { useQuery } from '@tanstack/preact-query';
import { read } from '../client/api.ts';
import type { PriceBook, PriceBookDiff, PriceBookList } from '../client/responses.ts';

const path = '/api/v1/price-books';

/** Versions are never changed. */
const unchanging = { staleTime: Number.POSITIVE_INFINITY };

/** The newest versions of the price book, the newest first. */
export const useVersions = () =>
  useQuery({
    queryKey: ['price-books'],
    queryFn: ({ signal }) => read<PriceBookList>(path, {}, signal),
  });

export const usePriceBook = (version: string) =>
  useQuery({
    queryKey: ['price-book', version],
    ...unchanging,
    queryFn: ({ signal }) => read<PriceBook>(`${path}/${version}`, {}, signal),
  });

export const usePriceChanges = (from: string, to: string) =>
  useQuery({
    queryKey: ['price-book', from, 'changes', to],
    ...unchanging,
    queryFn: ({ signal }) => read<PriceBookDiff>(`${path}/${from}/diff`, { to }, signal),
  });

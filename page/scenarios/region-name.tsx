import { useRegions } from './scenario-queries.ts';

/** The name of a region; its code as long as the names are not read. */
export function RegionName({ code }: { readonly code: string }) {
  return <>{useRegions().data?.items.find((region) => region.code === code)?.name ?? code}</>;
}

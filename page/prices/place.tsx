import { placeName } from './price-names.ts';

interface PlaceProps {
  readonly place: string;
  readonly regions: readonly { code: string; name: string }[];
}

/** As `placeName`, with the code of a Region in one line. */
export function Place({ place, regions }: PlaceProps) {
  const region = regions.find(({ code }) => code === place);
  if (!region) return <>{placeName(place, regions)}</>;
  return (
    <span>
      {region.name} <span class="code">({place})</span>
    </span>
  );
}

export function CompareView({ ids }: { ids: readonly string[] }) {
  return <h1>{ids.length}</h1>;
}

export function ScenarioView({ id, part }: { id: string; part: string }) {
  return <h1>{id}{part}</h1>;
}

/** In characters, as the API allows. */
export const maxSearchLength = 500;

interface ScenarioSearchProps {
  readonly value: string;
  readonly change: (search: string) => void;
}

export function ScenarioSearch({ value, change }: ScenarioSearchProps) {
  return (
    <label class="grow">
      <span>Search in names and descriptions</span>
      <input
        type="search"
        value={value}
        maxLength={maxSearchLength}
        onInput={(event) => change(event.currentTarget.value)}
      />
    </label>
  );
}

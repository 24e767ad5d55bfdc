import { choose, chosen } from './chosen-scenarios.ts';

interface ChoiceCheckboxProps {
  readonly id: string;
  readonly name: string;
  /** The purpose of the choice, as a verb. */
  readonly action: 'Choose' | 'Compare';
  /** The most scenarios that can be chosen. */
  readonly max?: number;
}

/** Chooses a scenario for a comparison, or for what is done to several at once. */
export function ChoiceCheckbox({ id, name, action, max = Number.POSITIVE_INFINITY }: ChoiceCheckboxProps) {
  const isChosen = chosen.value.has(id);
  return (
    <input
      type="checkbox"
      aria-label={`${action} ${name}`}
      checked={isChosen}
      disabled={!isChosen && chosen.value.size >= max}
      onChange={(event) => choose(id, name, event.currentTarget.checked)}
    />
  );
}

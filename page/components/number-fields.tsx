import { useState } from 'preact/hooks';
import { type FieldProps, Labelled } from './form.tsx';

interface NumberInputProps {
  readonly label: string;
  readonly value: number;
  readonly min: number;
  readonly max: number;
  readonly step: number;
  readonly onValue: (value: number) => void;
}

/**
 * A number that applies as it is typed, where it is in its range, and is brought into it when the
 * field is left. The typed text stays while the page is drawn again.
 */
export function NumberInput({ label, value, onValue, ...range }: NumberInputProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const { min, max } = range;
  const apply = (text: string, isLeft: boolean) => {
    const number = Math.round(Number(text));
    if (text === '' || !Number.isFinite(number)) return;
    const inRange = Math.min(Math.max(number, min), max);
    if (isLeft || inRange === number) onValue(inRange);
  };
  return (
    <input
      type="number"
      class="number"
      aria-label={label}
      value={typed ?? value}
      {...range}
      onInput={({ currentTarget }) => {
        setTyped(currentTarget.value);
        apply(currentTarget.value, false);
      }}
      onBlur={({ currentTarget }) => {
        apply(currentTarget.value, true);
        setTyped(null);
      }}
    />
  );
}

/** A slider with its number beside it; both can be set. */
export function SliderField({
  label,
  name,
  hint,
  unit,
  value,
  onValue,
  ...range
}: FieldProps & {
  unit?: string;
  value: number;
  onValue: (value: number) => void;
  min: number;
  max: number;
  step?: number;
}) {
  const named = unit === undefined ? label : `${label} (${unit})`;
  return (
    <Labelled label={named} name={name} hint={hint}>
      {(attributes) => (
        <div class="slider">
          <input
            type="range"
            value={value}
            {...range}
            {...attributes}
            onInput={(event) => onValue(Number(event.currentTarget.value))}
          />
          <NumberInput label={`${named}, as a number`} value={value} {...range} step={1} onValue={onValue} />
        </div>
      )}
    </Labelled>
  );
}

import { useEffect, useId, useState } from 'preact/hooks';
import { formatNumber } from '../../shared/amounts.ts';
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
 * A number that takes effect while it is typed, if it is in its range. Otherwise an error says so
 * when the field is left; an empty field gets the last number back. The typed text stays when the
 * page is drawn again.
 */
export function NumberInput({ label, value, onValue, ...range }: NumberInputProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const [isRefused, setRefused] = useState(false);
  const errorId = useId();
  const { min, max } = range;
  function show(text: string | null, refused: boolean): void {
    setTyped(text);
    setRefused(refused);
  }
  // A change from elsewhere, such as by the slider, replaces a refused text.
  useEffect(() => {
    if (isRefused) show(null, false);
  }, [value]);
  const numberInRange = (text: string) => {
    const number = text === '' ? Number.NaN : Math.round(Number(text));
    return number >= min && number <= max ? number : undefined;
  };
  const checkTyped = (text: string) => {
    const isAllowed = text === '' || numberInRange(text) !== undefined;
    show(isAllowed ? null : text, !isAllowed);
  };
  return (
    <>
      <input
        type="number"
        class="number"
        aria-label={label}
        value={typed ?? value}
        aria-invalid={isRefused}
        {...(isRefused ? { 'aria-describedby': errorId } : {})}
        {...range}
        onInput={({ currentTarget: { value: text } }) => {
          const number = numberInRange(text);
          show(text, false);
          if (number !== undefined) onValue(number);
        }}
        onChange={({ currentTarget }) => checkTyped(currentTarget.value)}
        onBlur={({ currentTarget }) => checkTyped(currentTarget.value)}
      />
      {isRefused && (
        <p class="field-error" id={errorId} role="alert">
          {rangeSentence(min, max)}
        </p>
      )}
    </>
  );
}

const rangeSentence = (min: number, max: number) =>
  `Enter a number from ${formatNumber(min)} to ${formatNumber(max)}. The figures still use the last valid number.`;

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

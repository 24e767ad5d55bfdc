import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { isUtc, localZone } from '../format/times.ts';
import { choosePeriod } from './chosen-period.ts';
import type { Bounds } from './period.ts';
import { localOf, readBounds } from './typed-bounds.ts';

/**
 * The fields of an own period. Browsers report a change at each typed digit, also while the year is
 * 0002, so typed times become the period when the field loses the focus or Enter is pressed. A time
 * from the browser's calendar becomes the period at once.
 */
export function OwnBounds({ bounds: { from, to } }: { readonly bounds: Bounds }) {
  const zone = isUtc.value ? 'UTC' : localZone;
  const [typed, setTyped] = useState<Bounds | null>(null);
  const [error, setError] = useState<string | null>(null);
  const isTyping = useRef(false);
  const hintId = useId();
  function reset(): void {
    setTyped(null);
    setError(null);
  }
  useLayoutEffect(reset, [from, to, zone]);
  const shown = typed ?? { from: localOf(from, isUtc.value), to: localOf(to, isUtc.value) };
  const changedBy = ({ name, value }: HTMLInputElement): Bounds => ({ ...shown, [name]: value });
  function accept(field: HTMLInputElement): void {
    isTyping.current = false;
    const isIncomplete = field.validity.badInput;
    if (typed === null && !isIncomplete) return;
    const read = isIncomplete ? 'Complete the time, or clear all of it.' : readBounds(changedBy(field), isUtc.value);
    if (typeof read === 'string') return setError(read);
    reset();
    choosePeriod({ kind: 'own', ...read });
  }
  const field = (name: keyof Bounds, label: string, ofEntries: string) => (
    <label>
      <span class="hint">{label}</span>
      <input
        type="datetime-local"
        name={name}
        aria-label={`${label} (${zone})`}
        title={`In ${zone}. Empty: ${ofEntries}.`}
        aria-describedby={hintId}
        step={3_600}
        max="2099-12-31T23:00"
        value={shown[name]}
        aria-invalid={error !== null}
        onKeyDown={(event) => {
          if (event.key === 'Enter') accept(event.currentTarget);
          else isTyping.current = event.key !== 'Tab';
        }}
        onPointerDown={() => {
          isTyping.current = false;
        }}
        onInput={(event) => setTyped(changedBy(event.currentTarget))}
        onChange={(event) => {
          if (!isTyping.current) accept(event.currentTarget);
        }}
        onBlur={(event) => accept(event.currentTarget)}
      />
    </label>
  );
  return (
    <div class="own-bounds">
      {field('from', 'From', 'from the first entry')}
      {field('to', 'to', 'to the last entry')}
      <p class="hint" id={hintId}>
        Whole hours of UTC: the first time is rounded down, the second one up.
      </p>
      {error !== null && (
        <p class="field-error" role="alert">
          {error}
        </p>
      )}
    </div>
  );
}

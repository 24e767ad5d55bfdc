import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { addressQuery, changeQuery } from '../app/address.ts';
import { announce } from '../components/announcer.tsx';
import { Select, textOf } from '../components/form.tsx';
import { formatDates, formatSpan } from '../format/times.ts';
import {
  type Bounds,
  type EntrySpan,
  formatPeriod,
  isLastLength,
  isReversed,
  type Period,
  parsePeriod,
  spanWithin,
} from './period.ts';

/** The values of the choice, which are lengths up to the last entry. */
const choices = [
  { value: 'all', text: 'All entries' },
  { value: 'hour', text: 'Last hour' },
  { value: 'day', text: 'Last day' },
  { value: 'week', text: 'Last 7 days' },
  { value: 'month', text: 'Last 30 days' },
  { value: 'own', text: 'Custom' },
];

/** The period of the address. */
export const chosenPeriod = (): Period => parsePeriod(addressQuery());

/** Shows a part of the present period. The browser's Back returns to the whole. */
export function zoomInto({ from, to }: Bounds): void {
  changeQuery(formatPeriod({ kind: 'own', from, to }), true);
  announce(`The period is now ${formatSpan(from, to)}.`);
}

/** Chooses the period of everything that is shown of a scenario. */
export function PeriodBar({ bounds, entries }: { readonly bounds: Bounds; readonly entries: EntrySpan }) {
  const period = chosenPeriod();
  const span = spanWithin(bounds, entries);
  function choose(value: string): void {
    const own: Period = { kind: 'own', from: bounds.from || (entries.from ?? ''), to: bounds.to || (entries.to ?? '') };
    changeQuery(
      formatPeriod(value === 'own' ? own : isLastLength(value) ? { kind: 'last', length: value } : { kind: 'all' }),
    );
  }
  return (
    <div class="period" role="group" aria-label="Period">
      <Select
        aria-label="Period"
        choices={choices}
        value={period.kind === 'last' ? period.length : period.kind}
        choose={choose}
      />
      {period.kind === 'own' ? (
        <OwnBounds {...period} />
      ) : (
        <span class="hint" data-testid="period">
          {span && formatDates(span.start, span.end)}
        </span>
      )}
    </div>
  );
}

/** The fields of an own period: whole hours of UTC, empty for an open end. */
function OwnBounds({ from, to }: Bounds) {
  const form = useRef<HTMLFormElement>(null);
  // A typed text gives way to another period. The field that was used keeps the focus.
  useEffect(() => {
    form.current?.reset();
    setRefusal('');
  }, [from, to]);
  const setRefusal = (message: string) =>
    form.current?.querySelector<HTMLInputElement>('[name=to]')?.setCustomValidity(message);
  const field = (name: keyof Bounds, label: string, iso: string) => (
    <label>
      <span class="hint">{label}</span>
      <input
        type="datetime-local"
        name={name}
        aria-label={`${label} (UTC)`}
        step={3_600}
        min="1970-01-01T00:00"
        max="2099-12-31T23:00"
        defaultValue={iso.slice(0, 16)}
      />
    </label>
  );
  return (
    <form
      ref={form}
      class="own-bounds"
      onInput={({ currentTarget }) =>
        setRefusal(isReversed(boundsIn(currentTarget)) ? 'The second time must be after the first.' : '')
      }
      onSubmit={(event) => {
        event.preventDefault();
        changeQuery(formatPeriod({ kind: 'own', ...boundsIn(event.currentTarget) }));
      }}
    >
      {field('from', 'From', from)}
      {field('to', 'to', to)}
      <button type="submit">Show</button>
    </form>
  );
}

function boundsIn(form: JSX.TargetedEvent<HTMLFormElement>['currentTarget']): Bounds {
  const fields = new FormData(form);
  const isoOf = (name: keyof Bounds) => {
    const value = textOf(fields, name);
    return value === '' ? '' : `${value}:00.000Z`;
  };
  return { from: isoOf('from'), to: isoOf('to') };
}

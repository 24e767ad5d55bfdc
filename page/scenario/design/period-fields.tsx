import { TextField } from '../../components/form.tsx';
import { isUtc, localZone } from '../../format/times.ts';
import type { ChosenPeriod } from './use-designs.ts';

interface PeriodFieldsProps {
  readonly period: ChosenPeriod;
  readonly change: (period: ChosenPeriod) => void;
}

/** Which entries of the log flow through the pipeline. */
export function PeriodFields({ period, change }: PeriodFieldsProps) {
  const zone = isUtc.value ? 'UTC' : localZone;
  const field = (name: 'from' | 'to', label: string, hint: string) => (
    <TextField
      type="datetime-local"
      label={`${label} (${zone})`}
      name={name}
      hint={hint}
      step={3_600}
      value={localOf(period[name])}
      onChange={(event) => change({ ...period, [name]: isoOf(event.currentTarget.value) })}
    />
  );
  return (
    <div class="columns">
      {field('from', 'From', 'In whole hours. Empty: from the first entry.')}
      {field('to', 'To', 'In whole hours. Empty: to the last entry.')}
    </div>
  );
}

const isoOf = (local: string): string =>
  local === '' ? '' : new Date(isUtc.value ? `${local}Z` : local).toISOString();

/** A time in the form of the field, in the chosen zone. */
function localOf(iso: string): string {
  if (iso === '') return '';
  const time = new Date(iso);
  const shift = isUtc.value ? 0 : time.getTimezoneOffset() * 60_000;
  return new Date(time.getTime() - shift).toISOString().slice(0, 16);
}

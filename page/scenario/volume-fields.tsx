import { NumberInput } from '../components/number-fields.tsx';
import { formatNumber } from '../format/amounts.ts';
import type { Volume } from './volume.ts';

interface VolumeFieldsProps {
  readonly volume: Volume;
  /** Whether a rate was observed. */
  readonly hasRate: boolean;
  readonly setVolume: (volume: Volume) => void;
}

export function VolumeFields({ volume, hasRate, setVolume }: VolumeFieldsProps) {
  const { basis, perMonth, perSecond } = volume;
  const choose = (value: Volume['basis']) => ({
    type: 'radio',
    name: 'basis',
    checked: basis === value,
    onChange: () => setVolume({ ...volume, basis: value }),
  });
  return (
    <fieldset class="choices">
      <legend>How many entries a month</legend>
      <label>
        <input {...choose('observed')} disabled={!hasRate} />
        <span>
          As many as observed
          {!hasRate && <span class="hint"> (this needs entries of two whole hours that are over)</span>}
        </span>
      </label>
      <label>
        <input {...choose('entries_per_month')} />
        <span>Entries a month</span>
      </label>
      {basis === 'entries_per_month' && (
        <PerMonth value={perMonth} change={(value) => setVolume({ ...volume, perMonth: value })} />
      )}
      <label>
        <input {...choose('entries_per_second')} />
        <span>Entries a second</span>
      </label>
      {basis === 'entries_per_second' && (
        <div class="slider">
          <input
            type="number"
            class="number"
            min={0.000000001}
            step="any"
            value={perSecond}
            aria-label="Entries a second"
            onInput={(event) => setVolume({ ...volume, perSecond: event.currentTarget.value })}
          />
          <span class="unit">entries a second, at all times</span>
        </div>
      )}
    </fieldset>
  );
}

/** The slider moves through powers of ten: 10^2 to 10^10 entries a month. */
const exponents = { min: 2, max: 10, step: 0.1 };

const toTwoDigits = (value: number) => Number(value.toPrecision(2));

function PerMonth({ value, change }: { readonly value: number; readonly change: (value: number) => void }) {
  return (
    <div class="slider">
      <input
        type="range"
        {...exponents}
        value={Math.log10(value)}
        aria-label="Entries a month"
        aria-valuetext={`${formatNumber(value)} entries`}
        onInput={(event) => change(toTwoDigits(10 ** Number(event.currentTarget.value)))}
      />
      <NumberInput label="Entries a month, as a number" value={value} min={1} max={1e15} step={1} onValue={change} />
      <span class="unit">entries</span>
    </div>
  );
}

import { useState } from 'preact/hooks';
import { levelClasses } from '../../../shared/scenarios/pipeline.ts';
import { CheckField, Labelled, SelectField, useNotes } from '../../components/form.tsx';
import { levelNames } from '../../format/names.ts';
import type { NumberSetting, Setting } from './settings.ts';
import type { SettingValue } from './tried-designs.ts';

interface SettingProps<Kind extends Setting> {
  readonly setting: Kind;
  readonly value: SettingValue;
  readonly change: (value: SettingValue) => void;
}

export function SettingField({ setting, value, change }: SettingProps<Setting>) {
  const { name, label, hint } = setting;
  if (setting.kind === 'number') return <NumberField setting={setting} value={value} change={change} />;
  if (setting.kind === 'levels') return <LevelsField setting={setting} value={value} change={change} />;
  if (setting.kind === 'choice') {
    return (
      <SelectField
        label={label}
        name={name}
        hint={hint}
        choices={setting.choices}
        value={String(value)}
        onChange={(event) => change(event.currentTarget.value)}
      />
    );
  }
  return (
    <CheckField
      label={label}
      name={name}
      hint={hint}
      checked={value === true}
      onChange={(event) => change(event.currentTarget.checked)}
    />
  );
}

/** Typed text is sent as it is, so that the API says what is wrong with it. */
export function NumberField({
  setting: { name, label, hint, unit, isOptional },
  value,
  change,
}: SettingProps<NumberSetting>) {
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <Labelled label={label} name={name} hint={hint}>
      {(attributes) => (
        <div class="measure">
          <input
            type="number"
            class="number"
            autocomplete="off"
            value={typed ?? (value === undefined ? '' : String(value))}
            {...attributes}
            onInput={({ currentTarget: { value: text } }) => {
              setTyped(text);
              if (text !== '') change(Number(text));
              else if (isOptional) change(undefined);
            }}
            onBlur={() => setTyped(null)}
          />
          <span class="unit">{unit}</span>
        </div>
      )}
    </Labelled>
  );
}

function LevelsField({ setting: { name, label, hint }, value, change }: SettingProps<Setting>) {
  const { isInvalid, description, notes } = useNotes({ label, name, hint });
  const chosen = Array.isArray(value) ? (value as readonly string[]) : [];
  return (
    <fieldset class="levels" aria-invalid={isInvalid} {...description}>
      <legend>{label}</legend>
      <div class="level-boxes">
        {levelClasses.map((level) => (
          <label key={level}>
            <input
              type="checkbox"
              name={name}
              checked={chosen.includes(level)}
              onChange={({ currentTarget: { checked } }) =>
                // In the order of the classes.
                change(levelClasses.filter((one) => (one === level ? checked : chosen.includes(one))))
              }
            />
            <span>{levelNames[level]}</span>
          </label>
        ))}
      </div>
      {notes}
    </fieldset>
  );
}

import { useState } from 'preact/hooks';
import { levelClasses } from '../../../shared/scenarios/pipeline.ts';
import { CheckField, ChecksField, Labelled, SelectField } from '../../components/form.tsx';
import { levelNames } from '../../format/names.ts';
import type { SettingValue } from './design-fields.ts';
import type { NumberSetting, Setting } from './settings.ts';

interface SettingProps {
  readonly setting: Setting;
  readonly value: SettingValue;
  readonly change: (value: SettingValue) => void;
}

export function SettingField({ setting, value, change }: SettingProps) {
  const { name, label, hint } = setting;
  if (setting.kind === 'number')
    return <NumberField {...setting} value={value as number | undefined} change={change} />;
  if (setting.kind === 'levels') return <LevelsField setting={setting} value={value} change={change} />;
  if (setting.kind === 'choice') {
    return (
      <SelectField
        label={label}
        name={name}
        hint={hint}
        choices={setting.choices}
        value={String(value)}
        choose={change}
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

interface NumberFieldProps extends Omit<NumberSetting, 'kind' | 'name'> {
  readonly name: string;
  readonly value: number | undefined;
  readonly change: (value: number | undefined) => void;
}

/** Typed text is sent as it is, so that the API says what is wrong with it. */
export function NumberField({ name, label, hint, unit, isOptional, value, change }: NumberFieldProps) {
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

function LevelsField({ setting: { name, label, hint }, value, change }: SettingProps) {
  const chosen = Array.isArray(value) ? (value as readonly string[]) : [];
  return (
    <ChecksField
      label={label}
      name={name}
      hint={hint}
      class="in-line"
      choices={levelClasses.map((level) => ({
        value: level,
        text: levelNames[level],
        isChosen: chosen.includes(level),
      }))}
      // In the order of the classes.
      choose={(level, isChosen) =>
        change(levelClasses.filter((one) => (one === level ? isChosen : chosen.includes(one))))
      }
    />
  );
}

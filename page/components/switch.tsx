interface SwitchProps<Value extends string> {
  /** Said by screen readers. */
  readonly legend: string;
  readonly name: string;
  /** A `label` is said by screen readers in place of the text. */
  readonly choices: readonly { readonly value: Value; readonly text: string; readonly label?: string }[];
  readonly value: Value;
  readonly choose: (value: Value) => void;
}

/** A row of choices, of which one is in effect. */
export function Switch<Value extends string>({ legend, name, choices, value: chosen, choose }: SwitchProps<Value>) {
  return (
    <fieldset class="switch">
      <legend class="visually-hidden">{legend}</legend>
      {choices.map(({ value, text, label = text }) => (
        <label key={value} title={label}>
          <input
            type="radio"
            name={name}
            value={value}
            aria-label={label}
            checked={chosen === value}
            onChange={() => choose(value)}
          />
          <span>{text}</span>
        </label>
      ))}
    </fieldset>
  );
}

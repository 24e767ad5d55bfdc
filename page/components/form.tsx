import { type ComponentChildren, createContext, type JSX } from 'preact';
import { useContext, useEffect, useId, useRef, useState } from 'preact/hooks';
import { ApiError, type FieldError } from '../client/api-error.ts';
import { ErrorNote } from './states.tsx';
import { useAction } from './use-action.ts';

const FormErrors = createContext<readonly FieldError[]>([]);

interface FormProps {
  /** The text of the button that submits the form. */
  readonly action: string;
  /** Sends the form. What it throws is shown, beside the fields where it names them; what was typed stays. */
  readonly submit: (fields: FormData) => Promise<void>;
  /** Whether the fields become empty again afterwards. */
  readonly isReused?: boolean;
  readonly class?: string;
  /** More buttons, after the one that submits. */
  readonly buttons?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A form whose errors are the sentences of the API. The fields are named as the API names them. */
export function Form({ action, submit, isReused = false, buttons, children, ...props }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  const { start, isBusy, error } = useAction(async (target: HTMLFormElement) => {
    await submit(new FormData(target));
    if (isReused) target.reset();
  });
  const fieldErrors = error instanceof ApiError ? error.fields : noErrors;

  // After the fields, too, are shown with their errors.
  useEffect(() => {
    if (error !== null) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [error]);

  function onSubmit(event: JSX.TargetedSubmitEvent<HTMLFormElement>): void {
    event.preventDefault();
    start(event.currentTarget);
  }

  return (
    <FormErrors.Provider value={fieldErrors}>
      <form ref={form} class={`form ${props.class ?? ''}`} noValidate onSubmit={onSubmit}>
        {children}
        {error !== null && <ErrorNote error={error} ownFields={namesOf(form.current)} />}
        <div class="buttons">
          <button type="submit" class="primary" aria-disabled={isBusy} aria-busy={isBusy}>
            {action}
          </button>
          {buttons}
        </div>
      </form>
    </FormErrors.Provider>
  );
}

const noErrors: readonly FieldError[] = [];

const namesOf = (form: HTMLFormElement | null): readonly string[] =>
  [...(form?.elements ?? [])].map((element) => element.getAttribute('name') ?? '');

interface FieldProps {
  readonly label: string;
  readonly name: string;
  readonly hint?: ComponentChildren;
}

/** The label, the hint and the error of a field, and the attributes that connect them to it. */
function Labelled({
  label,
  name,
  hint,
  children,
}: FieldProps & { children: (attributes: { id: string; name: string } & JSX.AriaAttributes) => ComponentChildren }) {
  const id = useId();
  const errors = useContext(FormErrors).filter(({ field }) => field === name);
  const described = [hint ? `${id}-hint` : '', errors.length > 0 ? `${id}-error` : ''].filter(Boolean).join(' ');
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({
        id,
        name,
        'aria-invalid': errors.length > 0,
        ...(described === '' ? {} : { 'aria-describedby': described }),
      })}
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {errors.length > 0 && (
        <p class="field-error" id={`${id}-error`}>
          {errors.map(({ error }) => `${label} ${error}.`).join(' ')}
        </p>
      )}
    </div>
  );
}

export function TextField({ label, name, hint, ...input }: FieldProps & Omit<JSX.InputHTMLAttributes, 'name'>) {
  return (
    <Labelled label={label} name={name} hint={hint}>
      {(attributes) => <input type="text" autocomplete="off" {...input} {...attributes} />}
    </Labelled>
  );
}

export function TextArea({ label, name, hint, ...input }: FieldProps & Omit<JSX.TextareaHTMLAttributes, 'name'>) {
  return (
    <Labelled label={label} name={name} hint={hint}>
      {(attributes) => <textarea rows={3} {...input} {...attributes} />}
    </Labelled>
  );
}

export interface Choice {
  readonly value: string;
  readonly text: string;
}

export function SelectField({
  label,
  name,
  hint,
  choices,
  value,
  ...select
}: FieldProps & { choices: readonly Choice[] } & Omit<JSX.SelectHTMLAttributes, 'name'>) {
  return (
    <Labelled label={label} name={name} hint={hint}>
      {(attributes) => (
        <select {...select} {...attributes}>
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value} selected={choice.value === value}>
              {choice.text}
            </option>
          ))}
        </select>
      )}
    </Labelled>
  );
}

interface NumberInputProps {
  readonly label: string;
  readonly value: number;
  readonly min: number;
  readonly max: number;
  readonly step: number;
  readonly onValue: (value: number) => void;
}

/**
 * A number that applies as it is typed, where it is in its range, and is brought into it when the field is left. What is typed
 * stays while the page is drawn again.
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

export function CheckField({
  label,
  name,
  ...input
}: Omit<FieldProps, 'hint'> & Omit<JSX.InputHTMLAttributes, 'name'>) {
  const id = useId();
  return (
    <div class="check">
      <input type="checkbox" id={id} name={name} {...input} />
      <label for={id}>{label}</label>
    </div>
  );
}

/** Checkboxes of one name, of which several can be chosen. */
export function ChecksField({
  label,
  name,
  choices,
}: Omit<FieldProps, 'hint'> & { choices: readonly (Choice & { readonly hint?: string })[] }) {
  const id = useId();
  const errors = useContext(FormErrors).filter(({ field }) => field === name);
  const hasErrors = errors.length > 0;
  return (
    <fieldset class="choices" {...(hasErrors ? { 'aria-describedby': `${id}-error` } : {})}>
      <legend>{label}</legend>
      {choices.map(({ value, text, hint }) => (
        <label key={value}>
          <input type="checkbox" name={name} value={value} aria-invalid={hasErrors} />
          <span>
            {text} {hint && <span class="hint">{hint}</span>}
          </span>
        </label>
      ))}
      {hasErrors && (
        <p class="field-error" id={`${id}-error`}>
          {errors.map(({ error }) => `${label} ${error}.`).join(' ')}
        </p>
      )}
    </fieldset>
  );
}

/** A text of a form; empty for a field that it does not have. */
export const textOf = (fields: FormData, name: string): string => {
  const value = fields.get(name);
  return typeof value === 'string' ? value : '';
};

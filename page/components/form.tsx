import { type ComponentChildren, createContext, type JSX } from 'preact';
import { useContext, useEffect, useId, useRef } from 'preact/hooks';
import { ApiError, type FieldError } from '../client/api-error.ts';
import { noteSentence } from '../format/page-words.ts';
import { ErrorNote } from './states.tsx';
import { useAction } from './use-action.ts';

/** The errors of the fields below it, by their names. */
export const FormErrors = createContext<readonly FieldError[]>([]);

interface FormProps {
  /** The text of the button that submits the form. */
  readonly action: string;
  /**
   * Sends the form. Its errors are shown, beside the fields that they name; the typed values stay.
   */
  readonly submit: (fields: FormData, form: HTMLFormElement) => Promise<void>;
  /** Whether the fields become empty again afterwards. */
  readonly isReused?: boolean;
  readonly class?: string;
  /** A button beside the one that submits calls it, for example to close a dialog. */
  readonly cancel?: () => void;
  /** The text of that button. */
  readonly cancelName?: string;
  readonly children: ComponentChildren;
}

/** A form whose errors are the sentences of the API. The fields are named as the API names them. */
export function Form({
  action,
  submit,
  isReused = false,
  cancel,
  cancelName = 'Cancel',
  children,
  ...props
}: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  const { start, isBusy, error } = useAction(async (target: HTMLFormElement) => {
    await submit(new FormData(target), target);
    if (isReused) target.reset();
  });
  const fieldErrors = error instanceof ApiError ? error.fields : noErrors;

  // After the fields, too, are shown with their errors.
  useEffect(() => {
    const field = error === null ? null : form.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    field?.closest('details')?.setAttribute('open', '');
    field?.focus();
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
          {cancel && (
            <button type="button" onClick={cancel}>
              {cancelName}
            </button>
          )}
        </div>
      </form>
    </FormErrors.Provider>
  );
}

const noErrors: readonly FieldError[] = [];

const namesOf = (form: HTMLFormElement | null): readonly string[] =>
  [...(form?.elements ?? [])].map((element) => element.getAttribute('name') ?? '');

export interface FieldProps {
  readonly label: string;
  readonly name: string;
  readonly hint?: ComponentChildren;
}

/** The hint and the error of a field, and the attributes that connect them to it. */
export function useNotes({ label, name, hint }: FieldProps) {
  const id = useId();
  const errors = useContext(FormErrors).filter(({ field }) => field === name);
  const isInvalid = errors.length > 0;
  const described = [hint ? `${id}-hint` : '', isInvalid ? `${id}-error` : ''].filter(Boolean).join(' ');
  return {
    id,
    isInvalid,
    description: described === '' ? {} : { 'aria-describedby': described },
    notes: (
      <>
        {hint && (
          <p class="hint" id={`${id}-hint`}>
            {hint}
          </p>
        )}
        {isInvalid && (
          <p class="field-error" id={`${id}-error`}>
            {errors.map(({ error }) => noteSentence(label, error)).join(' ')}
          </p>
        )}
      </>
    ),
  };
}

/** A field with its label and its notes. */
export function Labelled({
  children,
  ...field
}: FieldProps & { children: (attributes: { id: string; name: string } & JSX.AriaAttributes) => ComponentChildren }) {
  const { id, isInvalid, description, notes } = useNotes(field);
  return (
    <div class="field">
      <label for={id}>{field.label}</label>
      {children({ id, name: field.name, 'aria-invalid': isInvalid, ...description })}
      {notes}
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

interface SelectProps extends Omit<JSX.SelectHTMLAttributes, 'name' | 'value'> {
  readonly choices: readonly Choice[];
  readonly value: string;
  /** Called with the chosen value. A select of a form needs none. */
  readonly choose?: (value: string) => void;
}

export function Select({ choices, value, choose, ...attributes }: SelectProps) {
  return (
    <select {...attributes} onChange={({ currentTarget }) => choose?.(currentTarget.value)}>
      {choices.map((choice) => (
        <option key={choice.value} value={choice.value} selected={choice.value === value}>
          {choice.text}
        </option>
      ))}
    </select>
  );
}

export function SelectField({ label, name, hint, ...select }: FieldProps & SelectProps) {
  return (
    <Labelled label={label} name={name} hint={hint}>
      {(attributes) => <Select {...select} {...attributes} />}
    </Labelled>
  );
}

export function CheckField({ label, name, hint, ...input }: FieldProps & Omit<JSX.InputHTMLAttributes, 'name'>) {
  const { id, isInvalid, description, notes } = useNotes({ label, name, hint });
  return (
    <div class="field">
      <div class="check">
        <input type="checkbox" id={id} name={name} aria-invalid={isInvalid} {...description} {...input} />
        <label for={id}>{label}</label>
      </div>
      {notes}
    </div>
  );
}

interface ChecksFieldProps extends FieldProps {
  readonly choices: readonly (Choice & { readonly hint?: string; readonly isChosen?: boolean })[];
  /** Called with a choice. The checkboxes of a form need none. */
  readonly choose?: (value: string, isChosen: boolean) => void;
  readonly class?: string;
}

/** Checkboxes of one name, of which several can be chosen. */
export function ChecksField({ label, name, hint, choices, choose, ...props }: ChecksFieldProps) {
  const { isInvalid, description, notes } = useNotes({ label, name, hint });
  return (
    <fieldset class={`choices ${props.class ?? ''}`} {...description}>
      <legend>{label}</legend>
      {choices.map(({ value, text, hint: choiceHint, isChosen }) => (
        <label key={value}>
          <input
            type="checkbox"
            name={name}
            value={value}
            aria-invalid={isInvalid}
            checked={isChosen}
            onChange={({ currentTarget }) => choose?.(value, currentTarget.checked)}
          />
          <span>
            {text} {choiceHint && <span class="hint">{choiceHint}</span>}
          </span>
        </label>
      ))}
      {notes}
    </fieldset>
  );
}

/** A text of a form; empty for a field that it does not have. */
export const textOf = (fields: FormData, name: string): string => {
  const value = fields.get(name);
  return typeof value === 'string' ? value : '';
};

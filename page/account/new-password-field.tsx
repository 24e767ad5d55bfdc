import { type FieldProps, TextField } from '../components/form.tsx';

export function NewPasswordField(field: Omit<FieldProps, 'hint'>) {
  return (
    <TextField
      {...field}
      type="password"
      autocomplete="new-password"
      hint="10 to 72 characters; accented letters and emoji count as several."
    />
  );
}

import { useEffect, useState } from 'preact/hooks';
import { type FieldProps, TextField } from '../components/form.tsx';

const wholeId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

interface IdFieldProps extends FieldProps {
  readonly value: string;
  /** Gets an id when it is whole, and any text at Enter and where the field is left. */
  readonly change: (id: string) => void;
}

/** A field for an id: the API would refuse a part of it. */
export function IdField({ value, change, ...field }: IdFieldProps) {
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);
  return (
    <TextField
      {...field}
      value={typed}
      onInput={(event) => {
        const text = event.currentTarget.value.trim();
        setTyped(text);
        if (text === '' || wholeId.test(text)) change(text);
      }}
      onChange={(event) => change(event.currentTarget.value.trim())}
    />
  );
}

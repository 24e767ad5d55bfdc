import type { Template } from '../family.ts';
import type { Values } from '../values.ts';

type Write = (name: string, value: string, values: Values) => string;
type PairKind = 'idField' | 'idPhrase' | 'cardField' | 'cardPhrase' | 'wrongIdField' | 'wrongIdPhrase';

const pairOf =
  (kind: PairKind) =>
  (write: Write): Template =>
  (values) => {
    const { name, value } = values[kind]();
    return write(name, value, values);
  };

/** Templates with the name of a field, or the label of a phrase, and its value. */
export const idField = pairOf('idField');
export const idPhrase = pairOf('idPhrase');
export const cardField = pairOf('cardField');
export const cardPhrase = pairOf('cardPhrase');
export const wrongIdField = pairOf('wrongIdField');
export const wrongIdPhrase = pairOf('wrongIdPhrase');

/** Names a field as a column of a table: `nrPesel` becomes `nr_pesel`. */
export const column = (name: string): string =>
  name
    .replace(/(?<=[a-z])(?=[A-Z])/g, '_')
    .replace(/[.-]/g, '_')
    .toLowerCase();

import type { Values } from './values.ts';

/** Composes a line, with its personal data marked. */
export type Template = (values: Values) => string;

/** Lines of systems of one kind. */
export interface Family {
  readonly name: string;
  /** Lines with personal data. */
  readonly personal: readonly Template[];
  /** Lines without personal data that contain look-alikes. */
  readonly lookalikes: readonly Template[];
}

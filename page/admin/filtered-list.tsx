import type { ComponentChildren } from 'preact';
import { ApiError } from '../client/api-error.ts';
import { FormErrors } from '../components/form.tsx';
import { ErrorNote, Loaded, type Query } from '../components/states.tsx';

interface FilteredListProps<Data> {
  readonly query: Query<Data>;
  /** The name of the rows, in the plural: `jobs`. */
  readonly what: string;
  /** The names of the fields, as the API has them in its errors. */
  readonly fieldNames: readonly string[];
  readonly fields: ComponentChildren;
  /** Clears the whole filter, including values that have no field. */
  readonly showAll: () => void;
  readonly children: (data: Data) => ComponentChildren;
}

/**
 * A list below the fields of its filter. A field shows why the API refuses its value; then the list
 * is not shown.
 */
export function FilteredList<Data>({ query, what, fieldNames, fields, showAll, children }: FilteredListProps<Data>) {
  const errors = query.error instanceof ApiError ? query.error.fields : [];
  return (
    <>
      <FormErrors.Provider value={errors}>
        <form class="columns before-form" role="search" onSubmit={(event) => event.preventDefault()}>
          {fields}
        </form>
      </FormErrors.Provider>
      {errors.length > 0 ? (
        <>
          <ErrorNote error={query.error} ownFields={fieldNames} />
          <div class="buttons">
            <button type="button" onClick={showAll}>
              Show all
            </button>
          </div>
        </>
      ) : (
        <Loaded query={query} what={what}>
          {children}
        </Loaded>
      )}
    </>
  );
}

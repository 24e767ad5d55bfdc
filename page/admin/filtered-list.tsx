import type { ComponentChildren } from 'preact';
import { ApiError } from '../client/api-error.ts';
import { FormErrors } from '../components/form.tsx';
import { ErrorNote, Loaded, type Query } from '../components/states.tsx';

interface FilteredListProps<Data> {
  readonly query: Query<Data>;
  /** The name of the entries, in the plural. */
  readonly what: string;
  /** The names of the filters that have a field. */
  readonly fieldNames: readonly string[];
  readonly fields: ComponentChildren;
  /** Removes the whole filter, also what has no field. */
  readonly showAll: () => void;
  readonly children: (data: Data) => ComponentChildren;
}

/** A list below the fields of its filter, which show what the API refuses of them. */
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

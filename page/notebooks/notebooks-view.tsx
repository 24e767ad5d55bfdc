import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { SignInPrompt } from '../account/sign-in.tsx';
import { View } from '../app/view.tsx';
import { enteredKey } from '../client/new-keys.ts';
import type { Notebook } from '../client/responses.ts';
import { isOpenToAll, isSignedIn } from '../client/session.ts';
import { Time } from '../components/amount.tsx';
import { announce } from '../components/announcer.tsx';
import { Dialog, Question } from '../components/dialog.tsx';
import { Form, TextArea, TextField, textOf } from '../components/form.tsx';
import { Pager } from '../components/pager.tsx';
import { Empty, ErrorNote, Loaded } from '../components/states.tsx';
import { actionsColumn, ListTable } from '../components/table.tsx';
import { KeyPrompt } from './key-prompt.tsx';
import {
  changeNotebook,
  createNotebook,
  deleteNotebook,
  isRefusal,
  needsKey,
  notebookKey,
  notebooksPerPage,
  useNotebooks,
} from './notebook-requests.ts';

const title = 'Notebooks';
const lead =
  'A notebook is a title with a note, for what you want to remember beside your scenarios. The notebook service that this installation is connected with stores it.';

export function NotebooksView() {
  if (!needsKey) {
    const list = <Notebooks apiKey={null} />;
    return isOpenToAll ? list : <SignInPrompt title={title}>{list}</SignInPrompt>;
  }
  return <NotebooksWithKey />;
}

function NotebooksWithKey() {
  const [isSigningIn, setSigningIn] = useState(false);
  const key = notebookKey();
  // The prompt goes, with the button or the field that had the focus.
  const isFirst = useRef(true);
  useEffect(() => {
    if (!isFirst.current) document.querySelector<HTMLElement>('main h1')?.focus();
    isFirst.current = false;
  }, [isSigningIn, key]);
  const prompt = <KeyPrompt signIn={() => setSigningIn(true)} />;
  if (isSigningIn && !isSignedIn()) return <SignInPrompt title={title}>{prompt}</SignInPrompt>;
  if (key !== null) return <Notebooks key={key} apiKey={key} prompt={prompt} />;
  return (
    <View title={title} lead={lead}>
      {prompt}
    </View>
  );
}

interface NotebooksProps {
  readonly apiKey: string | null;
  /** Asks for another key, where the service refuses this one. */
  readonly prompt?: ComponentChildren;
}

function Notebooks({ apiKey, prompt }: NotebooksProps) {
  const [page, setPage] = useState(1);
  const [isCreating, setCreating] = useState(false);
  const query = useNotebooks(apiKey, page);
  const isRefused = isRefusal(query.error);
  return (
    <View
      title={title}
      lead={lead}
      actions={
        !isRefused && (
          <>
            {enteredKey.value !== null && (
              <button
                type="button"
                onClick={() => {
                  enteredKey.value = null;
                }}
              >
                Forget the API key
              </button>
            )}
            <button type="button" class="primary" onClick={() => setCreating(true)}>
              New notebook
            </button>
          </>
        )
      }
    >
      {isRefused ? (
        <>
          <ErrorNote error={query.error} />
          {prompt}
        </>
      ) : (
        <Loaded query={query} what="notebooks">
          {({ items, pagination: { total } }) =>
            total === 0 ? (
              <Empty title="No notebooks yet." />
            ) : (
              <>
                <NotebookTable items={items} />
                <Pager what="notebooks" page={page} pageSize={notebooksPerPage} total={total} go={setPage} />
              </>
            )
          }
        </Loaded>
      )}
      {isCreating && (
        <NotebookDialog
          title="New notebook"
          action="Create"
          save={async (fields) => {
            await createNotebook(fields);
            setPage(1);
            announce('The notebook is created.');
          }}
          close={() => setCreating(false)}
        />
      )}
    </View>
  );
}

function NotebookTable({ items }: { readonly items: readonly Notebook[] }) {
  return (
    <ListTable caption="Notebooks" columns={['Title', 'Description', 'Created', 'Changed', actionsColumn]}>
      {items.map((notebook) => (
        <NotebookRow key={notebook.id} notebook={notebook} />
      ))}
    </ListTable>
  );
}

function NotebookRow({ notebook }: { readonly notebook: Notebook }) {
  const [open, setOpen] = useState<'edit' | 'delete' | null>(null);
  const { title: name, description, created_at, updated_at } = notebook;
  return (
    <tr>
      <th scope="row">
        <bdi>{name}</bdi>
      </th>
      <td data-label="Description">{description ? <bdi>{description}</bdi> : '–'}</td>
      <td data-label="Created">
        <Time iso={created_at} />
      </td>
      <td data-label="Changed">
        <Time iso={updated_at} />
      </td>
      <td class="row-actions">
        <div class="buttons">
          <button type="button" aria-label={`Edit ${name}`} onClick={() => setOpen('edit')}>
            Edit
          </button>
          <button type="button" aria-label={`Delete ${name}`} onClick={() => setOpen('delete')}>
            Delete
          </button>
        </div>
        {open === 'edit' && (
          <NotebookDialog
            title="Edit the notebook"
            action="Save"
            notebook={notebook}
            save={(fields) => changeNotebook(notebook, fields)}
            close={() => setOpen(null)}
          />
        )}
        {open === 'delete' && (
          <Question
            title="Delete this notebook?"
            action="Delete for good"
            act={async () => {
              await deleteNotebook(notebook);
              announce('The notebook is deleted.');
            }}
            close={() => setOpen(null)}
          >
            <p>
              <bdi>{name}</bdi> is deleted from the notebook service. This cannot be undone.
            </p>
          </Question>
        )}
      </td>
    </tr>
  );
}

interface NotebookDialogProps {
  readonly title: string;
  readonly action: string;
  readonly notebook?: Notebook;
  readonly save: (fields: { title: string; description: string | null }) => Promise<void>;
  readonly close: () => void;
}

function NotebookDialog({ title: heading, action, notebook, save, close }: NotebookDialogProps) {
  return (
    <Dialog title={heading} close={close}>
      <Form
        action={action}
        cancel={close}
        submit={async (fields) => {
          await save({ title: textOf(fields, 'title'), description: textOf(fields, 'description').trim() || null });
          close();
        }}
      >
        <TextField label="Title" name="title" defaultValue={notebook?.title ?? ''} hint="3 to 100 characters." />
        <TextArea
          label="Description"
          name="description"
          defaultValue={notebook?.description ?? ''}
          hint="May stay empty; at most 500 characters."
        />
      </Form>
    </Dialog>
  );
}

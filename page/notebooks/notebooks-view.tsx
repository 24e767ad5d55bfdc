import { useEffect, useState } from 'preact/hooks';
import { SignInPrompt } from '../account/sign-in.tsx';
import { View } from '../app/view.tsx';
import type { Notebook } from '../client/responses.ts';
import { isOpenToAll } from '../client/session.ts';
import { Time } from '../components/amount.tsx';
import { announce } from '../components/announcer.tsx';
import { Dialog, Question } from '../components/dialog.tsx';
import { Form, TextArea, TextField, textOf } from '../components/form.tsx';
import { Menu } from '../components/menu.tsx';
import { PagedList } from '../components/paged-list.tsx';
import { ErrorNote, Loading } from '../components/states.tsx';
import { actionsColumn } from '../components/table.tsx';
import { useAction } from '../components/use-action.ts';
import {
  changeNotebook,
  createNotebook,
  createNotebookKey,
  deleteNotebook,
  needsKey,
  notebookKey,
  notebooksPerPage,
  readNotebooks,
} from './notebook-requests.ts';

const title = 'Notebooks';
const lead = 'Notes beside your scenarios. The notebook service of this installation stores them.';

export function NotebooksView() {
  if (!needsKey) {
    const list = <Notebooks apiKey={null} />;
    return isOpenToAll ? list : <SignInPrompt title={title}>{list}</SignInPrompt>;
  }
  return (
    <SignInPrompt title={title}>
      <NotebooksWithKey />
    </SignInPrompt>
  );
}

/** The interface of the notebooks takes an API key, so the page creates one for itself. */
function NotebooksWithKey() {
  const key = notebookKey();
  const { start, error } = useAction(createNotebookKey);
  useEffect(() => {
    if (key === null) start();
  }, [key]);
  if (key !== null) return <Notebooks key={key} apiKey={key} />;
  return (
    <View title={title} lead={lead}>
      {error === null ? <Loading what="notebooks" /> : <ErrorNote error={error} retry={start} />}
    </View>
  );
}

function Notebooks({ apiKey }: { readonly apiKey: string | null }) {
  const [isCreating, setCreating] = useState(false);
  // A new notebook is on the first page.
  const [created, setCreated] = useState(0);
  return (
    <View
      title={title}
      lead={lead}
      actions={
        <button type="button" class="primary" onClick={() => setCreating(true)}>
          New notebook
        </button>
      }
    >
      <PagedList
        key={created}
        what="notebooks"
        caption="Notebooks"
        queryKey={['notebooks', apiKey]}
        pageSize={notebooksPerPage}
        readPage={readNotebooks}
        columns={['Title', 'Description', 'Created', 'Changed', actionsColumn]}
        row={(notebook) => <NotebookRow key={notebook.id} notebook={notebook} />}
      />
      {isCreating && (
        <NotebookDialog
          title="New notebook"
          action="Create"
          save={async (fields) => {
            await createNotebook(fields);
            setCreated(created + 1);
            announce('The notebook is created.');
          }}
          close={() => setCreating(false)}
        />
      )}
    </View>
  );
}

function NotebookRow({ notebook }: { readonly notebook: Notebook }) {
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
        <Menu
          of={name}
          items={[
            {
              name: 'Edit',
              dialog: (close) => (
                <NotebookDialog
                  title="Edit the notebook"
                  action="Save"
                  notebook={notebook}
                  save={(fields) => changeNotebook(notebook, fields)}
                  close={close}
                />
              ),
            },
            {
              name: 'Delete',
              dialog: (close) => (
                <Question
                  title="Delete this notebook?"
                  action="Delete for good"
                  act={() => deleteNotebook(notebook)}
                  close={close}
                >
                  <p>
                    <bdi>{name}</bdi> is deleted from the notebook service. This cannot be undone.
                  </p>
                </Question>
              ),
            },
          ]}
        />
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
          label="Description (optional)"
          name="description"
          defaultValue={notebook?.description ?? ''}
          hint="At most 500 characters."
        />
      </Form>
    </Dialog>
  );
}

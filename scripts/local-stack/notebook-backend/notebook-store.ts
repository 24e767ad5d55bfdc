import { type Db, MongoServerError } from 'mongodb';

/** A notebook in the form of the contract. */
interface NotebookBody {
  id: string;
  title: string;
  description: string | null;
  created_at: string;
  updated_at: string;
}

interface Row {
  _id: string;
  title: string;
  /** The title without case, for sorting. */
  titleKey: string;
  description: string | null;
  createdAt: Date;
  updatedAt: Date;
}

export interface NotebookStore {
  /** `notebook` is null if another notebook has the id. */
  create(
    id: string,
    fields: { title: string; description: string | null; created_at: string },
  ): Promise<{ created: boolean; notebook: NotebookBody | null }>;
  read(id: string): Promise<NotebookBody | null>;
  update(
    id: string,
    changes: { title?: string; description?: string | null; updated_at: string },
  ): Promise<NotebookBody | null>;
  remove(id: string): Promise<boolean>;
  list(page: {
    limit: number;
    offset: number;
    sort: keyof typeof sortKeys;
    order: 'asc' | 'desc';
  }): Promise<{ items: NotebookBody[]; total: number }>;
}

const duplicateKey = 11000;
const sortKeys = { created_at: 'createdAt', updated_at: 'updatedAt', title: 'titleKey' } as const;
const titleKeyOf = (title: string) => title.normalize('NFC').toLowerCase();

/** Opens the store. Its collection is separate from the service's records of notebooks. */
export async function openNotebookStore(db: Db): Promise<NotebookStore> {
  const rows = db.collection<Row>('backend_notebooks');
  // Serve the list in each of its sort orders. The id makes the order total.
  for (const key of Object.values(sortKeys)) await rows.createIndex({ [key]: 1, _id: 1 });
  return {
    create: async (id, { title, description, created_at }) => {
      const at = new Date(created_at);
      const row: Row = { _id: id, title, titleKey: titleKeyOf(title), description, createdAt: at, updatedAt: at };
      try {
        await rows.insertOne(row);
        return { created: true, notebook: toBody(row) };
      } catch (error) {
        if (!(error instanceof MongoServerError && error.code === duplicateKey)) throw error;
      }
      const present = await rows.findOne({ _id: id });
      const same =
        present?.title === title && present.description === description && present.createdAt.getTime() === at.getTime();
      return { created: false, notebook: present && same ? toBody(present) : null };
    },
    read: async (id) => toBodyOrNull(await rows.findOne({ _id: id })),
    update: async (id, { title, description, updated_at }) => {
      const changes = {
        ...(title === undefined ? {} : { title, titleKey: titleKeyOf(title) }),
        ...(description === undefined ? {} : { description }),
        updatedAt: new Date(updated_at),
      };
      return toBodyOrNull(await rows.findOneAndUpdate({ _id: id }, { $set: changes }, { returnDocument: 'after' }));
    },
    remove: async (id) => (await rows.deleteOne({ _id: id })).deletedCount === 1,
    list: async ({ limit, offset, sort, order }) => {
      const direction = order === 'asc' ? 1 : -1;
      const [items, total] = await Promise.all([
        rows
          .find({})
          .sort({ [sortKeys[sort]]: direction, _id: direction })
          .skip(offset)
          .limit(limit)
          .toArray(),
        rows.countDocuments({}),
      ]);
      return { items: items.map(toBody), total };
    },
  };
}

function toBodyOrNull(row: Row | null): NotebookBody | null {
  return row ? toBody(row) : null;
}

function toBody({ _id, title, description, createdAt, updatedAt }: Row): NotebookBody {
  return {
    id: _id,
    title,
    description,
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
  };
}

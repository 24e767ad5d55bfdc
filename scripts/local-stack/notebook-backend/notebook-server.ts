// The reference implementation of docs/notebook-backend.md, for the local stack and the tests. Its
// only caller is the service, which has validated what it sends.
import { json } from 'node:stream/consumers';
import Router from '@koa/router';
import Koa, { type Context } from 'koa';
import { type Db, MongoServerError } from 'mongodb';
import { isSameSecret, isUuid } from '../../../shared/crypto/sha256.ts';

interface Row {
  _id: string;
  title: string;
  /** The title without case, for sorting. */
  titleKey: string;
  description: string | null;
  createdAt: Date;
  updatedAt: Date;
}

type Fields = Record<'title' | 'created_at' | 'updated_at', string> & Pick<Row, 'description'>;

/** Separate from the service's records of notebooks. */
export const backendCollection = 'backend_notebooks';
const duplicateKey = 11000;
const sortKeys = { created_at: 'createdAt', updated_at: 'updatedAt', title: 'titleKey' } as const;

/** If `token` is set, requests without this token get 401. */
export async function createNotebookServer(db: Db, token?: string): Promise<Koa> {
  const rows = db.collection<Row>(backendCollection);
  // Serve the list in each of its sort orders. The id makes the order total.
  for (const key of Object.values(sortKeys)) await rows.createIndex({ [key]: 1, _id: 1 });

  const router = new Router();
  router.param('id', (id, context, next) => (isUuid(id) ? next() : context.throw(404)));
  router.get('/notebooks', async (context) => {
    const { limit = 20, offset = 0, sort = 'created_at', order } = context.query;
    const direction = order === 'asc' ? 1 : -1;
    const sorted = rows.find({}).sort({ [sortKeys[sort as keyof typeof sortKeys]]: direction, _id: direction });
    const page = sorted.skip(Number(offset)).limit(Number(limit));
    const [items, total] = await Promise.all([page.toArray(), rows.countDocuments({})]);
    context.body = { items: items.map(present), total };
  });
  router.get('/notebooks/:id', async (context) => {
    context.body = present((await rows.findOne({ _id: idOf(context) })) ?? context.throw(404));
  });
  router.put('/notebooks/:id', async (context) => {
    const { title, description, created_at: time } = (await json(context.req)) as Fields;
    const at = new Date(time);
    const row = { _id: idOf(context), ...storedTitle(title), description, createdAt: at, updatedAt: at };
    try {
      await rows.insertOne(row);
      context.status = 201;
    } catch (error) {
      if (!(error instanceof MongoServerError && error.code === duplicateKey)) throw error;
      const same = { _id: row._id, title, description, createdAt: at };
      if (!(await rows.findOne(same))) context.throw(409, 'Another notebook has this id.');
    }
    context.body = present(row);
  });
  router.patch('/notebooks/:id', async (context) => {
    const { title, description, updated_at: time } = (await json(context.req)) as Partial<Fields>;
    const changes: Partial<Row> = {
      ...(title === undefined ? {} : storedTitle(title)),
      ...(description === undefined ? {} : { description }),
      updatedAt: new Date(time ?? Date.now()),
    };
    const row = await rows.findOneAndUpdate({ _id: idOf(context) }, { $set: changes }, { returnDocument: 'after' });
    context.body = present(row ?? context.throw(404));
  });
  router.delete('/notebooks/:id', async (context) => {
    if ((await rows.deleteOne({ _id: idOf(context) })).deletedCount === 0) context.throw(404);
    context.status = 204;
  });

  const app = new Koa();
  app.silent = true;
  app.use(async (context, next) => {
    if (token !== undefined && !isSameSecret(context.get('Authorization'), `Bearer ${token}`)) context.throw(401);
    await next();
  });
  app.use(router.routes());
  app.use(router.allowedMethods());
  return app;
}

const idOf = (context: Context) => String(context['params']?.id);
const storedTitle = (title: string) => ({ title, titleKey: title.normalize('NFC').toLowerCase() });

const present = ({ _id, title, description, createdAt, updatedAt }: Row) => ({
  id: _id,
  title,
  description,
  created_at: createdAt.toISOString(),
  updated_at: updatedAt.toISOString(),
});

// The reference implementation of docs/notebook-backend.md, for the local stack and the tests.
import { json } from 'node:stream/consumers';
import Router from '@koa/router';
import Koa, { type Context } from 'koa';
import { type Db, MongoServerError } from 'mongodb';
import { Joi } from '../../../api/http/joi.ts';
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

interface Fields {
  title: string;
  description: string | null;
  created_at: string;
  updated_at: string;
}

/** Separate from the service's records of notebooks. */
export const backendCollection = 'backend_notebooks';
const duplicateKey = 11000;
const sortKeys = { created_at: 'createdAt', updated_at: 'updatedAt', title: 'titleKey' } as const;

const title = Joi.string().min(1);
const description = Joi.string().allow('', null).required();
const time = Joi.string().isoDate().required();
const createSchema = Joi.object<Fields>({ title: title.required(), description, created_at: time });
const updateSchema = Joi.object<Partial<Fields> & Pick<Fields, 'updated_at'>>({
  title,
  description: description.optional(),
  updated_at: time,
});
const listSchema = Joi.object<{ limit: number; offset: number; sort: keyof typeof sortKeys; order: 'asc' | 'desc' }>({
  limit: Joi.number().integer().min(1).max(100).default(20),
  offset: Joi.number().integer().min(0).default(0),
  sort: Joi.string()
    .valid(...Object.keys(sortKeys))
    .default('created_at'),
  order: Joi.string().valid('asc', 'desc').default('desc'),
});

/** If `token` is set, requests without this token get 401. */
export async function createNotebookServer(db: Db, token?: string): Promise<Koa> {
  const rows = db.collection<Row>(backendCollection);
  // Serve the list in each of its sort orders. The id makes the order total.
  for (const key of Object.values(sortKeys)) await rows.createIndex({ [key]: 1, _id: 1 });

  const router = new Router();
  router.param('id', (id, context, next) => (isUuid(id) ? next() : context.throw(404)));
  router.get('/notebooks', async (context) => {
    const { limit, offset, sort, order } = validate(context, listSchema, context.query);
    const direction = order === 'asc' ? 1 : -1;
    const sorted = rows.find({}).sort({ [sortKeys[sort]]: direction, _id: direction });
    const [items, total] = await Promise.all([sorted.skip(offset).limit(limit).toArray(), rows.countDocuments({})]);
    context.body = { items: items.map(present), total };
  });
  router.get('/notebooks/:id', async (context) => {
    context.body = present((await rows.findOne({ _id: idOf(context) })) ?? context.throw(404));
  });
  router.put('/notebooks/:id', async (context) => {
    const fields = validate(context, createSchema, await readBody(context));
    const at = new Date(fields.created_at);
    const row: Row = {
      _id: idOf(context),
      ...storedTitle(fields.title),
      description: fields.description,
      createdAt: at,
      updatedAt: at,
    };
    try {
      await rows.insertOne(row);
      context.status = 201;
    } catch (error) {
      if (!(error instanceof MongoServerError && error.code === duplicateKey)) throw error;
      const same = { _id: row._id, title: row.title, description: row.description, createdAt: at };
      if (!(await rows.findOne(same))) context.throw(409, 'Another notebook has this id.');
    }
    context.body = present(row);
  });
  router.patch('/notebooks/:id', async (context) => {
    const fields = validate(context, updateSchema, await readBody(context));
    const changes: Partial<Row> = {
      ...(fields.title === undefined ? {} : storedTitle(fields.title)),
      ...(fields.description === undefined ? {} : { description: fields.description }),
      updatedAt: new Date(fields.updated_at),
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
const storedTitle = (text: string) => ({ title: text, titleKey: text.normalize('NFC').toLowerCase() });

function validate<T>(context: Context, schema: ReturnType<typeof Joi.object<T>>, value: unknown): T {
  const result = schema.validate(value);
  return result.error ? context.throw(400, result.error.message) : result.value;
}

/** The service is the only sender, so that no limit of the size is needed. */
async function readBody(context: Context): Promise<unknown> {
  return json(context.req).catch(() => context.throw(400, 'The body is not JSON.'));
}

const present = ({ _id, title: text, description: details, createdAt, updatedAt }: Row) => ({
  id: _id,
  title: text,
  description: details,
  created_at: createdAt.toISOString(),
  updated_at: updatedAt.toISOString(),
});

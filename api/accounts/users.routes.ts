import { adminAccess } from '../http/access/access-rules.ts';
import { userOf } from '../http/access/caller.ts';
import { contentTag } from '../http/entity-tag.ts';
import { idPath, Joi } from '../http/input.ts';
import { type PageQuery, pageFields, readPage } from '../http/paging.ts';
import { empty, json, reply } from '../http/response.ts';
import { defineRoute, type Route, type RouteSettings } from '../http/route.ts';
import {
  accountListResponse,
  accountResponse,
  newAccountResponse,
  passwordLinkResponse,
  presentAccount,
  presentPasswordLink,
  userCreate,
  userTransfer,
  userUpdate,
} from './accounts.schema.ts';
import { generatePasswordLink } from './auth.store.ts';
import {
  createAccount,
  deleteAccount,
  findAccount,
  renewPasswordLink,
  transferAccount,
  updateAccount,
} from './users.store.ts';

const path = '/api/v1/users';
const common = { tag: { name: 'users', description: 'All accounts, for admins.' }, access: adminAccess } as const;
/** Routes of one account. */
const one = { ...common, path: `${path}/{id}`, params: idPath } as const;
const unknownAccount = { NOT_FOUND: 'The account does not exist.' };

export function userRoutes({ config }: RouteSettings): Route[] {
  return [
    defineRoute({
      ...common,
      method: 'POST',
      path,
      operationId: 'createUser',
      summary: 'Create an account, with a one-time link for its password',
      description:
        'The token of the link is shown only in this response. The owner of the account sends it with `POST /api/v1/auth/password-reset`.',
      audit: { type: 'USER_CREATED' },
      body: { schema: userCreate, example: { email: 'joe@example.com', role: 'member' } },
      responses: { 201: json(newAccountResponse, { headers: ['Location', 'ETag', 'Cache-Control'] }) },
      errors: { CONFLICT: 'An account with this e-mail address exists.' },
      handle: async ({ body, operation }, { models }) => {
        const { token, stored } = generatePasswordLink();
        const shown = presentAccount(await createAccount(models, body, stored, operation));
        return reply(
          201,
          { ...shown, password_link: presentPasswordLink(token, stored.expiresAt) },
          { 'Cache-Control': 'no-store', Location: `${path}/${shown.id}`, ETag: contentTag(shown) },
        );
      },
    }),
    defineRoute({
      ...common,
      method: 'GET',
      path,
      operationId: 'listUsers',
      summary: 'List accounts, the oldest first',
      query: Joi.object<PageQuery>(pageFields(config.pageSize)),
      responses: { 200: json(accountListResponse) },
      handle: async ({ query }, { models }) =>
        reply(200, await readPage(models.user, query, { sort: { createdAt: 1, _id: 1 }, present: presentAccount })),
    }),
    defineRoute({
      ...one,
      method: 'GET',
      operationId: 'getUser',
      summary: 'Read an account',
      responses: { 200: json(accountResponse, { headers: ['ETag'] }) },
      errors: unknownAccount,
      handle: async ({ params }, { models }) => {
        const shown = presentAccount(await findAccount(models, params.id));
        return reply(200, shown, { ETag: contentTag(shown) });
      },
    }),
    defineRoute({
      ...one,
      method: 'PATCH',
      operationId: 'updateUser',
      summary: 'Change the role of an account, or disable or enable it',
      description: 'Disabling ends all sessions and removes all API keys of the account at once.',
      audit: { type: 'USER_UPDATED' },
      body: { schema: userUpdate, example: { role: 'admin' } },
      responses: { 200: json(accountResponse, { headers: ['ETag'] }) },
      errors: {
        ...unknownAccount,
        CONFLICT: "The change would leave no admin, or would disable the caller's own account.",
      },
      handle: async ({ params, caller, body }, { models }) => {
        const shown = presentAccount(await updateAccount(models, userOf(caller).id, params.id, body));
        return reply(200, shown, { ETag: contentTag(shown) });
      },
    }),
    defineRoute({
      ...one,
      method: 'DELETE',
      operationId: 'deleteUser',
      summary: 'Delete an account',
      description:
        "Ends its sessions and removes its API keys at once. Its scenarios, notebooks, reports and schedules become the caller's.",
      audit: { type: 'USER_DELETED' },
      responses: { 204: empty() },
      errors: { ...unknownAccount, CONFLICT: "The account is the last admin, or the caller's own." },
      handle: async (request, deps) => {
        await deleteAccount(deps.models, deps.allOwners, { ...request, deps }, request.params.id);
        return reply(204);
      },
    }),
    defineRoute({
      ...one,
      method: 'POST',
      path: `${path}/{id}/transfer`,
      operationId: 'transferUserResources',
      idempotency: 'none',
      summary: 'Make another account the owner of what an account owns',
      description:
        'Its scenarios, notebooks, reports and schedules change their owner. If the new owner already has a scenario of the same name, a number is added to the name. Sessions and API keys stay.',
      audit: {
        type: 'USER_UPDATED',
        fields: ['owned_resources'],
        detailsOf: (body) => ({ new_owner_id: (body as { to: string }).to }),
      },
      body: { schema: userTransfer, example: { to: '0c2f7a9e-3b41-4f6d-8f52-91d6a4e7b320' } },
      responses: { 204: empty() },
      errors: unknownAccount,
      handle: async (request, deps) => {
        const owners = { from: request.params.id, to: request.body.to };
        await transferAccount(deps.models, deps.allOwners, { ...request, deps }, owners);
        return reply(204);
      },
    }),
    defineRoute({
      ...one,
      method: 'POST',
      path: `${path}/{id}/password-link`,
      operationId: 'createPasswordLink',
      summary: 'Create a new one-time link for the password of an account',
      description: 'It replaces earlier links. The present password stays valid until the link is used.',
      audit: { type: 'USER_UPDATED', fields: ['password_link'] },
      responses: { 201: json(passwordLinkResponse) },
      errors: { ...unknownAccount, CONFLICT: 'The account is disabled.' },
      handle: async ({ params }, { models }) => {
        const { token, stored } = generatePasswordLink();
        await renewPasswordLink(models, params.id, stored);
        return reply(201, presentPasswordLink(token, stored.expiresAt));
      },
    }),
  ];
}

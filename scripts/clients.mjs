// `npm run clients`: generates clients from the OpenAPI document with three generators, checks
// their types, and drives a stack of its own with one of them.
import { prepare } from './ensure-installed.mjs';

prepare({ needsRedis: true });
const { register } = await import('tsx/esm/api');
register();
const { checkClients } = await import('./clients/main.ts');
await checkClients();

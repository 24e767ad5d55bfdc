// `npm run prove`: has the models of the protocols in proof/ checked completely, and each of their
// mutations refuted.
import { prepare } from './ensure-installed.mjs';

prepare({ needsRedis: false });
const { register } = await import('tsx/esm/api');
register();
const { prove } = await import('./prove/main.ts');
await prove();

// `npm start`: installs what is missing, bundles the page, then runs the local stack in this process, so that one signal stops it.
import { prepare } from './ensure-installed.mjs';

prepare({ needsRedis: true });
const { buildPage } = await import('./build-page.mjs');
await buildPage();
const { register } = await import('tsx/esm/api');
register();
const { runLocalStack } = await import('./local-stack/main.ts');
await runLocalStack(process.env);

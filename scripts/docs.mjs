// `npm run docs`: writes the parts of the documentation that are generated from the code.
import { prepare } from './ensure-installed.mjs';

prepare({ needsRedis: false, readsEnvironmentFile: false });
const { register } = await import('tsx/esm/api');
register();
const { writeDocs } = await import('./docs/main.ts');
await writeDocs();

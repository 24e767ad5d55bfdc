// `npm run prices`: compares the price book with other sources of prices. `apply` stores
// a new version of it.
import { prepare } from './ensure-installed.mjs';

prepare({ needsRedis: false });
const { register } = await import('tsx/esm/api');
register();
const { runPrices } = await import('./prices/main.ts');
process.exitCode = await runPrices(process.argv.slice(2), {
  environment: process.env,
  print: (text) => console.log(text),
  printError: (text) => console.error(text),
});

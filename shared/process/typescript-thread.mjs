// Runs the module of a thread, named by the first argument, from its TypeScript source. Node's
// threads do not inherit the loader of the process. The compiled service has no TypeScript, and
// does not contain this file.
import { register } from 'tsx/esm/api';

register();
await import(process.argv[2]);

// Locks the data folder that is its argument, until it is killed.
import { lockDataDirectory } from '../../../../scripts/local-stack/stack-lock.ts';

await lockDataDirectory(process.argv[2] ?? '');
process.send?.('locked');
process.on('message', () => {});

import { parseArgs } from 'node:util';
import { StartError } from '../../../shared/process/start-error.ts';

const usage =
  'create-admin takes one e-mail address, as in `npm run create-admin -- jane@example.com`, and reads the password from the terminal or the standard input; with --promote, an existing account becomes an admin.';

/** @throws StartError if the arguments are not one e-mail address. */
export function readArguments(args: string[]): { email: string; promote: boolean } {
  try {
    const options = { promote: { type: 'boolean', default: false } } as const;
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    const [email, ...rest] = positionals;
    if (email !== undefined && rest.length === 0) return { email, promote: values.promote };
  } catch {
    // An unknown option.
  }
  throw new StartError(usage);
}

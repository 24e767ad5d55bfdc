import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { StartError } from '../../../shared/process/start-error.ts';

const noPassword =
  'No password came on standard input: run the command in a terminal, or pass the password as the first line, as in `npm run create-admin -- jane@example.com < password.txt`.';

/**
 * Reads a password twice from the terminal, without showing it, or once from the first line of the
 * standard input. Arguments would remain in the history of the shell and in the list of processes.
 * @throws StartError if the two differ, or the standard input has none.
 */
export async function readPassword(): Promise<string> {
  const { stdin } = process;
  if (!stdin.isTTY) {
    const [password = ''] = (await text(stdin)).split(/\r?\n/);
    if (password === '') throw new StartError(noPassword);
    return password;
  }
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: stdin, output: silent, terminal: true });
  terminal.once('SIGINT', () => process.exit(130));
  const ask = async (question: string) => {
    process.stderr.write(question);
    const response = await terminal.question('');
    process.stderr.write('\n');
    return response;
  };
  try {
    const password = await ask('Password of the new admin: ');
    if ((await ask('The same again: ')) !== password) throw new StartError('The two passwords differ.');
    return password;
  } finally {
    terminal.close();
  }
}

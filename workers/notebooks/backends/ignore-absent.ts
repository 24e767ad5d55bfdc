import { NotebookAbsent } from './upstream-error.ts';

/** Waits for a removal. A notebook that does not exist counts as removed. */
export async function ignoreAbsent(removal: Promise<void>): Promise<void> {
  try {
    await removal;
  } catch (error) {
    if (!(error instanceof NotebookAbsent)) throw error;
  }
}

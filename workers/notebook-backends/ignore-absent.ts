import { NotebookAbsent } from './upstream-error.ts';

/** For a removal that is content with there being nothing to remove. */
export async function ignoreAbsent(removal: Promise<void>): Promise<void> {
  try {
    await removal;
  } catch (error) {
    if (!(error instanceof NotebookAbsent)) throw error;
  }
}

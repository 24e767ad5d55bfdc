// `npm run docs`: writes every generated text to its file, and names the files that changed.
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { generatedTexts, updatedText } from './generated-texts.ts';

for (const generated of generatedTexts) {
  const path = fileURLToPath(new URL(`../../${generated.path}`, import.meta.url));
  const present = await readFile(path, 'utf8');
  const updated = await updatedText(generated, present);
  if (updated === present) continue;
  await writeFile(path, updated);
  console.log(`${generated.path} is updated.`);
}

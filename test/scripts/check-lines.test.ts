import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { createTemporaryFolder } from '../support/temporary-folder.ts';

const script = fileURLToPath(new URL('../../scripts/check-lines.mjs', import.meta.url));

describe('the check of lines', () => {
  const folder = createTemporaryFolder();
  const check = (table: string) => {
    for (const name of ['docs', 'api/http', 'shared']) mkdirSync(join(folder.path, name), { recursive: true });
    writeFileSync(join(folder.path, 'api/http/route.ts'), 'a\nb\n');
    writeFileSync(join(folder.path, 'api/http/README.md'), 'not counted\n');
    writeFileSync(join(folder.path, 'shared/page.css'), 'c\n');
    writeFileSync(join(folder.path, 'docs/architecture.md'), `| room | lines |\n| --- | --- |\n${table}`);
    const { status, stderr } = spawnSync(process.execPath, [script, folder.path], { encoding: 'utf8' });
    return { status, message: stderr.split('\n')[0] };
  };

  it('names a room that has more lines than its row allows', () => {
    expect(check('| `api`, `shared` | 3 |\n| `page` | 0 |\n')).to.include({ status: 0 });
    const message = 'api, shared: 3 lines; docs/architecture.md allows 2.';
    expect(check('| `api`, `shared` | 2 |\n')).to.deep.equal({ status: 1, message });
    expect(check('')).to.include({ status: 1 });
  });
});

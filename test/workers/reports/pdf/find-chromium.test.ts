import { chmod, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { findChromium, unpackChromium } from '../../../../workers/reports/pdf/chromium.ts';
import { createTemporaryFolder } from '../../../support/temporary-folder.ts';

describe('find Chromium', () => {
  const folder = createTemporaryFolder();

  async function addCommand(name: string, script: string): Promise<string> {
    const path = join(folder.path, name);
    await writeFile(path, `#!/bin/sh\n${script}\n`);
    await chmod(path, 0o755);
    return path;
  }
  const search = (chromiumPath?: string) => findChromium({ chromiumPath, searchPath: folder.path });

  it('prefers CHROMIUM_PATH to a Chromium on the PATH', async () => {
    await addCommand('chromium', 'echo Chromium 1');
    const chosen = await addCommand('chosen', 'exit 1');
    expect(await search(chosen)).to.deep.equal({ executablePath: chosen, environment: {} });
  });

  it('names CHROMIUM_PATH if there is no program', async () => {
    const error = await search(join(folder.path, 'absent')).catch((thrown: Error) => thrown);
    expect(error)
      .to.be.an('error')
      .with.property('message')
      .that.matches(/^CHROMIUM_PATH is .*absent, which is not/);
  });

  it('takes a Chromium on the PATH, and skips a script that only says how to install it', async () => {
    await addCommand('chromium', 'echo "install the package chromium"; exit 1');
    const chrome = await addCommand('google-chrome', 'echo Google Chrome 1');
    await symlink(join(folder.path, 'absent'), join(folder.path, 'google-chrome-stable'));
    expect(await search()).to.deep.equal({ executablePath: chrome, environment: {} });
  });

  it('names TMPDIR if Chromium cannot be unpacked', async () => {
    const file = join(folder.path, 'a-file');
    await writeFile(file, '');
    const error = await unpackChromium([join(file, 'cache'), join(file, 'other')]).catch((thrown: Error) => thrown);
    expect(error)
      .to.be.an('error')
      .with.property('message')
      .that.matches(/^Chromium .* into .*a-file\/cache or .*a-file\/other: set TMPDIR /);
  });
});

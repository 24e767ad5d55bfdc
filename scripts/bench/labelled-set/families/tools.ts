import type { Family } from '../family.ts';

/** ssh, scp, rsync, git, package managers, builds, continuous integration, editors. */
export const TOOLS: Family = {
  name: 'tools of developers',
  personal: [
    (v) => `commit ${v.hex(40)} Author: Anna Kowalska <${v.email()}> Date: ${v.isoSpace()} +0100`,
    (v) => `Signed-off-by: Jan Novak <${v.email()}>`,
    (v) => `Co-authored-by: Luis Garcia <${v.email()}> in ${v.hex(7)}`,
    (v) => `git config --global user.email ${v.email()}`,
    (v) => `${v.hex(40)} ${v.hex(40)} Jan Novak <${v.email()}> ${v.seconds()} +0000\tcommit: fix ${v.int(1, 9999)}`,
    (v) => `gpg: Good signature from "Maria Silva <${v.email()}>" [ultimate] fingerprint ${v.hex(40).toUpperCase()}`,
    (v) => `npm notice author: Wei Tanaka <${v.email()}> shasum: ${v.hex(40)}`,
    (v) => `"author": "Siobhan Smith <${v.email()}> (https://${v.host()})", "version": "${v.version()}"`,
    (v) => `certbot certonly -m ${v.email()} -d ${v.host()} --agree-tos`,
    (v) => `##[error] Assignee ${v.email()} is not a member, run ${v.digits(10)}, job ${v.digits(10)}`,
    (v) => `Jenkins: Sending e-mails to: ${v.email()} ${v.email()} build #${v.int(1, 9999)}`,
    (v) => `curl -u ${v.email()}:*** https://${v.host()}/rest/api/2/issue/OPS-${v.int(1, 9999)}`,
    (v) => `--data-raw '{"user":"${v.email()}"}' -H 'X-Request-Id: ${v.uuid()}'`,
    (v) => {
      const { name, value } = v.idField();
      return `AssertionError: expected { ${name.replaceAll(/\W/g, '_')}: '${value}' } to deeply equal {}`;
    },
    (v) => `blame ${v.hex(8)} (<${v.email()}> ${v.isoSpace()} ${v.int(1, 400)}) return total;`,
    (v) => `svn: r${v.int(1, 99999)} | ${v.email()} | ${v.isoSpace()} | 1 line`,
  ],
  lookalikes: [
    (v) => `$ ssh ${v.login()}@${v.host()}`,
    (v) => `$ ssh -p 2222 -i ~/.ssh/id_ed25519 ${v.login()}@${v.host()} uptime`,
    (v) => `+ scp -q build/app.tar.gz ${v.login()}@${v.host()}:/srv/releases/${v.compact()}/`,
    (v) => `scp ${v.login()}@${v.host()}:backup.sql.gz . took ${v.int(1, 90)} s`,
    (v) => `scp report.csv ${v.login()}@${v.host()}:reports/`,
    (v) =>
      `rsync -az --delete dist/ ${v.login()}@${v.host()}:www/ sent ${v.digits(9)} bytes received ${v.digits(6)} bytes`,
    (v) =>
      `rsync error: ${v.login()}@${v.host()}:/var/backups/db: connection unexpectedly closed (${v.digits(8)} bytes)`,
    (v) => `sftp ${v.login()}@${v.host()} Connected to ${v.host()}.`,
    (v) => `mosh ${v.login()}@${v.host()} -- tmux attach`,
    (v) => `Cloning into 'ledger'... git@github.com:example/ledger.git at ${v.hex(40)}`,
    () => `origin\tgit@gitlab.example.com:crm/web.git (fetch)`,
    (v) => `remote: https://x-access-token:${v.base64(20)}@github.com/example/ledger.git`,
    (v) => `ssh://git@${v.host()}:7999/crm/web.git HEAD is now at ${v.hex(7)}`,
    (v) => `remotes/upstream ${v.login()}@${v.host()}:projects/ledger.git (push)`,
    (v) => `gyp info using node-gyp@${v.version()} node@${v.version()} | linux | x64`,
    (v) => `➤ YN0013: │ @babel/core@npm:${v.version()} can't be found in the cache, integrity sha512-${v.base64(86)}==`,
    (v) => `::set-output name=run_id::${v.digits(11)} attempt 1 sha ${v.hex(40)}`,
    (v) => `uses: actions/checkout@v${v.int(2, 5)} # ${v.hex(40)}`,
    (v) => `webpack ${v.version()} compiled, asset vendor@main.${v.hex(20)}.js ${v.int(1, 900)} KiB, hash ${v.hex(20)}`,
    (v) => `ld: symbol memcpy@@GLIBC_2.${v.int(10, 39)} and printf@plt at 0x${v.hex(16)}`,
    (v) => `Reviewed ${v.hex(12)}..${v.hex(12)}, pipeline ${v.digits(10)}, job ${v.unlabelledId()}`,
    (v) =>
      `pytest: 2341 passed, seed ${v.digits(10)} in ${v.int(1, 900)}.${v.digits(2)}s, cov ${v.int(1, 99)}.${v.digits(2)}%`,
  ],
};

import { expect } from 'chai';
import { createAdmin, promoteAccount, readArguments } from '../../../api/accounts/create-admin/create-admin.ts';
import type { User } from '../../../shared/accounts/user.model.ts';
import { appendPendingEvents } from '../../../shared/audit/audit-outbox.ts';
import { StartError } from '../../../shared/errors.ts';
import { createAccount, password } from '../../support/accounts.ts';
import { createProgramStarter } from '../../support/program-starter.ts';
import { builtProgram } from '../../support/test-build.ts';
import { startTestService } from '../../support/test-service.ts';

describe('npm run create-admin', () => {
  const service = startTestService({ workers: false });
  const startProgram = createProgramStarter();
  const run = async (args: string[], input = `${password}\n`) => {
    const program = builtProgram('dist/api/accounts/create-admin/main.js', service.environment);
    const { child, stdout, ended } = startProgram({ ...program, args: [...program.args, ...args], stdio: 'pipe' });
    child.stdin?.end(input);
    return { ...(await ended), stdout: stdout() };
  };
  /** The message of a refusal, from the function that the command calls. */
  const errorOf = (done: Promise<string>) =>
    done.then(
      (sentence) => expect.fail(sentence),
      (error: unknown) => {
        expect(error).to.be.instanceOf(StartError);
        return (error as StartError).message;
      },
    );
  const logIn = (email: string) => service.request('POST', '/api/v1/auth/login', { body: { email, password } });

  it('creates an admin that can log in, prints no credential, and leaves an audit record', async () => {
    const done = await run([' Jane@example.com ']);
    expect(done).to.deep.equal({ code: 0, stdout: 'Jane@example.com is an admin now.\n', stderr: '' });
    const { status, body } = await logIn('jane@example.com');
    expect([status, body.user.role]).to.deep.equal([200, 'admin']);
    await appendPendingEvents(service.app);
    const records = await service.app.models.auditRecord.find({ 'details.target_id': body.user.id }).lean();
    expect(records.map(({ type }) => type)).to.deep.equal(['USER_CREATED']);
    expect(JSON.stringify(records)).not.to.contain(password);
  });

  it('refuses an address that has an account, and makes it an admin with --promote', async () => {
    const member = await createAccount(service, 'member@example.com');
    const disabled = { role: 'member', disabledAt: new Date() };
    await service.app.models.user.updateOne({ _id: member.user.id }, { $set: disabled });
    expect(await errorOf(createAdmin(service.app, 'MEMBER@example.com'))).to.equal(
      'An account with the e-mail address member@example.com exists; with --promote, it becomes an admin.',
    );
    expect(await run(['member@example.com', '--promote'], '')).to.include({
      code: 0,
      stdout: 'member@example.com is an admin now.\n',
    });
    const stored = await service.app.models.user.findById(member.user.id).lean<User>();
    expect(stored).to.include({ role: 'admin', disabledAt: null });
    for (const change of [createAdmin, promoteAccount]) {
      const refusal = await errorOf(change(service.app, 'member@example.com'));
      expect(refusal).to.equal('member@example.com is an admin already.');
    }
    const unknown = await errorOf(promoteAccount(service.app, 'nobody@example.com'));
    expect(unknown).to.match(/^There is no account with the e-mail address nobody@example\.com; .+$/);
  });

  it('refuses arguments that are not one e-mail address', async () => {
    for (const args of [[], ['a@example.com', 'a password as argument'], ['a@example.com', '--password=secret']]) {
      expect(() => readArguments(args))
        .to.throw(
          StartError,
          /^create-admin takes one e-mail address, as in `npm run create-admin -- jane@example\.com`/,
        )
        .with.property('message')
        .that.does.not.contain('secret');
    }
    expect(await errorOf(createAdmin(service.app, 'no address'))).to.equal('The email must be an e-mail address.');
  });

  it('says what is wrong in one sentence, and stores nothing', async () => {
    const before = await service.app.models.user.countDocuments();
    const faults: [string[], string, RegExp][] = [
      [['a@example.com'], 'short\n', /^The password must be at least 10 bytes of UTF-8\.$/m],
      [['a@example.com'], '', /^No password came on standard input: .+ < password\.txt`\.\n$/],
    ];
    for (const [args, input, message] of faults) {
      const { code, stdout, stderr } = await run(args, input);
      expect([code, stdout]).to.deep.equal([1, '']);
      expect(stderr)
        .to.match(message)
        .and.match(/^[^\n]+\n$/)
        .and.not.contain('secret');
    }
    expect(await service.app.models.user.countDocuments()).to.equal(before);
  });
});

for (const [registration, status] of [
  ['open', 201],
  ['', 403],
] as const)
  describe(`registration in production, REGISTRATION=${registration}`, () => {
    const environment = { NODE_ENV: 'production', AUTH_MODE: 'documented' };
    const service = startTestService({
      workers: false,
      environment: { ...environment, ...(registration !== '' && { REGISTRATION: registration }) },
    });

    it('makes nobody an admin because it came first, and is closed unless it is opened', async () => {
      const body = { email: 'first@example.com', password };
      const registered = await service.request('POST', '/api/v1/auth/register', { body });
      expect([registered.status, registered.body.user?.role]).to.deep.equal([
        status,
        status === 201 ? 'member' : undefined,
      ]);
      expect(await service.app.models.user.countDocuments()).to.equal(status === 201 ? 1 : 0);
    });
  });

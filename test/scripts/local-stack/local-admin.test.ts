import { expect } from 'chai';
import { adminEmail, ensureAdmin } from '../../../scripts/local-stack/local-admin.ts';
import { createAccount, password, register } from '../../support/accounts.ts';
import { startTestService } from '../../support/test-service.ts';

describe('the admin of the local stack', () => {
  const service = startTestService({ workers: false });
  const ensure = (given = password) => ensureAdmin(service.app.config, given);
  const accounts = () => service.app.models.user.find().lean();

  beforeEach(async () => {
    await service.app.models.user.deleteMany({});
  });

  it('the admin is created at the first start, found by the next one, and makes later accounts members', async () => {
    expect([await ensure(), await ensure()]).to.deep.equal([true, true]);
    const body = { email: adminEmail, password };
    const login = await service.request('POST', '/api/v1/auth/login', { body });
    expect([login.status, login.body.user?.role], login.text).to.deep.equal([200, 'admin']);
    expect((await register(service)).user.role).to.equal('member');
    expect(await accounts()).to.have.length(2);
  });

  it('the admin is not created beside another one', async () => {
    const { email } = await createAccount(service);
    expect(await ensure()).to.equal(false);
    expect(await accounts()).to.have.length(1);
    expect((await accounts())[0]).to.include({ email, role: 'admin' });
  });

  it('the admin with another password, or disabled, stays as it is', async () => {
    await createAccount(service, adminEmail);
    const [before] = await accounts();
    expect([await ensure(), await ensure('another password')]).to.deep.equal([true, false]);
    expect(await accounts()).to.deep.equal([before]);
    await service.app.models.user.updateOne({}, { disabledAt: new Date() });
    expect(await ensure()).to.equal(false);
  });
});

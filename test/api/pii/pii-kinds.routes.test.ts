import { expect } from 'chai';
import { createRunningScenario, ingest } from '../../support/requests.ts';
import { startTestService } from '../../support/test-service.ts';

interface Item {
  type: string;
  country: string | null;
  name: string;
  context: string;
  source: string;
}

const text = 'jane.roe@example.com paid with 4111 1111 1111 1111, SSN 536-22-8726, NIF 12345678Z';

describe('GET /api/v1/pii-kinds', () => {
  describe('with the default configuration', () => {
    const service = startTestService();

    it('GET /pii-kinds lists all kinds with their rules', async () => {
      const { status, body } = await service.request('GET', '/api/v1/pii-kinds');
      expect(status).to.equal(200);
      expect(body.total).to.equal(body.items.length);
      const types = new Set(body.items.map(({ type }: Item) => type));
      expect([...types]).to.have.members(['email', 'national_id', 'payment_card']);
      for (const item of body.items as Item[]) {
        expect(item.country !== null, item.name).to.equal(item.type === 'national_id');
        expect(item.name).not.to.equal('');
        expect(item.source).not.to.equal('');
      }
    });

    it('GET /pii-kinds lists the kinds that the scanner finds', async () => {
      const { id } = await createRunningScenario(service);
      const { body } = await ingest(service, id, { message: text });
      expect(body.message_preview).to.equal(
        '[EMAIL] paid with [PAYMENT_CARD], SSN [NATIONAL_ID:US], NIF [NATIONAL_ID:ES]',
      );
    });
  });

  describe('with PII_KINDS and PII_COUNTRIES', () => {
    const service = startTestService({ environment: { PII_KINDS: 'email,national_id', PII_COUNTRIES: 'ES' } });

    it('GET /pii-kinds lists, and the scanner finds, only the configured kinds', async () => {
      const { body: kinds } = await service.request('GET', '/api/v1/pii-kinds');
      expect(kinds.items.map(({ type, country }: Item) => country ?? type)).to.include.members(['email', 'ES']);
      expect(kinds.items.every(({ type, country }: Item) => type === 'email' || country === 'ES')).to.equal(true);
      const { id } = await createRunningScenario(service);
      const { body } = await ingest(service, id, { message: text });
      expect(body.message_preview).to.equal(
        '[EMAIL] paid with 4111 1111 1111 1111, SSN 536-22-8726, NIF [NATIONAL_ID:ES]',
      );
      expect(body.pii).to.have.deep.members([
        { type: 'email', count: 1 },
        { type: 'national_id', count: 1, country: 'ES' },
      ]);
    });
  });
});

import { expect } from 'chai';
import { expectError } from '../support/requests.ts';
import { startTestService } from '../support/test-service.ts';

describe('/docs', () => {
  const service = startTestService({ workers: false, environment: { AUTH_MODE: 'strict' } });

  it('is a page that loads everything from here, whoever asks', async () => {
    for (const path of ['/docs', '/docs/']) {
      const page = await service.request('GET', path);
      expect(page.status).to.equal(200);
      expect(page.headers.get('Content-Type')).to.equal('text/html; charset=utf-8');
      // Browsers then load nothing from elsewhere, whatever the library would like.
      expect(page.headers.get('Content-Security-Policy')).to.match(/^default-src 'self';/);
      const addresses = [...page.text.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, address]) => address ?? '');
      expect(addresses.length).to.be.greaterThan(2);
      for (const address of addresses) {
        expect(address).to.match(/^\/docs\/[\w.-]+$/);
        const { status, headers, text } = await service.request('GET', address);
        expect(status, address).to.equal(200);
        expect(headers.get('Content-Type'), address).to.match(
          /^(?:text\/(?:css|javascript)|application\/javascript|image\/png)/,
        );
        expect(headers.get('X-Content-Type-Options')).to.equal('nosniff');
        expect(text.length).to.be.greaterThan(100);
      }
    }
  });

  it('is where the bare address of the service leads', async () => {
    const response = await fetch(service.url, { redirect: 'manual' });
    expect(response.status).to.equal(302);
    expect(new URL(response.headers.get('Location') ?? '', service.url).href).to.equal(`${service.url}/docs`);
  });

  it('shows the machine-readable description, and sends it to nobody', async () => {
    const { text } = await service.request('GET', '/docs/start.js');
    expect(text).to.contain("url: '/openapi.json'").and.to.contain('validatorUrl: null');
  });

  it('has nothing else', async () => {
    for (const path of [
      '/docs/index.html',
      '/docs/package.json',
      '/docs/..%2fpackage.json',
      '/docs/__proto__',
      '/docs/a/b',
    ]) {
      expectError(await service.request('GET', path), 404, 'NOT_FOUND');
    }
  });
});

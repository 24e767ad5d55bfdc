import { expect } from 'chai';
import { expectError } from '../../support/requests.ts';
import { startTestService } from '../../support/test-service.ts';

describe('/docs', () => {
  const service = startTestService({ workers: false, environment: { AUTH_MODE: 'strict' } });

  it('loads everything from its own origin, and requires no credentials', async () => {
    const page = await service.request('GET', '/docs');
    expect(page.status).to.equal(200);
    expect(page.headers.get('Content-Type')).to.equal('text/html; charset=utf-8');
    // With this policy, browsers load nothing from other hosts, even if the library requests it.
    expect(page.headers.get('Content-Security-Policy')).to.match(/^default-src 'self';/);
    const addresses = [...page.text.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, address]) => address ?? '');
    expect(addresses.length).to.be.greaterThan(2);
    for (const address of addresses) {
      // Relative, so that the page works behind a path prefix of a proxy.
      expect(address).to.match(/^docs\/[\w.-]+$/);
      const { status, headers, text } = await service.request('GET', `/${address}`);
      expect(status, address).to.equal(200);
      expect(headers.get('Content-Type'), address).to.match(
        /^(?:text\/(?:css|javascript)|application\/javascript|image\/png)/,
      );
      expect(headers.get('X-Content-Type-Options')).to.equal('nosniff');
      expect(text.length).to.be.greaterThan(100);
    }
  });

  it('is the target of the redirect of /docs/', async () => {
    const response = await fetch(`${service.url}/docs/`, { redirect: 'manual' });
    expect(response.status).to.equal(302);
    const target = new URL(response.headers.get('Location') ?? '', `${service.url}/docs/`);
    expect(target.href).to.equal(`${service.url}/docs`);
  });

  it('loads the OpenAPI document, and sends it to no validator', async () => {
    const { text } = await service.request('GET', '/docs/start.js');
    expect(text).to.contain("url: 'openapi.json'").and.to.contain('validatorUrl: null');
  });

  it('serves no other files', async () => {
    for (const path of ['index.html', 'package.json', '..%2fpackage.json', '__proto__', 'a/b']) {
      expectError(await service.request('GET', `/docs/${path}`), 404, 'NOT_FOUND');
    }
  });
});

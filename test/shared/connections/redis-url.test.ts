import { expect } from 'chai';
import { findRedisUrlError, readRedisUrl } from '../../../shared/connections/connection-urls.ts';

describe('the URL of Redis', () => {
  for (const url of [
    'redis://127.0.0.1:6379',
    'rediss://user:secret@redis.example.com:6380/2',
    'redis://[::1]:6379',
    'redis://:a,b@h',
  ]) {
    it(`a URL leads to one server: ${url}`, () => {
      expect(findRedisUrlError(url)).to.equal(undefined);
      expect(readRedisUrl(url)).to.deep.equal({ url });
    });
  }

  it('names sentinels, the master, and the user of the master', () => {
    const url = 'redis+sentinel://me:p%40ss@s1:26379,[::1]:26380/main/3?sentinel_username=s&sentinel_password=t%26';
    expect(findRedisUrlError(url)).to.equal(undefined);
    expect(readRedisUrl(url)).to.deep.equal({
      options: {
        sentinels: [
          { host: 's1', port: 26379 },
          { host: '::1', port: 26380 },
        ],
        name: 'main',
        username: 'me',
        password: 'p@ss',
        sentinelUsername: 's',
        sentinelPassword: 't&',
        db: 3,
      },
    });
  });

  it('a URL of sentinels with TLS is for TLS to the master too', () => {
    const { options } = readRedisUrl('rediss+sentinel://s1:26379/main') as { options: object };
    expect(options)
      .to.include({ enableTLSForSentinelMode: true })
      .and.to.have.keys('sentinels', 'name', 'tls', 'sentinelTLS', 'enableTLSForSentinelMode');
  });

  for (const [url, error] of [
    ['http://127.0.0.1', 'must begin with redis://'],
    ['127.0.0.1:6379', 'must begin with redis://'],
    ['redis+cluster://a:1', 'Cluster is not supported'],
    ['rediss+cluster://me:secret@a:1,b:2', 'Cluster is not supported'],
    ['redis://a,b,c', 'Cluster is not supported'],
    ['rediss://me:secret@a:1,b:2/0', 'Cluster is not supported'],
    ['redis+sentinel://', 'must have the form'],
    ['redis+sentinel://s1:26379', 'must have the form'],
    ['redis+sentinel://s1:26379/', 'must have the form'],
    ['redis+sentinel://s1/main', 'a host and a port'],
    ['redis+sentinel://s1:26379,/main', 'a host and a port'],
    ['redis+sentinel://s1:70000/main', 'a host and a port'],
    ['redis+sentinel://s1:26379/main?db=1', 'unknown option db'],
  ] as const) {
    it(`a URL is refused: ${url}`, () => {
      expect(findRedisUrlError(url)).to.contain(error);
    });
  }
});

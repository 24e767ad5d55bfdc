import { expect } from 'chai';
import { removeCredentials } from '../../../shared/connections/connection-urls.ts';

describe('a connection string without credentials', () => {
  it('keeps scheme, hosts and path', () => {
    for (const url of [
      'redis://127.0.0.1:6379',
      'mongodb://a:1,b:2/meterbook',
      'mongodb+srv://cluster.example/x',
      '',
    ]) {
      expect(removeCredentials(url)).to.equal(url);
    }
  });

  it('has neither user nor password, for all characters in them', () => {
    for (const credentials of 'u:p :p u u:p@ss u:@@ u@home:p u:p/ss u:p?x=1 u:p/a@b u:p\nq'.split(' ')) {
      expect(removeCredentials(`redis://${credentials}@host:1/0`), credentials).to.equal('redis://host:1/0');
    }
    expect(removeCredentials('mongodb://u:p@ss@a:1,b:2/x?replicaSet=r')).to.equal('mongodb://a:1,b:2/x');
  });

  it('a string without credentials has no query', () => {
    expect(removeCredentials('redis://host:1/0?password=secret')).to.equal('redis://host:1/0');
    expect(removeCredentials('redis://host:1/0?password=se@cret')).not.to.contain('se@');
  });
});

import { expect } from 'chai';
import { generateApiKey, hashOfApiKey, prefixOfApiKey } from '../../../shared/accounts/api-key.model.ts';

describe('the format of API keys', () => {
  it('carries the prefix by which the key is found', () => {
    const { key, prefix, hash } = generateApiKey();
    expect(key).to.match(/^mb_[0-9a-f]{12}_[0-9a-f]{56}$/);
    expect(key.startsWith(`mb_${prefix}_`)).to.equal(true);
    expect(prefixOfApiKey(key)).to.equal(prefix);
    expect(hash)
      .to.equal(hashOfApiKey(key))
      .and.to.match(/^[0-9a-f]{64}$/);
    expect(generateApiKey().key).not.to.equal(key);
  });

  it('shows every single wrong character, and every two that have changed places', () => {
    const { key } = generateApiKey();
    for (let at = 0; at < key.length; at += 1) {
      const wrong = key[at] === '0' ? '1' : '0';
      const mistyped = key.slice(0, at) + wrong + key.slice(at + 1);
      expect(prefixOfApiKey(mistyped), mistyped).to.equal(null);
      const swapped = key.slice(0, at) + (key[at + 1] ?? '') + key[at] + key.slice(at + 2);
      if (swapped !== key) expect(prefixOfApiKey(swapped), swapped).to.equal(null);
    }
  });

  it('refuses what is cut, longer, in capitals, or something else', () => {
    const { key } = generateApiKey();
    const cut = [key.slice(1), key.slice(0, -1), '', 'mb_'];
    for (const other of [...cut, `${key}0`, key.toUpperCase(), ` ${key}`, `${key}\n`]) {
      expect(prefixOfApiKey(other), other).to.equal(null);
    }
  });
});

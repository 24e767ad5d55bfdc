import { expect } from 'chai';
import { asLong, scopeOfCall, splitCall } from '../../../shared/cost/called-model.ts';
import { loadPriceBook } from '../../../shared/cost/load-price-book.ts';

const book = loadPriceBook();

describe('a called model', () => {
  it('has its profile after a blank', () => {
    expect(splitCall('amazon.nova-lite-v1:0')).to.deep.equal({ model: 'amazon.nova-lite-v1:0', isLong: false });
    expect(splitCall('amazon.nova-lite-v1:0 geo')).to.deep.equal({
      model: 'amazon.nova-lite-v1:0',
      profile: 'geo',
      isLong: false,
    });
    for (const call of ['openai.gpt-5.6-sol', 'openai.gpt-5.6-sol geo']) {
      expect(splitCall(asLong(asLong(call)))).to.deep.equal({ ...splitCall(call), isLong: true });
    }
  });

  it('has the prices of its profile: geo else the Region, the Region else geo, global alone', () => {
    const sonnet = 'anthropic.claude-sonnet-4-6';
    const micro = 'amazon.nova-micro-v1:0';
    const llama = 'meta.llama3-70b-instruct-v1:0';
    const scopes: [call: string, region: string, scope: string | undefined][] = [
      [sonnet, 'eu-west-1', 'geo'],
      [`${sonnet} geo`, 'eu-west-1', 'geo'],
      [`${sonnet} regional`, 'eu-west-1', 'geo'],
      [`${sonnet} global`, 'eu-west-1', 'global'],
      [micro, 'eu-central-1', 'eu-central-1'],
      [`${micro} geo`, 'eu-central-1', 'eu-central-1'],
      [`${micro} global`, 'eu-central-1', undefined],
      // Calls in another partition have a price where a Region of it has one.
      [`${llama} aws-us-gov`, 'us-east-1', 'us-gov-west-1'],
      [`${sonnet} aws-us-gov`, 'us-east-1', undefined],
      ['gpt-4o', 'us-east-1', undefined],
    ];
    for (const [call, region, scope] of scopes) expect(scopeOfCall(book, call, region), call).to.equal(scope);
    expect(scopeOfCall(book, sonnet, 'eu-west-1', 'global')).to.equal('global');
    expect(scopeOfCall(book, `${sonnet} geo`, 'eu-west-1', 'global'), 'the profile of the call first').to.equal('geo');
  });
});

import { expect } from 'chai';
import { found } from './found.ts';

describe('createScanner for fields of systems', () => {
  const positives: readonly [text: string, finding: string][] = [
    ['{"norskIdentifikator":"02013299997"}', 'no_fnr:02013299997'],
    ['vipps userinfo {"nin":"02013299997"}', 'no_fnr:02013299997'],
    ['<INCOMETAXNUMBER>ABCPE1234F</INCOMETAXNUMBER>', 'in_pan:ABCPE1234F'],
    ['<!-- aadhaar --><Auth uid="234123412346" rc="Y">', 'in_aadhaar:234123412346'],
    ['SERIALNUMBER=IDCES-12345678Z, C=ES', 'es_dni:12345678Z'],
    ['银联 accNo=6200000000000005 txnAmt=1', 'unionpay:6200000000000005'],
    ['accNo=6200000000000005&txnTime=20261126', 'unionpay:6200000000000005'],
  ];
  for (const [text, finding] of positives)
    it(`The scanner finds ${finding} in: ${text}`, () => expect(found(text)).to.deep.equal([finding]));

  const negatives = [
    'login uid=234123412346 ok',
    '银联 订单号=4111111111111111 应答码=34',
    'accNo=6200000000000005 balance=1',
    'documento FT A/046454286',
    '送り状番号「2341-2341-2346」 発行済',
    '{"message":"id 4111111111111111 not found"}',
    'received args=(5601852394631, 4111111111111111)',
    '550 5.7.1 [4111111111111111] message-id is not unique',
    ',4711,<0f765191-6cd4-3dd8448eb211@mx1.example.com>,',
    ',4711,<4611139873.2111.5@mx1.example.com>,',
  ];
  for (const text of negatives)
    it(`The scanner finds nothing in: ${text}`, () => expect(found(text)).to.deep.equal([]));

  it('The scanner leaves a number with a wrong check digit to no other scheme than its label names', () => {
    expect(found('HETU 811218-9876 virheellinen tarkiste')).to.deep.equal([]);
    expect(found('811218-9876')).to.deep.equal(['se_pnr:811218-9876']);
  });

  it('The scanner keeps a nin of Nigeria that fails the check of Norway', () => {
    expect(found('nin 12345678901')).to.deep.equal(['ng_nin:12345678901']);
  });
});

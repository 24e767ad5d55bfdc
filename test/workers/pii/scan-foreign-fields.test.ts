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
    ['PID|1||1113527398365^^^DOPA^NI||DOE^JOE', 'th_pin:1113527398365'],
    ['<Id>44051401359</Id><SchmeNm><Cd>NIDN</Cd>', 'pl_pesel:44051401359'],
    ['<cbc:ID schemeID="NAT">1012345672</cbc:ID>', 'sa_nid:1012345672'],
    ['<nationalIdentifier country="PL">44051401359<', 'pl_pesel:44051401359'],
    ['ID-porten pid=02013299997 acr=Level4', 'no_fnr:02013299997'],
    ['ID/AE/784200012345678 EMIRATES ID', 'ae_eid:784200012345678'],
    ['4-*AX371449635398431*0627', 'amex:371449635398431'],
    ['FP CCMA5641820000000005/1228', 'maestro:5641820000000005'],
    ['<CCACCTFROM><ACCTID>4111111111111111</ACCTID>', 'visa:4111111111111111'],
    ['SALE ACCT 8600123456789012 EXP 11/27', 'other_card:8600123456789012'],
    ['pos 9112123456789011 valid thru 11/27', 'other_card:9112123456789011'],
    ['{:number=>"9112123456789011", :exp_month=>1}', 'other_card:9112123456789011'],
    ['[MTI] 0200 [002] 2202123456789017 [004] 12', 'mir:2202123456789017'],
    ['paymentMethod.number=9112123456789011 paymentMethod.expiryMonth=9', 'other_card:9112123456789011'],
    ['TransID=1 number=9112123456789011 CCExpiry=202612', 'other_card:9112123456789011'],
    ['Charging 9112 1234 5678 9011 (exp 11/26)', 'other_card:9112 1234 5678 9011'],
    ['keyed: 9112123456789011 / 01/30 / zip 94254', 'other_card:9112123456789011'],
    ['{"tipo_doc":"DNI","nro_doc":"5825963"}', 'ar_dni:5825963'],
    ['avs13=7561234567897 kk=1', 'ch_ahv:7561234567897'],
    ['uaepass.userinfo idn=784200012345678', 'ae_eid:784200012345678'],
    ['natl_id: 44051401359', 'pl_pesel:44051401359'],
    ['LEGAL.ID=44051401359 STATUS=LIVE', 'pl_pesel:44051401359'],
    ['Purchase attempt 4111111111111111 5.51 INR', 'visa:4111111111111111'],
  ];
  for (const [text, finding] of positives)
    it(`The scanner finds ${finding} in: ${text}`, () => expect(found(text)).to.deep.equal([finding]));

  const negatives = [
    'login uid=234123412346 ok',
    '银联 订单号=4111111111111111 应答码=34',
    'accNo=6200000000000005 balance=1',
    'PID|1||1113527398365^^^DOPA^MR||DOE^JOE',
    'SALE ACCT 8600123456789012 EXPORT 11/27',
    '[MTI] 0200 [003] 2202123456789017',
    'masked 371449635398431*0627',
    'SSCC pallet 4111111111111111',
    'KVNR A123456789',
    '<PolishIDNumber>x</PolishIDNumber><MemberID>046454286</MemberID>',
    '<OrderId>ORD-58444043</OrderId><Number>x</Number>',
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

  it('The scanner leaves a number to no scheme if a general keyword names it and its check fails', () => {
    expect(found('ID number 8005311912087')).to.deep.equal(['th_pin:8005311912087']);
    for (const text of [
      'ID number 8005311912087 check digit error',
      'DNI 41236547: dígito verificador inválido',
      'cédula 1042910439 no supera el módulo 10',
    ])
      expect(found(text), text).to.deep.equal([]);
  });

  it('The scanner needs a keyword for a Czech number that can be the number of a file', () => {
    expect(found('735316/3004')).to.deep.equal(['cz_rc:735316/3004']);
    expect(found('č.j. 735316/2025')).to.deep.equal([]);
    expect(found('r.č. 735316/2025')).to.deep.equal(['cz_rc:735316/2025']);
  });

  it('The scanner keeps a nin of Nigeria that fails the check of Norway', () => {
    expect(found('nin 12345678901')).to.deep.equal(['ng_nin:12345678901']);
  });
});

import { expect } from 'chai';
import { found } from './found.ts';

const VISA = '4111111111111111';
const MIR = '2200000000000004';

describe('formats of particular systems', () => {
  const read: readonly [text: string, findings: string[]][] = [
    [`FP CCVI${VISA}/2912/N830510`, [`visa:${VISA}`]],
    [`5-CC/*VI${VISA}¥03/31 FORM OF PAYMENT`, [`visa:${VISA}`]],
    [`F.VI${VISA}*D0331`, [`visa:${VISA}`]],
    [`FOP CC/VI${VISA}/D0331`, [`visa:${VISA}`]],
    [`MTI 0200 | DE002 ${MIR} | DE003 000000`, [`mir:${MIR}`]],
    [`0100 F2=${MIR} F3=000000`, [`mir:${MIR}`]],
    [`field[2]: ${MIR}`, [`mir:${MIR}`]],
    [`F002 (PAN) -> ${MIR}`, [`mir:${MIR}`]],
    [`<field id="2" value="${MIR}"/><field id="3" value="000000"/>`, [`mir:${MIR}`]],
    ['<field id="2" value="4222222222222"/>', ['visa:4222222222222']],
    ['DE002 4222222222222', ['visa:4222222222222']],
    ['<field id="11" value="4222222222222"/>', []],
    [`TLV 5A ${MIR} 5F24 280131`, [`mir:${MIR}`]],
    [`5A 08 ${MIR}`, [`mir:${MIR}`]],
    [`tag 5A: ${MIR}`, [`mir:${MIR}`]],
    [`"5A":"${MIR}"`, [`mir:${MIR}`]],
    ['5A=4222222222222', ['visa:4222222222222']],
    [`${MIR} 5F24 280131`, [`mir:${MIR}`]],
    [`15A=${MIR} 9F24 280131`, []],
    [`${MIR} 5F24AB`, []],
    ['<field id="2" value="6228344824900112680"/>', ['unionpay:6228344824900112680']],
    ['{"system":"urn:oid:2.16.840.1.113883.4.1","value":"331437507"}', ['us_ssn:331437507']],
    ['CEF:0|A|K|6|42|check|5|cs1Label=ipn.platnyka cs1=3272804558', ['ua_rnokpp:3272804558']],
    ['<id root="2.16.840.1.113883.2.4.6.3" extension="751506825"/>', ['nl_bsn:751506825']],
    ['PID|1||751506825^^^NLMINBIZA^NNNLD||Doe', ['nl_bsn:751506825']],
    ['PID|1||331437507^^^USSSA^SS||Doe', ['us_ssn:331437507']],
    ['tipo_documento=CC numero_documento=1967448632', ['co_cc:1967448632']],
    ['name,run\nDoe,23268842-4', ['cl_rut:23268842-4']],
    ["HKTEL:4:1+joe+news@example.com'", ['email:joe+news@example.com']],
    ["UNH+1+X'COM+P+NEWS@EXAMPLE.COM:EM'", ['email:P+NEWS@EXAMPLE.COM']],
    ["UNH+1+X'NAD+BY+joe@example.com'", ['email:joe@example.com']],
    ['joe@example.de-The user name or password is incorrect', ['email:joe@example.de']],
    ['joe@example.com-failed', ['email:joe@example.com']],
    ['NOTE: Invalid data for kennitala in line 2367 1-10. RULE: 0501652649 _N_=1', ['is_kt:0501652649']],
  ];
  for (const [text, findings] of read)
    it(`The scanner finds ${findings.join()} in: ${text}`, () => expect(found(text)).to.deep.equal(findings));

  const ignored = [
    `f12=${MIR}`,
    `F2.1=${MIR}`,
    `CA${VISA}`,
    `FVI${VISA}`,
    `4111111111111*1111`,
    'app@db.eu-west-1',
    'app@ip-10.us-east-1.compute.internal',
    '{"system":"urn:oid:2.16.840.1.113883.4.19","value":"331437507"}',
    'run,name\nDoe,23268842-4',
    'run: ok\n23268842-4',
    'gift_card_code=8738-9062-6412',
    'redeem code 8738-9062-6412',
    'IRD gateway: paydayRef 66751899 accepted',
    'IRD gateway: payday_reference=66751899 accepted',
    'movimento 51659 documento id 409103705',
    'personIdExternal=31300932 nationalId cardType=SVNR',
    'BSN||Sharma^Ruth||19830622|F',
  ];
  for (const text of ignored) it(`The scanner finds nothing in: ${text}`, () => expect(found(text)).to.deep.equal([]));

  it('The scanner finds numbers beside their labels although they have the form of a date or a reference', () => {
    expect(found('BSN: 19830622')).to.deep.equal(['nl_bsn:19830622']);
    expect(found('IRD ref 66751899')).to.deep.equal(['nz_ird:66751899']);
  });

  it('At mail.gmail.com, the names that Gmail makes are ids of messages, and all others are mailboxes', () => {
    expect(found('<CAKx1abcDEF=_xyz+z@mail.gmail.com>')).to.deep.equal([]);
    expect(found('Message-ID: <a1b2c3@mail.gmail.com>')).to.deep.equal([]);
    expect(found('to=<carlos@mail.gmail.com>')).to.deep.equal(['email:carlos@mail.gmail.com']);
  });
});

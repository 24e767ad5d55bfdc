import { expect } from 'chai';
import { found } from './found.ts';

describe('createScanner next to keywords', () => {
  const positives: [string, string][] = [
    ['userSsn=123456789', 'us_ssn:123456789'],
    ['customer_ssn: "123456789"', 'us_ssn:123456789'],
    ['{"ssn":{"value":"123456789"}}', 'us_ssn:123456789'],
    ['SSNs: 123456789 and 212456789', 'us_ssn:123456789'],
    ['nhsNumber=9434765919', 'gb_nhs:9434765919'],
    ['123456789 is my SSN', 'us_ssn:123456789'],
    ['Numéro de sécurité sociale : 2 55 08 14 168 025 38', 'fr_nir:2 55 08 14 168 025 38'],
    ['ЕГН: 7523169263', 'bg_egn:7523169263'],
    ['รหัสปชช 3411612490655', 'th_pin:3411612490655'],
    ['nüfus cüzdanı 37928201080', 'tr_tckn:37928201080'],
    ['rodné č. 6310141123', 'cz_rc:6310141123'],
    ['תז=166566653', 'il_id:166566653'],
    ['"steuerIdentNr":"41283157900"', 'de_tax_id:41283157900'],
    ['navs13: 7565218409050', 'ch_ahv:7565218409050'],
    ['fødselsnummeret 27069019809 finnes ikke', 'no_fnr:27069019809'],
    ['personnumret 2707121840 saknas', 'se_pnr:2707121840'],
    ['asmens kodą 33309240064', 'lt_ak:33309240064'],
    ['N° national 61273409366', 'be_nrn:61273409366'],
    ['N° fiscal : 3023217600053', 'fr_nif:3023217600053'],
    ['S.I.N. 562 570 291', 'ca_sin:562 570 291'],
    ['D.N.I. 27.345.678', 'ar_dni:27.345.678'],
    ['No. K/P: 850412-10-5321', 'my_nric:850412-10-5321'],
    ['TC: 37928201080', 'tr_tckn:37928201080'],
    ['birth_number=27069019809', 'no_fnr:27069019809'],
    ['GET /?num%C3%A9ro_fiscal=3023217600053&x=1', 'fr_nif:3023217600053'],
    ['GET /?%EC%A3%BC%EB%AF%BC%EB%B2%88%ED%98%B8=5312242336471', 'kr_rrn:5312242336471'],
    ['GET /?%E5%80%8B%E4%BA%BA%E7%95%AA%E5%8F%B7=812056734346', 'jp_my_number:812056734346'],
    ['S. S. N. 212 45 6789', 'us_ssn:212 45 6789'],
    ['R.F.C: COMG600703AB1', 'mx_rfc:COMG600703AB1'],
    ['N.I. number: ab123456c', 'gb_nino:ab123456c'],
    ['RČ: 6310141123', 'cz_rc:6310141123'],
    ['r. č.: 6310141123', 'cz_rc:6310141123'],
    ['ת.ז. 39337423', 'il_id:39337423'],
    ['customerСнилс=57824646944', 'ru_snils:57824646944'],
    ['KİMLİK NUMARASI 37928201080', 'tr_tckn:37928201080'],
    ['کد ملّی: 0499370899', 'ir_melli:0499370899'],
    ['كد ملي: 0499370899', 'ir_melli:0499370899'],
    ['کد\u200cملی: ۰۴۹۹۳۷۰۸۹۹', 'ir_melli:۰۴۹۹۳۷۰۸۹۹'],
    ['الرقم القومى: ٢٩٠٠١٠١١٢٣٤٥٦٧', 'eg_nid:٢٩٠٠١٠١١٢٣٤٥٦٧'],
    ['الرَّقْم القَوْمِيّ 29001011234567', 'eg_nid:29001011234567'],
    ['permanent resident number 5209133037186', 'za_id:5209133037186'],
    ['tax id => 44051401359', 'pl_pesel:44051401359'],
    ["'social security number' => '123456789'", 'us_ssn:123456789'],
    ['if ssn == 123456789 then', 'us_ssn:123456789'],
    ['{"pesel":{"type":"string","value":"44051401359"}}', 'pl_pesel:44051401359'],
    ['{"pesel":{"meta":{"v":[1]},"value":"44051401359"}}', 'pl_pesel:44051401359'],
    ['{:id=>4711, :pesel=>{:type=>"x", :value=>"44051401359"}}', 'pl_pesel:44051401359'],
    ['  pesel:\n    type: string\n    value: "44051401359"', 'pl_pesel:44051401359'],
    ['Map(applicantNavs13 -> 7565218409050)', 'ch_ahv:7565218409050'],
    ['E.M.S\u030c.O.: 2203985509102', 'si_emso:2203985509102'],
    ['run_paciente: 12345678-5', 'cl_rut:12345678-5'],
    ['{"run":{"S":"12345678-5"}}', 'cl_rut:12345678-5'],
    ['<td>RUN</td><td>12345678-5</td>', 'cl_rut:12345678-5'],
    ['citizen_id 44051401359 verified', 'pl_pesel:44051401359'],
    ['[["pesel", "44051401359"]]', 'pl_pesel:44051401359'],
    ['pesel: ["anna", "44051401359"]', 'pl_pesel:44051401359'],
    ['pesel=Pesel[value=44051401359]', 'pl_pesel:44051401359'],
    ["'pesel' => array('value' => '44051401359')", 'pl_pesel:44051401359'],
    ["where pesel like '44051401359%'", 'pl_pesel:44051401359'],
    ['note=%0Apesel%3A%2044051401359%0D%0A', 'pl_pesel:44051401359'],
    ['pesel:\\u000a44051401359\\u000a', 'pl_pesel:44051401359'],
    ['123456789 SSN of the spouse 12', 'us_ssn:123456789'],
    ['rejected 046454286 invalid SIN 2026-11-24 03:46:44', 'ca_sin:046454286'],
    ['046454286 SIN 192.168.10.20 denied', 'ca_sin:046454286'],
    ['046454286 SIN 20261124034644 denied', 'ca_sin:046454286'],
    ['123456789 SSN 2024-01-15', 'us_ssn:123456789'],
    ['123456789 SSN no. 987654321', 'us_ssn:123456789'],
    ['12345678909 CPF 2026-11-24', 'br_cpf:12345678909'],
    ['2026-11-24 03:46:44+00 046454286 SIN', 'ca_sin:046454286'],
    ['2026-11-24 03:46:44+00 44051401359 PESEL of Anna', 'pl_pesel:44051401359'],
    ['NHS records 9434765919', 'gb_nhs:9434765919'],
    ['PESEL records 44051401359', 'pl_pesel:44051401359'],
    ['SSN rows 123456789', 'us_ssn:123456789'],
    ['NHS patient_id 9434765919', 'gb_nhs:9434765919'],
    ['PESEL: user_id 44051401359', 'pl_pesel:44051401359'],
    ['SSN for customer_id 123456789', 'us_ssn:123456789'],
    ['applicant_id 123-45-6789', 'us_ssn:123-45-6789'],
    ['NIC no: 762022602V (seen as 762022602V)', 'lk_nic:762022602V'],
    ['pesel44051401359', 'pl_pesel:44051401359'],
    ['customerEmšo=2203985509102', 'si_emso:2203985509102'],
    ['CPF326.003.468-48', 'br_cpf:326.003.468-48'],
    ['report_ssn_123456789.pdf', 'us_ssn:123456789'],
    ['СНИЛС57824646944', 'ru_snils:57824646944'],
    ['card4111111111111111', 'visa:4111111111111111'],
    ['VISA4111 1111 1111 1111', 'visa:4111 1111 1111 1111'],
    ['CNP invalid: 1661107041135', 'ro_cnp:1661107041135'],
    ['card invalid: 4111111111111111', 'visa:4111111111111111'],
    ['national_id=123-45-6789', 'us_ssn:123-45-6789'],
    ['رقم البطاقة: 2200000000000004', 'mir:2200000000000004'],
    ['request.user.cf=RSSMRA85T10A562S', 'it_cf:RSSMRA85T10A562S'],
    ['query=4111111111111111', 'visa:4111111111111111'],
    ['customer=4111111111111111', 'visa:4111111111111111'],
    ['contract pesel 44051401359', 'pl_pesel:44051401359'],
    ['unique taxpayer reference 1615107252', 'gb_utr:1615107252'],
    ['order RSSMRA85T10A562S', 'it_cf:RSSMRA85T10A562S'],
    ['order 4111 1111 1111 1111', 'visa:4111 1111 1111 1111'],
    ['<ns:CardNumber>4111111111111111</ns:CardNumber>', 'visa:4111111111111111'],
    ['<Value>4111111111111111</Value>', 'visa:4111111111111111'],
    ['<pesel><item>44051401359</item></pesel>', 'pl_pesel:44051401359'],
    ['DNI:[8] "12345678"', 'ar_dni:12345678'],
    ['["pesel"]=> string(11) "44051401359"', 'pl_pesel:44051401359'],
    ['GET /lookup/RSSMRA85T10A562S/orders HTTP/1.1', 'it_cf:RSSMRA85T10A562S'],
  ];
  for (const [text, finding] of positives)
    it(`The scanner finds ${finding} in: ${text}`, () => expect(found(text)[0]).to.equal(finding));

  const negatives = [
    'pan=0.73 sin=-0.5 value 123456782',
    'sin=0.5 id=046454286',
    'nas01 mounted 046454286',
    'span 123456782 closed',
    'message_id: 123456782',
    'order_id: 123456789 ssn: none',
    'lookup of ssn for order 123456789',
    '123456789 ssn=',
    'pesel: 44051401358 phone: 44051401359',
    'cf-ray: 9434765919',
    'trace_id=44051401359 pesel=null',
    '6310141123 lookup, documento nacional de identidad: -',
    '20261121 101500 worker[7]: bsn service started',
    'visa form rendered in 4111111111111111 ns',
    'nhs import wrote 9434765919 bytes',
    'part number AB-12-34-56-C',
    'PERNR=46380924 dni-nie: -',
    'nhs_number missing, appointment_id 9434765919',
    'nhs_number missing, orderId 9434765919',
    'loan 40797095 borrower DNI nº 5117528-6',
    'loan 40797095 borrower cédula de identidad nº 5117528-7',
    'run_count: 12345678-5',
    'pesel=check(x) value=44051401359',
    'ssn at 123456789% of its limit',
    '+48 985 494 007, TFN: -',
    'ref 985494007, Tax File No.: -',
    '[["id", 4111111111111111], ["LIMIT", 1]]',
    '[["user_id", 123-45-6789], ["LIMIT", 1]]',
    'policy 212-45-6789 renewed',
    'DHL 2341 2341 2346 delivered',
    'temperature 55.032.328 K',
    'passport no. 212 45 6789',
    'Norwegian national id: 09038626330',
    'documento CPF: 89814059054',
    'personal identity number: 197812205936',
    'national id desk: +48 009 078 654',
    'id card reader 722917710 attached',
    'identity card 330923721 printed',
    'sin=0.5 => 046454286',
    '{"pesel":{"type":"string"},"value":"44051401359"}',
    '{"pesel":{"order_id":"44051401359"}}',
    '  pesel:\n    type: string\n  value: "44051401359"',
    'xpesel44051401359',
    '1pesel44051401359',
    'span123456782',
    'order44051401359',
    'discard4111111111111111',
    'gtin14=36000000000008',
    'siret=36000000000008',
    '<MsgId>4111111111111111</MsgId>',
    '<ns:OrderNumber>4111111111111111</ns:OrderNumber>',
    'RUT: - SESSIONID:[8] "44051401"',
    '["order_id"]=> string(16) "4111111111111111"',
    'ecid 4111111111111111',
    '{"contractNo":"4111111111111111"}',
    'customerNumber: 4111111111111111',
    'meter_no=4111 1111 1111 1111',
    'user_id=123-45-6789',
    'user_id: RSSMRA85T10A562S',
    'order_id=4111 1111 1111 1111',
    'order_no=4111-1111-1111-1111',
    'device: 123-45-6789',
    'session.device=123-45-6789',
    'GET /lookup/12345678Z HTTP/1.1',
    'CardNo=4808 6560 7439 2206 rejected',
    'card "4808 6560 7439 2206" rejected',
  ];
  for (const text of negatives)
    it(`The scanner finds nothing in: ${text}`, () => expect(found(text)).to.deep.equal([]));

  it('Keywords have no effect beyond the maximum distance', () => {
    expect(found(`ssn ${'- '.repeat(30)}123456789`)).to.deep.equal([]);
    expect(found(`123456789 ${'- '.repeat(30)}ssn`)).to.deep.equal([]);
  });

  it('Keywords take precedence over a word after the number that can be a unit', () => {
    for (const text of ['SSN 123456789 us citizen', 'her ssn is 123456789 US', 'ssn 123456789 sec filing'])
      expect(found(text), text).to.deep.equal(['us_ssn:123456789']);
    expect(found('NHS number 9434765919 Ms Lee')).to.deep.equal(['gb_nhs:9434765919']);
    for (const text of [
      'card 4111111111111111 us',
      'paid 4111111111111111 MS LEE',
      'visa 4111111111111111 sec code 123',
    ])
      expect(found(text), text).to.deep.equal(['visa:4111111111111111']);
  });

  it('Keywords are found after the colon of a number that begins the line', () => {
    expect(found('123456789: SSN of the payer')).to.deep.equal(['us_ssn:123456789']);
    expect(found('44051401359: PESEL')).to.deep.equal(['pl_pesel:44051401359']);
  });

  it('Keywords apply to a number that is repeated in brackets, also with a letter at its end', () => {
    expect(found('nic: 762022602V (762022602V)')).to.deep.equal(['lk_nic:762022602V', 'lk_nic:762022602V']);
  });

  it('Keywords apply to every value of a list', () => {
    for (const text of [
      'ssns=[123456789, 212456789]',
      'ssn changed from 123456789 to 212456789',
      '{"ssn":{"old":"123456789","new":"212456789"}}',
      '{"user.ssn.value":{"old":"123456789","new":"212456789"}}',
    ])
      expect(found(text), text).to.deep.equal(['us_ssn:123456789', 'us_ssn:212456789']);
  });
});

import { expect } from 'chai';
import { found } from './found.ts';

describe('countries that a text names', () => {
  const decided: readonly [text: string, finding: string][] = [
    ['Reniec: consulta del DNI 41236547', 'pe_dni:41236547'],
    ['anses-api: D.N.I. 41236547 sin haberes', 'ar_dni:41236547'],
    ['onpeClient elector dni=41236547', 'pe_dni:41236547'],
    ['DNI 41236547 en https://padron.gob.pe/x', 'pe_dni:41236547'],
    ['{"locale":"es_PE","dni":"41236547"}', 'pe_dni:41236547'],
    ['{"pais":"PE","dni":"41236547"}', 'pe_dni:41236547'],
    ['DNI 41236547', 'ar_dni:41236547'],
    ['Montevideo cédula de identidad 17100342', 'uy_ci:17100342'],
    ['DIAN: CC 1042910439', 'co_cc:1042910439'],
    ['pagador CC 1.042.910.439 aprobado', 'co_cc:1.042.910.439'],
    ['NCIC QW.NAM/DOE, JOE.DOB/19790207.SOC/352671832', 'us_ssn:352671832'],
    ['REF*SY*352671832~NM1', 'us_ssn:352671832'],
    ['{"national_id":"10.963.039","country_code":"CO"}', 'co_cc:10.963.039'],
    ['COUNTRY=USA NATIONAL_ID=212456789', 'us_ssn:212456789'],
    ['country=GB tax_id=2028629473', 'gb_utr:2028629473'],
    ['SUNAT emisor RUC 10412365475', 'pe_ruc:10412365475'],
  ];
  for (const [text, finding] of decided)
    it(`The scanner finds ${finding} in: ${text}`, () => expect(found(text)).to.deep.equal([finding]));

  for (const text of [
    'cc 1042910439',
    'soc 352671832',
    'national_id=212456789 country=XX',
    'USA national_id=212456789',
    'SUNAT emisor RUC 20412365478',
  ])
    it(`The scanner finds nothing in: ${text}`, () => expect(found(text)).to.deep.equal([]));

  it('A word of a country does not outweigh a label of another country only', () => {
    expect(found('SUNAT cuil=20112345672')).to.deep.equal(['ar_cuil:20112345672']);
  });
});

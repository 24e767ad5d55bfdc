import { expect } from 'chai';
import { found } from './found.ts';

describe('createScanner for labels of several numbers', () => {
  const cases: [string, string[]][] = [
    // The keyword belongs to the grouped number after it.
    ['cédula de ciudadanía 1.191.396.122 PILA planilla 7497653462', ['co_cc:1.191.396.122']],
    ['r.č. 655827/9519, lékař KRZP 477517345', ['cz_rc:655827/9519']],
    ['PILA planilla 5119063681 cotizante cédula de ciudadanía 22751316', ['co_cc:22751316']],
    ['nº 211537868 CVP 371559051373 contribuinte 298401100', ['pt_nif:298401100']],
    ['student no 28859888 ID Number (RSA): 8001015009087', ['za_id:8001015009087']],
    ['cédula 1.191.396.122 trámite de duplicado 22751316', ['co_cc:1.191.396.122']],
    ['contrato 22751316 cédula titular 1.191.396.122', ['co_cc:1.191.396.122']],
    ['customer=22751316 Cédula de identidad (Uruguay): 1.710.034-2', ['uy_ci:1.710.034-2']],
    ['cédula 1.191.396.122 y 22751316', ['co_cc:1.191.396.122', 'co_cc:22751316']],
    // The words of a general keyword are those of two columns.
    ['INSERT INTO t (txn_id, card_number) VALUES (298428852278, NULL)', []],
    ['id card 298428852278', ['in_aadhaar:298428852278']],
    // A keyword with a number of its own is not evidence for the value of another key.
    ['from=919820612946 text="my aadhar no. 2341 2341 2346"', ['in_aadhaar:2341 2341 2346']],
    ['from=7523169263 text="EGN is 7523169263"', ['bg_egn:7523169263']],
    ['NAM/HARPER.DOB/19830118.SSN/212456789', ['us_ssn:212456789']],
    // Letters before a hyphen begin a reference, unless they are a keyword.
    ["carte d'identité: dossier CNI-31168597", []],
    ['cédula del socio REF-22751316', []],
    ['national id TIN-31168597', ['nz_ird:31168597']],
    ['IRD of dossier CNI-31168597', ['nz_ird:31168597']],
    ['identity card AB-31168597', ['nz_ird:31168597']],
    // The value of the keyword is absent, and the number is another one.
    ['nationalId is null for customer 78038647', []],
    ['SIN: null for account 046454286', []],
    ['PESEL ontbreekt voor klant 44051401359', []],
    ['nationalId is nullable for customer 78038647', ['au_tfn:78038647']],
    // The id of a person and that of a process.
    ['pid=1113527398365 เลขบัตรประชาชน ok', ['th_pin:1113527398365']],
    ['pid=1113527398365 ok', []],
    ['{"type":"DNI","number":"7446807"}', ['ar_dni:7446807']],
    ['{"type":"order","number":"7446807"}', []],
    ['ACARS /MA 746340A FL291', []],
    ['NINO MA 746340A', ['gb_nino:MA 746340A']],
    // Tables, columns and names of keys that name something else.
    ["WHERE `orders`.`number` = '4111111111111111'", []],
    ["WHERE `people`.`pesel` = '44051401359'", ['pl_pesel:44051401359']],
    ['key=order::4111111111111111', []],
    ['key=card::4111111111111111', ['visa:4111111111111111']],
    // A date, a time or a host before the number does not take the keyword.
    ['PESEL 2026-11-24 for 44051401359', ['pl_pesel:44051401359']],
    ['PESEL from 192.168.10.200 is 44051401359', ['pl_pesel:44051401359']],
    ['046454286 SIN 2026-11-24', ['ca_sin:046454286']],
    // The type of a number is in a field after it.
    ['{"pid":"44051401359","pid_type":"PESEL"}', ['pl_pesel:44051401359']],
    ['<wd:ID>200368-3004</wd:ID><wd:ID_Type_Reference>DNK-CPR</wd:ID_Type_Reference>', ['dk_cpr:200368-3004']],
    // An ambiguous label is the type of a document.
    ['{"dniType":"CC","dniNumber":"1634219393"}', ['co_cc:1634219393']],
    ['{"dniNumber":"1634219393","dniType":"CC"}', ['co_cc:1634219393']],
    ['{"legal_id":"1634219393","legal_id_type":"CC"}', ['co_cc:1634219393']],
    ["documentType: 'CC', document: '1634219393'", ['co_cc:1634219393']],
    ['doc_type=CC doc_num=1634219393', ['co_cc:1634219393']],
    ['ID_TYPE=CC&ID_NUMBER=1634219393', ['co_cc:1634219393']],
    ['{\\"idType\\":\\"CC\\",\\"idNumber\\":\\"1634219393\\"}', ['co_cc:1634219393']],
    ['"identification":{"type":"CC","number":"1634219393"}', ['co_cc:1634219393']],
    ['"identification":{"number":"1634219393","type":"CC"}', ['co_cc:1634219393']],
    ['{"legal_id_type":"RUT","legal_id":"125319092"}', ['cl_rut:125319092']],
    ['{"legal_id_type":"CE","legal_id":"1634219393"}', []],
    ['{"paymentType":"CC","paymentId":"1634219393"}', []],
    ['{"paymentId":"1634219393","paymentType":"CC"}', []],
    ['{"documentType":"CC","amount":"1634219393"}', []],
    ['{"documentType":"CC DC","documentNumber":"1634219393"}', []],
    ['the document type CC, document 1634219393', []],
    // A message names the column of a row.
    ["bad row: ('Elif', '37928201080', 'elif.yildiz@mail.example') tckn column fails", ['tr_tckn:37928201080']],
    ['fila 7: 1.072.844.125;Villalobos;calle Mayor;Madrid (columna "cédula de ciudadanía")', ['co_cc:1.072.844.125']],
    ["bad row: ('Elif', '37928201080', 'elif.yildiz of mail.example') tckn columnar fails", []],
    // The value of a parameter follows the statement.
    ['WHERE "pesel" = $1 -- PARAMETERS: ["44051401359"]', ['pl_pesel:44051401359']],
    ['WHERE (p0."SAID" = $1) ["8001015009087"]', ['za_id:8001015009087']],
    ["WHERE PERID = '44051401359' /* PESEL */", ['pl_pesel:44051401359']],
    ['Key (cedula_uy)=(1.728.546-7) already exists', ['uy_ci:1.728.546-7']],
    ['<Data Name="pesel">44051401359</Data>', ['pl_pesel:44051401359']],
    ['{"label":"pesel","value":"44051401359"}', ['pl_pesel:44051401359']],
    ['cs1Label=pesel cs1=44051401359 src=10.0.0.1', ['pl_pesel:44051401359']],
    ['{"Aadhaar UID":"2341 2341 2346"}', ['in_aadhaar:2341 2341 2346']],
    ["WHERE NIFTRABALHADOR=''298401100''", ['pt_nif:298401100']],
    // The country is before the number or at the end of its key.
    ['subject=PNOEE-48302106234', ['ee_ik:48302106234']],
    ['documentNumber=PNOEE-45906117466-SDLP-Q', ['ee_ik:45906117466']],
    ['PNOLV-190773-14973', ['lv_pk:190773-14973']],
    ['{"serialNumber":"PNOLV-190773-14973","country":"EE"}', ['lv_pk:190773-14973']],
    ['documentNumber=PNOLV-190773-14973-SDLP-Q', ['lv_pk:190773-14973']],
    ['documentNumber=PNOLV-190773-149731-SDLP-Q', []],
    ['documentNumber=PNOLV-190773.14973-SDLP-Q', []],
    ['serialNumber=PNOSE-850709-9805', ['se_pnr:850709-9805']],
    ['id SE850709-9805', []],
    ['fiscalNumber=TINIT-RSSMRA85T10A562S', ['it_cf:RSSMRA85T10A562S']],
    ['subject=EE35306248808 (isikukood)', ['ee_ik:35306248808']],
    ['PersonIdentifier=ES/AT/44393163N', ['es_dni:44393163N']],
    ['PersonIdentifier=SE/NO/44393163N', []],
    ['PersonIdentifier=XX/SE/44393163N', ['es_dni:44393163N']],
    ['GET /ES/AT/44393163N', []],
    ['CN="Heikkinen,Anna,48508200130"', ['ee_ik:48508200130']],
    ['CN=MÄNNIK\\,MARI-LIIS\\,48508200130, C=EE', ['ee_ik:48508200130']],
    ['/C=EE/CN=MÄNNIK,MARI,48508200130/SN=MÄNNIK', ['ee_ik:48508200130']],
    ['CN=MÄNNIK, MARI, 48508200130', ['ee_ik:48508200130']],
    ['CN=MÄNNIK,MARI,48508200131', []],
    ['CN=MÄNNIK,MARI,32010112346', []],
    ['CN=MÄNNIK,48508200130', []],
    ['OU=MÄNNIK,MARI,48508200130', []],
    ['CN=MÄNNIK,MARI 48508200130', []],
    ['personnummer_se=200368-3004', []],
    ['national_id_de=44051401359', []],
    ['nationalIdDe=44051401359', []],
    ['national_id_no=44051401359', ['pl_pesel:44051401359']],
    ['pesel_number_de=44051401359', ['pl_pesel:44051401359']],
    // The name of a file.
    ['documento 22751316.pdf.p7m', []],
    ['documento 44051401359.XML', []],
    ['cédula y su copia 22751316.jpg', []],
    ['cédula 22751316.pdf', ['co_cc:22751316']],
    ['cédula=22751316.pdf', ['co_cc:22751316']],
    ['the PESEL in 44051401359.csv', ['pl_pesel:44051401359']],
    ['documento 44051401359. xml follows', ['pl_pesel:44051401359']],
    // A letter can follow a slash.
    ['pesel 44051401359/A', ['pl_pesel:44051401359']],
    ['order 44051401359/A', []],
    ['44051401359/A', []],
    // The number of a person or a company.
    ['CPF/CNPJ 52998224725', ['br_cpf:52998224725']],
    ['{"CPF/CNPJ":"52998224725"}', ['br_cpf:52998224725']],
    // Words that name something else.
    ['UBRN 2341 2341 2346 booked', []],
    ['Befund freigegeben, LANR 212456782, BSNR 111222333', []],
    ['MyGovID verified, MPRN 44051401359', []],
    ['Zeiterfassung: Ausweis 9434765919', []],
    ['facture FA32973401 envoyée', []],
    ['client FA32973401', ['tw_nid:FA32973401']],
    ['gift card 2341-2341-2346 redeemed', []],
    ['giftcard code 2341-2341-2346 redeemed', []],
    ['https://fhir.nhs.uk/Id/nhs-number 6188569495', []],
    ['EE35306248808', []],
    ['no. 1901991737392, ITAN@NADRA.GOV.PK', ['email:ITAN@NADRA.GOV.PK']],
    // The text says that the check digit is wrong.
    ['bad checksum for Emirates ID = 784195693904937', []],
    ['CPR-nr.=2302059746 rejected, bad check digit', []],
  ];
  for (const [text, expected] of cases) {
    it(`The scanner finds ${expected.join(', ') || 'nothing'} in: ${text}`, () => {
      expect(found(text)).to.deep.equal(expected);
    });
  }

  it('The scanner finds a CPR without a check digit next to its own keyword only', () => {
    expect(found('CPR 200368-3695')).to.deep.equal(['dk_cpr:200368-3695']);
    expect(found('personnummer 200368-3695')).to.deep.equal([]);
    expect(found('personnummer 200368-3004')).to.deep.equal(['dk_cpr:200368-3004']);
  });
});

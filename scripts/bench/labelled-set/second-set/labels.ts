import type { IdScheme } from '../ids/id-scheme.ts';

type Names = Pick<IdScheme, 'labels' | 'keys'>;

/** Other labels and names of fields than those of the first set, by scheme. */
export const SECOND_NAMES: Readonly<Record<string, Names>> = {
  us_ssn: {
    labels: ['Social Security Number (SSN)', 'employee SSN', 'Social Security No', 'Soc Sec #', 'SSN of spouse'],
    keys: ['employee ssn', 'social security no', 'subscriber ssn', 'soc sec no', 'taxpayer ssn'],
  },
  us_itin: {
    labels: ['Individual Taxpayer ID Number', 'IRS ITIN', 'ITIN #', 'ITIN of spouse'],
    keys: ['taxpayer itin', 'itin no', 'spouse itin'],
  },
  ca_sin: {
    labels: ['Social Insurance Number (SIN)', 'SIN #', 'numéro d’assurance sociale (NAS)', 'employee SIN'],
    keys: ['employee sin', 'social insurance no', 'sin no', 'numero assurance sociale'],
  },
  mx_curp: {
    labels: ['CURP del alumno', 'CURP del trabajador', 'CURP (18 caracteres)'],
    keys: ['curp alumno', 'clave curp', 'curp trabajador'],
  },
  mx_rfc: {
    labels: ['RFC del trabajador', 'RFC con homoclave', 'RFC emisor'],
    keys: ['rfc emisor', 'rfc trabajador', 'rfc con homoclave'],
  },
  br_cpf: {
    labels: ['CPF do dependente', 'CPF/CNPJ', 'inscrito no CPF sob o nº', 'CPF do responsável', 'CPF n°'],
    keys: ['cpf dependente', 'cpf responsavel', 'num cpf', 'cpf cnpj', 'documento cpf'],
  },
  ar_dni: {
    labels: ['DNI del titular', 'D.N.I. N°', 'Documento Nacional de Identidad Nº', 'con DNI'],
    keys: ['dni titular', 'documento dni', 'dni paciente'],
  },
  ar_cuil: {
    labels: ['CUIL del empleado', 'CUIT/CUIL N°', 'C.U.I.T. Nº', 'CUIL N°'],
    keys: ['cuil empleado', 'cuit titular', 'numero cuil'],
  },
  cl_rut: {
    labels: ['RUT del paciente', 'RUT N°', 'Rol Unico Tributario', 'RUN del paciente'],
    keys: ['rut paciente', 'numero rut', 'rut titular', 'run paciente'],
  },
  pe_dni: {
    labels: ['DNI del asegurado', 'identificado con DNI N°', 'DNI nro.'],
    keys: ['dni asegurado', 'dni numero', 'num dni'],
  },
  co_cc: {
    labels: ['Cédula de ciudadanía Nº', 'C.C. N°', 'cédula del afiliado'],
    keys: ['cedula afiliado', 'nro cedula', 'cedula de ciudadania', 'num cedula'],
  },
  ec_ci: {
    labels: ['Cédula de ciudadanía', 'C.I. Nº', 'No. de cédula', 'cédula del paciente'],
    keys: ['cedula paciente', 'num cedula', 'nro cedula'],
  },
  uy_ci: {
    labels: ['C.I. Nº', 'Cédula de Identidad', 'cédula del titular'],
    keys: ['cedula titular', 'nro cedula', 'cedula de identidad'],
  },
  do_cedula: {
    labels: ['Cédula del empleado', 'Cédula Nº', 'núm. de cédula'],
    keys: ['cedula empleado', 'no cedula', 'cedula identidad electoral'],
  },
  cn_ric: {
    labels: ['身份证号', '公民身份号码', '身份证号码', '居民身份证号码', '证件号码（身份证）'],
    keys: ['id card no', 'idcard', 'id card number', 'shenfenzheng'],
  },
  tw_nid: {
    labels: ['身分證字號', '國民身分證統一編號', '身分證號碼'],
    keys: ['national id', 'id card no', 'shenfenzheng'],
  },
  hk_hkid: {
    labels: ['HKID No.', '香港身份證號碼', '身份證號碼', 'Hong Kong Identity Card No.'],
    keys: ['hkid', 'hkid no', 'hkid number'],
  },
  sg_nric: {
    labels: ['NRIC/FIN', 'NRIC No.', 'NRIC/FIN No.', 'NRIC of patient'],
    keys: ['nric', 'nric fin', 'patient nric', 'nric no'],
  },
  my_nric: {
    labels: ['No. Kad Pengenalan', 'MyKad', 'No. KP', 'Nombor Kad Pengenalan', 'no. MyKad'],
    keys: ['mykad', 'no kad pengenalan', 'mykad no', 'kad pengenalan'],
  },
  th_pin: {
    labels: ['เลขประจำตัวประชาชน', 'เลขบัตรประชาชน', 'เลขที่บัตรประชาชน', 'Thai national ID'],
    keys: ['citizen id', 'thai id', 'thai national id', 'citizen id number'],
  },
  kr_rrn: {
    labels: ['주민등록번호', '주민번호', '고객 주민등록번호'],
    keys: ['rrn', 'jumin no', 'jumin', 'resident registration number'],
  },
  jp_my_number: {
    labels: ['マイナンバー', '個人番号', 'My Number', 'マイナンバー（個人番号）'],
    keys: ['my number', 'mynumber', 'kojin bango'],
  },
  in_aadhaar: {
    labels: ['Aadhaar No.', 'आधार संख्या', 'आधार नंबर', 'Aadhar number', 'Aadhaar Card No', 'UIDAI number'],
    keys: ['aadhaar no', 'aadhar no', 'uidai number', 'aadhaar number', 'aadhar'],
  },
  in_pan: {
    labels: ['PAN No.', 'Permanent Account Number', 'PAN card', 'PAN of assessee', 'PAN of deductee'],
    keys: ['pan no', 'pan card', 'pan number', 'deductee pan'],
  },
  pk_cnic: {
    labels: ['CNIC', 'CNIC No.', 'شناختی کارڈ نمبر', 'CNIC #'],
    keys: ['cnic no', 'nadra cnic', 'customer cnic'],
  },
  id_nik: {
    labels: ['NIK', 'No. KTP', 'Nomor Induk Kependudukan', 'nomor KTP', 'NIK pasien'],
    keys: ['nik', 'no ktp', 'nik pelanggan', 'nomor ktp', 'nik pasien'],
  },
  vn_cccd: {
    labels: ['Số CCCD', 'căn cước công dân', 'CCCD số', 'Số định danh cá nhân', 'Số căn cước'],
    keys: ['cccd', 'so cccd', 'so dinh danh', 'cccd number'],
  },
  lk_nic: {
    labels: ['NIC No.', 'NIC number', 'National Identity Card No.'],
    keys: ['nic no', 'nic number', 'nic'],
  },
  ir_melli: {
    labels: ['کد ملی', 'کدملی', 'شماره ملی', 'کد ملی بیمار'],
    keys: ['code melli', 'kod melli', 'national code', 'codemelli'],
  },
  il_id: {
    labels: ['תעודת זהות', 'ת.ז.', 'מספר זהות', 'ת"ז', 'מספר תעודת זהות', 'Teudat Zehut'],
    keys: ['teudat zehut', 'mispar zehut', 'israeli id'],
  },
  tr_tckn: {
    labels: ['T.C. Kimlik No', 'TC Kimlik Numarası', 'TCKN', 'T.C. kimlik numaranız', 'T.C. No'],
    keys: ['tckn', 'tc kimlik no', 'tc no', 'kimlik no', 'hasta tckn'],
  },
  kz_iin: {
    labels: ['ИИН', 'ЖСН', 'ИИН клиента', 'ИИН/БИН', 'ИИН заёмщика'],
    keys: ['iin', 'client iin', 'iin number', 'iin bin'],
  },
  ae_eid: {
    labels: ['Emirates ID', 'رقم الهوية', 'EID No.', 'Emirates ID No.', 'رقم الهوية الإماراتية'],
    keys: ['emirates id', 'emirates id number', 'emirates id no'],
  },
  eg_nid: {
    labels: ['الرقم القومي', 'رقم قومي', 'الرقم القومى', 'Egyptian national ID'],
    keys: ['raqam qawmi', 'national id', 'national id number'],
  },
  za_id: {
    labels: ['RSA ID', 'SA ID No.', 'identity number', 'South African ID number', 'ID No.'],
    keys: ['sa id', 'rsa id number', 'identity number', 'sa id number'],
  },
  ng_nin: {
    labels: ['NIN', 'National Identification Number (NIN)', 'NIN No.', 'NIMC NIN'],
    keys: ['nin', 'nin number', 'customer nin'],
  },
  au_tfn: {
    labels: ['TFN', 'Tax File No.', 'tax file number (TFN)', "employee's TFN"],
    keys: ['tfn', 'tax file no', 'employee tfn', 'payee tfn'],
  },
  nz_ird: {
    labels: ['IRD number', 'IRD No.', 'IRD #', "employee's IRD number"],
    keys: ['ird', 'ird no', 'employee ird number'],
  },
  fi_hetu: {
    labels: ['henkilötunnus', 'HETU', 'henkilötunnuksella', 'hetu-tunnus'],
    keys: ['hetu', 'henkilotunnus', 'potilas hetu'],
  },
  se_pnr: {
    labels: ['personnummer', 'Personnr', 'pers.nr', 'personnumret', 'Personnr.'],
    keys: ['personnummer', 'personnr', 'patient personnummer', 'persnr'],
  },
  no_fnr: {
    labels: ['fødselsnummer', 'fødselsnr.', 'fnr', 'fødselsnummeret', 'Fødselsnummer (11 siffer)'],
    keys: ['fnr', 'fodselsnummer', 'foedselsnummer', 'pasient fnr'],
  },
  dk_cpr: {
    labels: ['CPR-nr.', 'CPR-nummer', 'CPR nr', 'cpr-nummeret', 'CPR'],
    keys: ['cpr nr', 'cpr nummer', 'cprnr', 'patient cpr'],
  },
  is_kt: {
    labels: ['kennitala', 'Kt.', 'kennitölu', 'kennitalan', 'kennitala greiðanda'],
    keys: ['kennitala', 'kennitala greidanda', 'kennitala sjuklings'],
  },
  ee_ik: {
    labels: ['isikukood', 'isikukoodiga', 'isikukoodi', 'patsiendi isikukood'],
    keys: ['isikukood', 'patsiendi isikukood', 'isiku kood'],
  },
  lt_ak: {
    labels: ['asmens kodas', 'asmens kodo', 'asmens kodu', 'asm. kodas', 'a. k.'],
    keys: ['asmens kodas', 'asm kodas', 'asmens kodo', 'paciento asmens kodas'],
  },
  lv_pk: {
    labels: ['personas kods', 'personas kodu', 'pers. kods', 'personas koda', 'p. k.'],
    keys: ['personas kods', 'pers kods', 'pacienta personas kods'],
  },
  it_cf: {
    labels: ['C.F.', 'cod. fisc.', 'Cod. Fiscale', 'codice fiscale del contribuente', 'Codice Fiscale assistito'],
    keys: ['cod fiscale', 'codice fiscale assistito', 'cf contribuente', 'cod fisc'],
  },
  es_dni: {
    labels: ['DNI/NIF', 'N.I.F.', 'D.N.I. nº', 'NIF del declarante', 'DNI del trabajador'],
    keys: ['nif declarante', 'dni trabajador', 'dni nif', 'nif titular'],
  },
  es_nie: {
    labels: ['N.I.E.', 'NIE nº', 'NIE del trabajador', 'DNI/NIE'],
    keys: ['nie trabajador', 'dni nie', 'nie titular'],
  },
  pt_nif: {
    labels: ['contribuinte n.º', 'N.º de contribuinte', 'N.I.F.', 'NIF do utente', 'número de contribuinte'],
    keys: ['num contribuinte', 'nif cliente', 'contribuinte', 'nif utente'],
  },
  pt_cc: {
    labels: ['Cartão de Cidadão n.º', 'n.º do Cartão de Cidadão', 'Cartão do Cidadão', 'CC n.º'],
    keys: ['cartao cidadao', 'numero cartao cidadao', 'cartao de cidadao'],
  },
  gr_amka: {
    labels: ['ΑΜΚΑ', 'Α.Μ.Κ.Α.', 'ΑΜΚΑ ασθενούς', 'Αριθμός Μητρώου Κοινωνικής Ασφάλισης'],
    keys: ['amka', 'amka asfalismenou', 'arithmos amka'],
  },
  pl_pesel: {
    labels: ['numerem PESEL', 'numeru PESEL', 'PESEL pacjenta', 'nr ewidencyjny PESEL', 'PESEL-u'],
    keys: ['pesel pacjenta', 'pesel ubezpieczonego', 'numer pesel', 'pesel osoby'],
  },
  cz_rc: {
    labels: ['rodného čísla', 'r.č.', 'RČ', 'rodným číslem', 'rod. č.', 'RČ pojištěnce'],
    keys: ['rodne cislo', 'rodne cislo pacienta', 'rodnecislo', 'rc pacienta'],
  },
  sk_rc: {
    labels: ['rodného čísla', 'r. č.', 'rod. číslo', 'rodným číslom', 'rodné číslo poistenca'],
    keys: ['rodne cislo', 'rodne cislo poistenca', 'rod cislo'],
  },
  ro_cnp: {
    labels: ['CNP-ul', 'codul numeric personal', 'C.N.P.', 'CNP asigurat', 'având CNP'],
    keys: ['cnp asigurat', 'cod numeric personal', 'cnp pacient', 'cnp titular'],
  },
  bg_egn: {
    labels: ['ЕГН', 'Е.Г.Н.', 'единен граждански номер', 'ЕГН на лицето', 'с ЕГН'],
    keys: ['egn', 'egn klient', 'egn pacient'],
  },
  hr_oib: {
    labels: ['OIB osobe', 'O.I.B.', 'OIB-a', 'osobnog identifikacijskog broja', 'OIB osiguranika'],
    keys: ['oib osobe', 'oib stranke', 'oib osiguranika'],
  },
  hu_tax_id: {
    labels: ['adóazonosító jele', 'adóazonosító jelű', 'adóazonosító', 'adóazonosító jelét'],
    keys: ['adoazonosito', 'adoazonosito jel', 'dolgozo adoazonosito'],
  },
  hu_taj: {
    labels: ['TAJ száma', 'TAJ-számát', 'TAJ-számú', 'társadalombiztosítási azonosító jel', 'TAJ'],
    keys: ['taj szam', 'taj', 'beteg taj szam'],
  },
  si_emso: {
    labels: ['EMŠO', 'enotna matična številka občana', 'EMŠO zavarovanca', 'E.M.Š.O.'],
    keys: ['emso', 'emso osebe', 'emso zavarovanca'],
  },
  rs_jmbg: {
    labels: ['JMBG', 'ЈМБГ', 'јединствени матични број грађана', 'JMBG osiguranika', 'ЈМБГ осигураника'],
    keys: ['jmbg', 'jmbg osiguranika', 'jmbg klijenta'],
  },
  ua_rnokpp: {
    labels: ['РНОКПП', 'ІПН', 'РНОКПП платника', 'індивідуальний податковий номер', 'ідентифікаційний номер'],
    keys: ['rnokpp', 'ipn', 'ipn platnyka', 'rnokpp clienta'],
  },
  ru_snils: {
    labels: ['СНИЛС', 'номер СНИЛС', 'СНИЛС пациента', 'страховой номер (СНИЛС)'],
    keys: ['snils', 'snils number', 'nomer snils', 'snils pacienta'],
  },
  ru_inn: {
    labels: ['ИНН', 'ИНН физлица', 'ИНН физического лица', 'ИНН плательщика'],
    keys: ['inn', 'inn fl', 'payer inn', 'nomer inn'],
  },
  gb_nino: {
    labels: ['N.I. number', 'National Insurance No', 'employee NINO', 'NI Number'],
    keys: ['ni no', 'employee nino', 'nat ins no'],
  },
  gb_nhs: {
    labels: ['NHS Number', 'NHS num', 'patient NHS number', 'NHS Number (verified)'],
    keys: ['nhs num', 'patient nhs no', 'verified nhs number'],
  },
  gb_utr: {
    labels: ['UTR No.', 'Unique Taxpayer Reference (UTR)', 'SA UTR', 'taxpayer UTR'],
    keys: ['utr no', 'sa utr', 'taxpayer utr'],
  },
  ie_pps: {
    labels: ['PPS Number', 'PPSN', 'P.P.S. Number', 'PPS No', 'employee PPSN'],
    keys: ['pps', 'employee ppsn', 'ppsn number'],
  },
  fr_nir: {
    labels: [
      'N° Sécu',
      'numéro de sécu',
      'N° de sécurité sociale de l’assuré',
      'NIR de l’assuré',
      'n° de Sécurité Sociale',
    ],
    keys: ['numero secu', 'nir assure', 'nir patient', 'num securite sociale', 'no secu'],
  },
  fr_nif: {
    labels: ['Numéro fiscal du déclarant', 'n° fiscal', 'N° fiscal déclarant 1', 'numéro fiscal (SPI)'],
    keys: ['numero fiscal declarant', 'numero fiscal', 'no fiscal', 'spi declarant'],
  },
  de_tax_id: {
    labels: [
      'Steuer-ID',
      'Steuer-Identnummer',
      'steuerlichen Identifikationsnummer',
      'IdNr',
      'Steuer-ID des Mitarbeiters',
    ],
    keys: ['steuer id', 'steuerid', 'steuer ident nr', 'mitarbeiter steuer id', 'steueridnr'],
  },
  de_pension: {
    labels: ['RV-Nummer', 'Sozialversicherungsnummer', 'SV-Nummer', 'SV-Nr.', 'Rentenversicherungsnr.'],
    keys: ['sv nummer', 'rv nummer', 'sozialversicherungsnummer', 'sv nr'],
  },
  at_svnr: {
    labels: ['SV-Nummer', 'SVNr.', 'Sozialversicherungsnr.', 'SV-Nr. des Patienten'],
    keys: ['svnr', 'sv nummer', 'patient svnr', 'sv nr'],
  },
  ch_ahv: {
    labels: ['AHV-Nr.', 'N° AVS', 'AHVN13', 'AHV-Nummer der versicherten Person', 'numero AVS', 'Nr. AVS'],
    keys: ['ahvn13', 'ahv nr', 'numero avs', 'ahv nummer', 'no avs'],
  },
  be_nrn: {
    labels: [
      'N° de registre national',
      'INSZ',
      'NISS',
      'Rijksregisternr.',
      'INSZ-nummer',
      'numéro de registre national',
    ],
    keys: ['insz', 'niss', 'registre national', 'rijksregisternr', 'patient insz'],
  },
  nl_bsn: {
    labels: ['BSN-nummer', 'Burgerservicenr.', 'BSN van patiënt', 'burgerservicenummer (BSN)', 'BSN cliënt'],
    keys: ['bsn patient', 'bsn nummer', 'client bsn', 'burgerservicenr'],
  },
  lu_nin: {
    labels: ['matricule nationale', 'numéro matricule', 'No matricule', "numéro d'identification national"],
    keys: ['matricule', 'numero matricule', 'matricule nationale'],
  },
};

/** Schemes whose labels no scheme without a check digit shares. */
export const CHECKED_SCHEMES: ReadonlySet<string> = new Set([
  'ca_sin',
  'mx_curp',
  'br_cpf',
  'tr_tckn',
  'gb_nhs',
  'ro_cnp',
  'hr_oib',
  'bg_egn',
  'ee_ik',
  'lt_ak',
  'de_tax_id',
  'pl_pesel',
  'si_emso',
  'rs_jmbg',
  'gr_amka',
  'au_tfn',
  'nl_bsn',
  'be_nrn',
  'ch_ahv',
  'kz_iin',
]);

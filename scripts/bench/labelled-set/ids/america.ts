import { digits } from '../../generated-numbers.ts';
import { countdown, curpDigit, luhnDigit, rfcCheck, weightedSum } from '../check-digits.ts';
import { between, birth, consonants, type IdScheme, letter, retry } from './id-scheme.ts';

/** North, Central and South America. */
export const AMERICAN_IDS: readonly IdScheme[] = [
  {
    scheme: 'us_ssn',
    country: 'US',
    make: (random) => `${between(random, 100, 665)}${between(random, 11, 99)}${between(random, 1001, 9999)}`,
    alone: ['###-##-####'],
    labelled: ['#########', '### ## ####', '###.##.####'],
    labels: [
      'SSN',
      'social security number',
      'Social Security No.',
      'SS#',
      'Soc. Sec. No.',
      'S.S.N.',
      'social security #',
    ],
    keys: ['ssn', 'social security number', 'ssn number'],
  },
  {
    scheme: 'us_itin',
    country: 'US',
    make: (random) => `9${digits(random, 2)}${between(random, 70, 88)}${between(random, 1001, 9999)}`,
    alone: ['###-##-####'],
    labelled: ['#########', '### ## ####'],
    labels: ['ITIN', 'Individual Taxpayer Identification Number', 'ITIN no.', 'I.T.I.N.'],
    keys: ['itin', 'itin number'],
  },
  {
    scheme: 'ca_sin',
    country: 'CA',
    make: (random) => {
      const body = `${between(random, 1, 7)}${digits(random, 7)}`;
      return `${body}${luhnDigit(body)}`;
    },
    labelled: ['###-###-###', '### ### ###', '#########'],
    labels: ['SIN', 'social insurance number', 'S.I.N.', "numéro d'assurance sociale", 'NAS', 'Social Insurance No.'],
    keys: ['sin', 'social insurance number', 'sin number'],
    isCheckable: true,
  },
  {
    scheme: 'mx_curp',
    country: 'MX',
    make: (random) => {
      const { yy, mm, dd } = birth(random);
      const initials = `${consonants(random, 1)}${letter(random, 'AEIOU')}${consonants(random, 2)}`;
      const state = random.pick(['DF', 'JC', 'MC', 'NL', 'VZ', 'PL', 'GT', 'OC']);
      const body = `${initials}${yy}${mm}${dd}${random.pick(['H', 'M'])}${state}${consonants(random, 3)}0`;
      return `${body}${curpDigit(body)}`;
    },
    alone: ['*'],
    labels: ['CURP', 'C.U.R.P.', 'Clave Única de Registro de Población', 'clave CURP'],
    keys: ['curp', 'curp solicitante'],
    isCheckable: true,
  },
  {
    scheme: 'mx_rfc',
    country: 'MX',
    make: (random) => {
      const { yy, mm, dd } = birth(random);
      const initials = `${consonants(random, 1)}${letter(random, 'AEIOU')}${consonants(random, 2)}`;
      const body = `${initials}${yy}${mm}${dd}${consonants(random, 2)}`;
      return `${body}${rfcCheck(body)}`;
    },
    labelled: ['*'],
    labels: ['RFC', 'R.F.C.', 'RFC del receptor', 'Registro Federal de Contribuyentes'],
    keys: ['rfc', 'rfc receptor'],
  },
  {
    scheme: 'br_cpf',
    country: 'BR',
    make: (random) => {
      const body = digits(random, 9);
      const first = ((weightedSum(body, countdown(10, 2)) * 10) % 11) % 10;
      return `${body}${first}${((weightedSum(`${body}${first}`, countdown(11, 2)) * 10) % 11) % 10}`;
    },
    alone: ['###.###.###-##'],
    labelled: ['###########', '#########-##'],
    labels: ['CPF', 'C.P.F.', 'CPF nº', 'CPF do titular', 'CPF/MF', 'Cadastro de Pessoas Físicas', 'CPF n.'],
    keys: ['cpf', 'cpf titular', 'nr cpf', 'cpf cliente'],
    isCheckable: true,
  },
  {
    scheme: 'ar_dni',
    country: 'AR',
    make: (random) => `${between(random, 11, 45)}${digits(random, 6)}`,
    labelled: ['########', '##.###.###'],
    labels: ['DNI', 'D.N.I.', 'DNI Nº', 'documento nacional de identidad', 'DNI N°'],
    keys: ['dni', 'numero dni', 'nro dni'],
  },
  {
    scheme: 'ar_cuil',
    country: 'AR',
    make: (random) =>
      retry(random, () => {
        const body = `${random.pick([20, 27])}${between(random, 11, 45)}${digits(random, 6)}`;
        const check = (11 - (weightedSum(body, [5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11)) % 11;
        return check === 10 ? undefined : `${body}${check}`;
      }),
    labelled: ['##-########-#', '###########'],
    labels: ['CUIL', 'CUIT', 'C.U.I.L.', 'CUIL/CUIT', 'C.U.I.T.', 'CUIL Nº'],
    keys: ['cuil', 'cuit', 'nro cuil'],
    isCheckable: true,
  },
  {
    scheme: 'cl_rut',
    country: 'CL',
    make: (random) => {
      const body = `${between(random, 10, 25)}${digits(random, 6)}`;
      const check = 11 - (weightedSum(body, [3, 2, 7, 6, 5, 4, 3, 2]) % 11);
      return `${body}${check === 11 ? '0' : check === 10 ? 'K' : check}`;
    },
    alone: ['##.###.###-#'],
    labelled: ['########-#'],
    labels: ['RUT', 'R.U.T.', 'RUN', 'Rol Único Tributario', 'RUT Nº', 'R.U.N.', 'RUT cliente'],
    keys: ['rut', 'rut cliente'],
  },
  {
    scheme: 'pe_dni',
    country: 'PE',
    make: (random) => `${between(random, 1, 7)}${digits(random, 7)}`,
    labelled: ['########'],
    labels: ['DNI', 'D.N.I.', 'Nro. DNI', 'número de DNI'],
    keys: ['dni', 'nro dni', 'numero dni'],
  },
  {
    scheme: 'pe_ruc',
    country: 'PE',
    make: (random) => {
      const body = `10${between(random, 1, 7)}${digits(random, 7)}`;
      return `${body}${(11 - (weightedSum(body, [5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11)) % 10}`;
    },
    labelled: ['###########'],
    labels: ['RUC', 'R.U.C.', 'Nro. RUC', 'RUC N°'],
    keys: ['ruc', 'nro ruc', 'numero ruc'],
    isCheckable: true,
  },
  {
    scheme: 'co_cc',
    country: 'CO',
    make: (random) => `1${digits(random, 9)}`,
    labelled: ['##########', '#.###.###.###'],
    labels: ['cédula de ciudadanía', 'C.C.', 'cédula', 'Cédula No.', 'cédula de ciudadanía No.', 'C.C. No.'],
    keys: ['cedula', 'cedula ciudadania', 'numero cedula'],
  },
  {
    scheme: 'ec_ci',
    country: 'EC',
    make: (random) => {
      const body = `${between(random, 1, 24, 2)}${random.below(6)}${digits(random, 6)}`;
      return `${body}${luhnDigit(body)}`;
    },
    labelled: ['##########', '#########-#'],
    labels: ['cédula de identidad', 'C.I.', 'cédula', 'Cédula de Identidad Nº'],
    keys: ['cedula', 'cedula identidad'],
  },
  {
    scheme: 'uy_ci',
    country: 'UY',
    make: (random) => {
      const body = `${between(random, 1, 5)}${digits(random, 6)}`;
      return `${body}${(10 - (weightedSum(body, [2, 9, 8, 7, 6, 3, 4]) % 10)) % 10}`;
    },
    labelled: ['#.###.###-#', '#######-#'],
    labels: ['cédula de identidad', 'C.I.', 'cédula de identidad N°'],
    keys: ['cedula', 'cedula identidad'],
  },
  {
    scheme: 'do_cedula',
    country: 'DO',
    make: (random) => {
      const body = `${between(random, 1, 402, 3)}${digits(random, 7)}`;
      return `${body}${luhnDigit(body)}`;
    },
    labelled: ['###-#######-#', '###########'],
    labels: ['cédula', 'cédula de identidad y electoral', 'Cédula No.', 'no. de cédula'],
    keys: ['cedula', 'numero cedula'],
    isCheckable: true,
  },
];

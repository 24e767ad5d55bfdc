import { digits, type Random } from '../../generated-numbers.ts';
import {
  countdown,
  digitsOf,
  eanDigit,
  hybridDigit,
  luhnDigit,
  pensionDigit,
  verhoeffDigit,
  weightedSum,
} from '../check-digits.ts';
import { between, birth, type IdScheme, letter, retry } from './id-scheme.ts';

/** The United Kingdom, Ireland, France, Germany, Austria, Switzerland, the Benelux. */
export const WESTERN_IDS: readonly IdScheme[] = [
  {
    scheme: 'gb_nino',
    country: 'GB',
    make: (random) =>
      `${random.pick(['AB', 'CE', 'JK', 'JY', 'NR', 'PW', 'SH', 'WM', 'YZ'])}${digits(random, 6)}${letter(random, 'ABCD')}`,
    alone: ['*', '## ## ## ## #', '##-##-##-##-#'],
    labels: ['National Insurance number', 'NI number', 'NINO', 'NI No.', 'Nat. Ins. No.', 'national insurance no'],
    keys: ['nino', 'national insurance number', 'ni number'],
  },
  {
    scheme: 'gb_nhs',
    country: 'GB',
    make: (random) =>
      retry(random, () => {
        const body = `${between(random, 4, 7)}${digits(random, 8)}`;
        const check = (11 - (weightedSum(body, countdown(10, 2)) % 11)) % 11;
        return check === 10 ? undefined : `${body}${check}`;
      }),
    labelled: ['### ### ####', '###-###-####', '##########'],
    labels: ['NHS number', 'NHS no.', 'NHS No', 'nhs number', 'NHS #', 'Nhs Number'],
    keys: ['nhs number', 'nhs no', 'patient nhs number'],
    isCheckable: true,
  },
  {
    scheme: 'gb_utr',
    country: 'GB',
    make: (random) => {
      const body = digits(random, 9);
      return `${'21987654321'.charAt(weightedSum(body, [6, 7, 8, 9, 10, 5, 4, 3, 2]) % 11)}${body}`;
    },
    labelled: ['##########', '##### #####'],
    labels: ['UTR', 'Unique Taxpayer Reference', 'UTR number', 'self assessment UTR'],
    keys: ['utr', 'unique taxpayer reference', 'utr number'],
  },
  {
    scheme: 'ie_pps',
    country: 'IE',
    make: (random) => {
      const body = digits(random, 7);
      const second = random.pick(['', '', 'A', 'B', 'H']);
      const sum = weightedSum(body, countdown(8, 2)) + (second ? (second.charCodeAt(0) - 64) * 9 : 0);
      return `${body}${'WABCDEFGHIJKLMNOPQRSTUV'.charAt(sum % 23)}${second}`;
    },
    labelled: ['*'],
    labels: ['PPS number', 'PPSN', 'PPS No.', 'Personal Public Service number', 'PPS no', 'PPS Number'],
    keys: ['ppsn', 'pps number', 'pps no'],
  },
  {
    scheme: 'fr_nir',
    country: 'FR',
    make: (random) => {
      const { yy, mm } = birth(random);
      const department = random.pick(['13', '31', '33', '59', '67', '69', '75', '92']);
      const body = `${between(random, 1, 2)}${yy}${mm}${department}${between(random, 1, 450, 3)}${between(random, 1, 900, 3)}`;
      return `${body}${String(97 - (Number(body) % 97)).padStart(2, '0')}`;
    },
    alone: ['###############', '# ## ## ## ### ### ##'],
    labelled: ['#############'],
    labels: [
      'numéro de sécurité sociale',
      'N° de sécurité sociale',
      'n° sécu',
      'NIR',
      'N° SS',
      'Numéro de Sécurité sociale',
      'no de sécurité sociale',
    ],
    keys: ['nir', 'numero securite sociale', 'num secu', 'numero de securite sociale'],
  },
  {
    scheme: 'fr_nif',
    country: 'FR',
    make: (random) => {
      const body = `${between(random, 0, 3)}${digits(random, 9)}`;
      return `${body}${String(Number(body) % 511).padStart(3, '0')}`;
    },
    labelled: ['#############', '## ## ### ### ###'],
    labels: ['numéro fiscal', 'N° fiscal', 'Numéro fiscal de référence', 'numéro SPI', 'n° fiscal'],
    keys: ['numero fiscal', 'spi', 'num fiscal'],
  },
  {
    scheme: 'de_tax_id',
    country: 'DE',
    make: (random) => {
      const body = retry(random, germanTaxBody);
      return `${body}${hybridDigit(body)}`;
    },
    labelled: ['###########', '## ### ### ###'],
    labels: [
      'Steuer-ID',
      'Steueridentifikationsnummer',
      'Steuer-IdNr.',
      'IdNr.',
      'steuerliche Identifikationsnummer',
      'Steuer-Identifikationsnummer',
      'Steuer-ID-Nr.',
      'Steuer-IdNr',
    ],
    keys: ['steuer id', 'steueridentifikationsnummer', 'steuer identifikationsnummer', 'steuer id nr'],
    isCheckable: true,
  },
  {
    scheme: 'de_pension',
    country: 'DE',
    make: (random) => {
      const { dd, mm, yy } = birth(random);
      const area = random.pick(['02', '12', '13', '15', '24', '50', '65']);
      const body = `${area}${dd}${mm}${yy}${letter(random, 'BCFGHJKLMRSW')}${between(random, 0, 49, 2)}`;
      return `${body}${pensionDigit(body)}`;
    },
    alone: ['*', '## ###### # ###'],
    labels: [
      'Rentenversicherungsnummer',
      'RV-Nummer',
      'Sozialversicherungsnummer',
      'SV-Nummer',
      'RVNR',
      'Versicherungsnummer',
    ],
    keys: ['rentenversicherungsnummer', 'rv nummer', 'sozialversicherungsnummer'],
    isCheckable: true,
  },
  {
    scheme: 'at_svnr',
    country: 'AT',
    make: (random) =>
      retry(random, () => {
        const { dd, mm, yy } = birth(random);
        const serial = between(random, 100, 999);
        const check = weightedSum(`${serial}${dd}${mm}${yy}`, [3, 7, 9, 5, 8, 4, 2, 1, 6]) % 11;
        return check === 10 ? undefined : `${serial}${check}${dd}${mm}${yy}`;
      }),
    labelled: ['##########', '#### ######'],
    labels: ['Sozialversicherungsnummer', 'SVNR', 'SV-Nr.', 'SVNr', 'Sozialvers.-Nr.', 'SV-Nummer', 'SVNR.'],
    keys: ['svnr', 'sozialversicherungsnummer', 'sv nummer', 'sv nr'],
  },
  {
    scheme: 'ch_ahv',
    country: 'CH',
    make: (random) => {
      const body = `756${digits(random, 9)}`;
      return `${body}${eanDigit(body)}`;
    },
    alone: ['###.####.####.##'],
    labelled: ['#############'],
    labels: [
      'AHV-Nummer',
      'AHV-Nr.',
      'AHVN13',
      'numéro AVS',
      'N° AVS',
      'numero AVS',
      'AHV Nr',
      'Sozialversicherungsnummer',
    ],
    keys: ['ahv nummer', 'ahv nr', 'numero avs', 'ahvn13'],
    isCheckable: true,
  },
  {
    scheme: 'be_nrn',
    country: 'BE',
    make: (random) => {
      const { yy, mm, dd } = birth(random);
      const body = `${yy}${mm}${dd}${between(random, 1, 997, 3)}`;
      return `${body}${String(97 - (Number(body) % 97)).padStart(2, '0')}`;
    },
    alone: ['##.##.##-###.##'],
    labelled: ['###########', '###### ### ##'],
    labels: [
      'rijksregisternummer',
      'Rijksregisternr.',
      'numéro de registre national',
      'numéro national',
      'N° national',
      'INSZ',
      'NISS',
      'INSZ-nummer',
    ],
    keys: ['rijksregisternummer', 'numero national', 'niss', 'insz', 'rrn'],
    isCheckable: true,
  },
  {
    scheme: 'nl_bsn',
    country: 'NL',
    make: (random) =>
      retry(random, () => {
        const body = `${between(random, 1, 9)}${digits(random, 7)}`;
        const check = weightedSum(body, countdown(9, 2)) % 11;
        return check === 10 ? undefined : `${body}${check}`;
      }),
    labelled: ['#########', '####.##.###', '### ### ###'],
    labels: [
      'BSN',
      'burgerservicenummer',
      'Burgerservicenr.',
      'BSN-nummer',
      'bsn nr.',
      'sofinummer',
      'burgerservicenummers',
    ],
    keys: ['bsn', 'burgerservicenummer', 'bsn nummer'],
    isCheckable: true,
  },
  {
    scheme: 'lu_nin',
    country: 'LU',
    make: (random) => {
      const { year, mm, dd } = birth(random);
      const body = `${year}${mm}${dd}${digits(random, 3)}`;
      return `${body}${luhnDigit(body)}${verhoeffDigit(body)}`;
    },
    labelled: ['#############'],
    labels: [
      'matricule',
      'Matricule nationale',
      'numéro de matricule',
      "numéro d'identification national",
      'N° matricule',
    ],
    keys: ['matricule', 'matricule nationale', 'numero matricule'],
  },
];

/** Ten digits of which exactly one occurs twice, and not three in a row. */
function germanTaxBody(random: Random): string | undefined {
  const body = `${between(random, 1, 9)}${digits(random, 9)}`;
  return new Set(digitsOf(body)).size === 9 ? body : undefined;
}

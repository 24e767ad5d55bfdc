import { digits, type Random } from '../../generated-numbers.ts';
import { balticDigit, countdown, luhnDigit, weightedSum } from '../check-digits.ts';
import { between, birth, type IdScheme, retry } from './id-scheme.ts';

/** Finland, Sweden, Norway, Denmark, Iceland, Estonia, Lithuania, Latvia. */
export const NORTHERN_IDS: readonly IdScheme[] = [
  {
    scheme: 'fi_hetu',
    country: 'FI',
    make: (random) => {
      const { dd, mm, yy } = birth(random);
      const serial = between(random, 2, 899, 3);
      return `${dd}${mm}${yy}-${serial}${'0123456789ABCDEFHJKLMNPRSTUVWXY'.charAt(Number(dd + mm + yy + serial) % 31)}`;
    },
    alone: ['*'],
    labels: ['henkilötunnus', 'HETU', 'Henkilötunnuksen', 'henkilötunnuksella', 'hetu-tunnus', 'hetun'],
    keys: ['hetu', 'henkilotunnus'],
    isCheckable: true,
  },
  {
    scheme: 'se_pnr',
    country: 'SE',
    make: (random) => {
      const { year, mm, dd } = birth(random);
      const body = `${year}${mm}${dd}${digits(random, 3)}`;
      return `${body}${luhnDigit(body.slice(2))}`;
    },
    alone: ['__######-####', '########-####'],
    labelled: ['__##########', '############'],
    labels: ['personnummer', 'Personnr', 'personnumret', 'pers.nr', 'Personnummer'],
    keys: ['personnummer', 'person nr', 'pnr'],
  },
  {
    scheme: 'no_fnr',
    country: 'NO',
    make: (random) => retry(random, norwegianNumber),
    labelled: ['###########', '###### #####'],
    labels: ['fødselsnummer', 'Fødselsnr.', 'fødselsnummeret', 'fnr', 'personnummer', 'fødselsnr'],
    keys: ['fodselsnummer', 'fnr', 'fødselsnummer'],
    isCheckable: true,
  },
  {
    scheme: 'dk_cpr',
    country: 'DK',
    make: (random) =>
      retry(random, () => {
        const { dd, mm, yy } = birth(random);
        const body = `${dd}${mm}${yy}${between(random, 1, 399, 3)}`;
        const check = (11 - (weightedSum(body, [4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11)) % 11;
        return check === 10 ? undefined : `${body}${check}`;
      }),
    labelled: ['######-####', '##########', '###### ####'],
    labels: ['CPR-nummer', 'CPR', 'cpr-nr.', 'CPR-nr', 'personnummer', 'CPR-nummeret', 'cprnr'],
    keys: ['cpr', 'cpr nummer', 'cpr nr', 'cprnr'],
  },
  {
    scheme: 'is_kt',
    country: 'IS',
    make: (random) =>
      retry(random, () => {
        const { dd, mm, yy } = birth(random);
        const body = `${dd}${mm}${yy}${between(random, 20, 99)}`;
        const check = (11 - (weightedSum(body, [3, 2, 7, 6, 5, 4, 3, 2]) % 11)) % 11;
        return check === 10 ? undefined : `${body}${check}9`;
      }),
    labelled: ['######-####', '##########'],
    labels: ['kennitala', 'Kennitala', 'kennitölu', 'kt.', 'kennitalan'],
    keys: ['kennitala', 'kt'],
  },
  {
    scheme: 'ee_ik',
    country: 'EE',
    make: balticNumber,
    labelled: ['###########'],
    labels: ['isikukood', 'Isikukood', 'isikukoodi', 'isikukoodiga', 'isikukoodile', 'IK'],
    keys: ['isikukood', 'kliendi isikukood'],
    isCheckable: true,
  },
  {
    scheme: 'lt_ak',
    country: 'LT',
    make: balticNumber,
    labelled: ['###########'],
    labels: ['asmens kodas', 'Asmens kodas', 'asmens kodo', 'asmens kodą', 'asmens kodu', 'a.k.', 'a. k.'],
    keys: ['asmens kodas', 'asmenskodas'],
    isCheckable: true,
  },
  {
    scheme: 'lv_pk',
    country: 'LV',
    make: (random) => {
      const { dd, mm, yy } = birth(random);
      const body = `${dd}${mm}${yy}1${digits(random, 3)}`;
      const check = ((1 + weightedSum(body, [10, 5, 8, 4, 2, 1, 6, 3, 7, 9])) % 11) % 10;
      return `${body}${check}`;
    },
    labelled: ['######-#####', '###########'],
    labels: [
      'personas kods',
      'Personas kods',
      'personas koda',
      'personas kodu',
      'personas kodam',
      'p.k.',
      'pers. kods',
    ],
    keys: ['personas kods', 'personaskods'],
    isCheckable: true,
  },
];

function norwegianNumber(random: Random): string | undefined {
  const { dd, mm, yy } = birth(random);
  const body = `${dd}${mm}${yy}${between(random, 0, 499, 3)}`;
  const first = (11 - (weightedSum(body, [3, 7, 6, 1, 8, 9, 4, 5, 2]) % 11)) % 11;
  const second = (11 - (weightedSum(`${body}${first}`, [...countdown(5, 2), ...countdown(7, 2)]) % 11)) % 11;
  return first === 10 || second === 10 ? undefined : `${body}${first}${second}`;
}

function balticNumber(random: Random): string {
  const { yy, mm, dd } = birth(random);
  const body = `${random.pick([3, 4])}${yy}${mm}${dd}${digits(random, 3)}`;
  return `${body}${balticDigit(body)}`;
}

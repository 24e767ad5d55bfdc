import { digits, type Random } from '../../generated-numbers.ts';
import {
  citizenCardDigit,
  codiceFiscaleLetter,
  countdown,
  hybridDigit,
  luhnDigit,
  weightedSum,
} from '../check-digits.ts';
import { between, birth, consonants, type IdScheme, letter, retry } from './id-scheme.ts';

/** The south and the east of Europe. */
export const SOUTHERN_AND_EASTERN_IDS: readonly IdScheme[] = [
  {
    scheme: 'it_cf',
    country: 'IT',
    make: (random) => {
      const { yy, dd } = birth(random);
      const day = random.pick([Number(dd), Number(dd) + 40]);
      const month = letter(random, 'ABCDEHLMPRST');
      const place = `${letter(random, 'ABCDEFGHL')}${between(random, 100, 899)}`;
      const body = `${consonants(random, 6)}${yy}${month}${String(day).padStart(2, '0')}${place}`;
      return `${body}${codiceFiscaleLetter(body)}`;
    },
    alone: ['*'],
    labels: ['codice fiscale', 'Cod. Fisc.', 'C.F.', 'CF', 'cod.fiscale', 'Codice Fiscale'],
    keys: ['codice fiscale', 'cod fiscale', 'cf'],
    isCheckable: true,
  },
  {
    scheme: 'es_dni',
    country: 'ES',
    make: (random) => {
      const body = digits(random, 8);
      return `${body}${'TRWAGMYFPDXBNJZSQVHLCKE'.charAt(Number(body) % 23)}`;
    },
    alone: ['*', '########-#', '##.###.###-#'],
    labelled: ['######## #'],
    labels: ['DNI', 'D.N.I.', 'NIF', 'N.I.F.', 'DNI nº', 'número de DNI', 'documento nacional de identidad', 'DNI/NIF'],
    keys: ['dni', 'nif', 'num dni', 'dni titular'],
  },
  {
    scheme: 'es_nie',
    country: 'ES',
    make: (random) => {
      const head = random.below(3);
      const body = digits(random, 7);
      return `${'XYZ'.charAt(head)}${body}${'TRWAGMYFPDXBNJZSQVHLCKE'.charAt(Number(`${head}${body}`) % 23)}`;
    },
    alone: ['*', '#-#######-#'],
    labelled: ['# ####### #'],
    labels: ['NIE', 'N.I.E.', 'número de identidad de extranjero', 'NIE nº'],
    keys: ['nie', 'num nie'],
    isCheckable: true,
  },
  {
    scheme: 'pt_nif',
    country: 'PT',
    make: (random) => {
      const body = `${between(random, 1, 2)}${digits(random, 7)}`;
      const check = 11 - (weightedSum(body, countdown(9, 2)) % 11);
      return `${body}${check > 9 ? 0 : check}`;
    },
    labelled: ['#########', '### ### ###'],
    labels: [
      'NIF',
      'N.I.F.',
      'número de contribuinte',
      'contribuinte n.º',
      'Nº Contribuinte',
      'número de identificação fiscal',
    ],
    keys: ['nif', 'numero contribuinte', 'contribuinte'],
  },
  {
    scheme: 'pt_cc',
    country: 'PT',
    make: (random) => {
      const number = digits(random, 8);
      const check = 11 - (weightedSum(number, countdown(9, 2)) % 11);
      const body = `${number}${check > 9 ? 0 : check}Z${letter(random, 'XYZ')}`;
      return `${body}${citizenCardDigit(body)}`;
    },
    labelled: ['######## # ###', '*'],
    labels: ['Cartão de Cidadão', 'cartão de cidadão n.º', 'nº do cartão de cidadão', 'Cartão do Cidadão'],
    keys: ['cartao cidadao', 'cartao de cidadao'],
    isCheckable: true,
  },
  {
    scheme: 'gr_amka',
    country: 'GR',
    make: (random) => {
      const { dd, mm, yy } = birth(random);
      const body = `${dd}${mm}${yy}${digits(random, 4)}`;
      return `${body}${luhnDigit(body)}`;
    },
    labelled: ['###########'],
    labels: ['ΑΜΚΑ', 'Α.Μ.Κ.Α.', 'AMKA', 'αριθμός ΑΜΚΑ', 'ΑΜΚΑ ασφαλισμένου', 'Αριθμός Μητρώου Κοινωνικής Ασφάλισης'],
    keys: ['amka', 'patient amka'],
    isCheckable: true,
  },
  {
    scheme: 'pl_pesel',
    country: 'PL',
    make: (random) => {
      const { yy, mm, dd } = birth(random);
      const body = `${yy}${mm}${dd}${digits(random, 4)}`;
      return `${body}${(10 - (weightedSum(body, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3]) % 10)) % 10}`;
    },
    labelled: ['###########'],
    labels: [
      'PESEL',
      'nr PESEL',
      'numer PESEL',
      'numeru PESEL',
      'numerem PESEL',
      'PESEL-u',
      'Nr. PESEL',
      'PESEL klienta',
    ],
    keys: ['pesel', 'nr pesel', 'numer pesel', 'pesel klienta'],
    isCheckable: true,
  },
  {
    scheme: 'cz_rc',
    country: 'CZ',
    make: birthNumber,
    alone: ['######/####'],
    labelled: ['##########'],
    labels: ['rodné číslo', 'Rodné číslo', 'rodného čísla', 'rodným číslem', 'r.č.', 'r. č.', 'RČ', 'rod. číslo'],
    keys: ['rodne cislo', 'rodnecislo', 'rc'],
    isCheckable: true,
  },
  {
    scheme: 'sk_rc',
    country: 'SK',
    make: birthNumber,
    alone: ['######/####'],
    labelled: ['##########'],
    labels: ['rodné číslo', 'rodného čísla', 'rodným číslom', 'rodnom čísle', 'rod. č.', 'r. č.'],
    keys: ['rodne cislo', 'rodne cislo klienta'],
    isCheckable: true,
  },
  {
    scheme: 'ro_cnp',
    country: 'RO',
    make: (random) => {
      const { yy, mm, dd } = birth(random);
      const body = `${between(random, 1, 2)}${yy}${mm}${dd}${between(random, 1, 46, 2)}${between(random, 1, 999, 3)}`;
      const check = weightedSum(body, [2, 7, 9, 1, 4, 6, 3, 5, 8, 2, 7, 9]) % 11;
      return `${body}${check === 10 ? 1 : check}`;
    },
    labelled: ['#############'],
    labels: [
      'CNP',
      'C.N.P.',
      'cod numeric personal',
      'codul numeric personal',
      'CNP-ul',
      'Cod Numeric Personal',
      'CNP titular',
    ],
    keys: ['cnp', 'cod numeric personal'],
    isCheckable: true,
  },
  {
    scheme: 'bg_egn',
    country: 'BG',
    make: (random) => {
      const { yy, mm, dd } = birth(random);
      const body = `${yy}${mm}${dd}${digits(random, 3)}`;
      return `${body}${(weightedSum(body, [2, 4, 8, 5, 10, 9, 7, 3, 6]) % 11) % 10}`;
    },
    labelled: ['##########'],
    labels: ['ЕГН', 'единен граждански номер', 'ЕГН №', 'ЕГН на клиента', 'EGN', 'Единен граждански номер'],
    keys: ['egn', 'client egn'],
    isCheckable: true,
  },
  {
    scheme: 'hr_oib',
    country: 'HR',
    make: (random) => {
      const body = digits(random, 10);
      return `${body}${hybridDigit(body)}`;
    },
    labelled: ['###########'],
    labels: [
      'OIB',
      'osobni identifikacijski broj',
      'OIB-a',
      'OIB-om',
      'OIB stranke',
      'osobnog identifikacijskog broja',
    ],
    keys: ['oib', 'oib klijenta'],
    isCheckable: true,
  },
  {
    scheme: 'hu_tax_id',
    country: 'HU',
    make: (random) =>
      retry(random, () => {
        const body = `8${between(random, 32000, 48000)}${digits(random, 3)}`;
        const check = weightedSum(body, [1, 2, 3, 4, 5, 6, 7, 8, 9]) % 11;
        return check === 10 ? undefined : `${body}${check}`;
      }),
    labelled: ['##########'],
    labels: [
      'adóazonosító jel',
      'Adóazonosító jele',
      'adóazonosító jelét',
      'adóazonosító',
      'adóazonosító jellel',
      'adóaz. jel',
    ],
    keys: ['adoazonosito jel', 'adoazonosito'],
    isCheckable: true,
  },
  {
    scheme: 'hu_taj',
    country: 'HU',
    make: (random) => {
      const body = digits(random, 8);
      return `${body}${weightedSum(body, [3, 7, 3, 7, 3, 7, 3, 7]) % 10}`;
    },
    labelled: ['#########', '### ### ###', '###-###-###'],
    labels: ['TAJ-szám', 'TAJ szám', 'TAJ száma', 'TAJ-száma', 'TAJ-számot', 'TAJ', 'TAJ-számmal'],
    keys: ['taj szam', 'taj', 'tajszam'],
    isCheckable: true,
  },
  {
    scheme: 'si_emso',
    country: 'SI',
    make: (random) => yugoslavNumber(random, 50, 50),
    labelled: ['#############'],
    labels: ['EMŠO', 'enotna matična številka občana', 'EMŠO stranke', 'št. EMŠO', 'EMSO'],
    keys: ['emso', 'emšo'],
    isCheckable: true,
  },
  {
    scheme: 'rs_jmbg',
    country: 'RS',
    make: (random) => yugoslavNumber(random, 71, 89),
    labelled: ['#############'],
    labels: [
      'JMBG',
      'ЈМБГ',
      'jedinstveni matični broj građana',
      'јединствени матични број грађана',
      'JMBG klijenta',
      'JMBG-a',
    ],
    keys: ['jmbg', 'jmbg klijenta'],
    isCheckable: true,
  },
  {
    scheme: 'ua_rnokpp',
    country: 'UA',
    make: (random) => {
      const body = `${between(random, 20000, 36000)}${digits(random, 4)}`;
      return `${body}${(((weightedSum(body, [-1, 5, 7, 9, 4, 6, 10, 5, 7]) % 11) + 11) % 11) % 10}`;
    },
    labelled: ['##########'],
    labels: [
      'РНОКПП',
      'ІПН',
      'РНОКПП платника',
      'реєстраційний номер облікової картки платника податків',
      'код РНОКПП',
    ],
    keys: ['rnokpp', 'ipn'],
    isCheckable: true,
  },
  {
    scheme: 'ru_snils',
    country: 'RU',
    make: (random) => {
      const body = `${between(random, 2, 199, 3)}${digits(random, 6)}`;
      return `${body}${String((weightedSum(body, countdown(9, 1)) % 101) % 100).padStart(2, '0')}`;
    },
    alone: ['###-###-### ##'],
    labelled: ['###########'],
    labels: [
      'СНИЛС',
      'номер СНИЛС',
      'СНИЛС №',
      'снилс',
      'SNILS',
      'СНИЛСом',
      'страховой номер индивидуального лицевого счёта',
    ],
    keys: ['snils', 'снилс'],
    isCheckable: true,
  },
  {
    scheme: 'ru_inn',
    country: 'RU',
    make: (random) => {
      const body = `${between(random, 1, 79, 2)}${digits(random, 8)}`;
      const first = (weightedSum(body, [7, 2, 4, 10, 3, 5, 9, 4, 6, 8]) % 11) % 10;
      return `${body}${first}${(weightedSum(`${body}${first}`, [3, 7, 2, 4, 10, 3, 5, 9, 4, 6, 8]) % 11) % 10}`;
    },
    labelled: ['############'],
    labels: ['ИНН', 'ИНН физлица', 'инн', 'номер ИНН', 'идентификационный номер налогоплательщика', 'ИНН клиента'],
    keys: ['inn', 'инн', 'client inn'],
    isCheckable: true,
  },
];

/** Divisible by eleven. The month of women is increased by 50. */
function birthNumber(random: Random): string {
  return retry(random, () => {
    const { yy, mm, dd } = birth(random);
    const month = random.pick([mm, String(Number(mm) + 50)]);
    const body = `${yy}${month}${dd}${digits(random, 3)}`;
    const check = Number(body) % 11;
    return check === 10 ? undefined : `${body}${check}`;
  });
}

function yugoslavNumber(random: Random, fromRegion: number, toRegion: number): string {
  return retry(random, () => {
    const { dd, mm, year } = birth(random);
    const body = `${dd}${mm}${String(year).slice(1)}${between(random, fromRegion, toRegion)}${digits(random, 3)}`;
    const check = (11 - (weightedSum(body, [...countdown(7, 2), ...countdown(7, 2)]) % 11)) % 11;
    return check === 10 ? undefined : `${body}${check}`;
  });
}

import { digits } from '../../generated-numbers.ts';
import {
  countdown,
  hkidCheck,
  kazakhDigit,
  koreanDigit,
  luhnDigit,
  nricLetter,
  pureCheck,
  taiwanDigit,
  verhoeffDigit,
  weightedSum,
} from '../check-digits.ts';
import { between, birth, type IdScheme, letter, retry } from './id-scheme.ts';

/** Asia, Africa, Oceania. */
export const OTHER_IDS: readonly IdScheme[] = [
  {
    scheme: 'cn_ric',
    country: 'CN',
    make: (random) => {
      const { year, mm, dd } = birth(random);
      const body = `${random.pick(['110101', '310104', '440106', '510107', '330106'])}${year}${mm}${dd}${digits(random, 3)}`;
      return `${body}${pureCheck(body)}`;
    },
    alone: ['*'],
    labels: ['身份证号', '身份证号码', '公民身份号码', '身份证', '居民身份证号'],
    keys: ['id card', 'sfzh', 'shenfenzheng'],
    isCheckable: true,
  },
  {
    scheme: 'tw_nid',
    country: 'TW',
    make: (random) => {
      const body = `${letter(random, 'ABDEFHKNT')}${between(random, 1, 2)}${digits(random, 7)}`;
      return `${body}${taiwanDigit(body)}`;
    },
    alone: ['*'],
    labels: ['身分證字號', '身分證統一編號', '國民身分證', '身分證號碼'],
    keys: ['national id'],
    isCheckable: true,
  },
  {
    scheme: 'hk_hkid',
    country: 'HK',
    make: (random) => {
      const body = `${letter(random, 'ABCDGHKPRSVYZ')}${digits(random, 6)}`;
      return `${body}${hkidCheck(body)}`;
    },
    alone: ['#######(#)'],
    labelled: ['########'],
    labels: ['HKID', '香港身份證號碼', '身份證號碼', 'HKID No.', 'Hong Kong identity card'],
    keys: ['hkid', 'hkid number'],
    isCheckable: true,
  },
  {
    scheme: 'sg_nric',
    country: 'SG',
    make: (random) => {
      const body = `${letter(random, 'STFG')}${digits(random, 7)}`;
      return `${body}${nricLetter(body)}`;
    },
    alone: ['*'],
    labels: ['NRIC', 'NRIC No.', 'FIN', 'NRIC/FIN'],
    keys: ['nric', 'nric number'],
    isCheckable: true,
  },
  {
    scheme: 'my_nric',
    country: 'MY',
    make: (random) => {
      const { yy, mm, dd } = birth(random);
      return `${yy}${mm}${dd}${between(random, 1, 14, 2)}${between(random, 5001, 7999)}`;
    },
    labelled: ['######-##-####', '############'],
    labels: ['MyKad', 'No. Kad Pengenalan', 'no. K/P', 'NRIC', 'kad pengenalan', 'No. KP'],
    keys: ['mykad', 'no kp', 'nric', 'kad pengenalan'],
  },
  {
    scheme: 'th_pin',
    country: 'TH',
    make: (random) => {
      const body = `${between(random, 1, 8)}${digits(random, 11)}`;
      return `${body}${(11 - (weightedSum(body, countdown(13, 2)) % 11)) % 10}`;
    },
    alone: ['#-####-#####-##-#'],
    labelled: ['#############'],
    labels: ['เลขประจำตัวประชาชน', 'เลขบัตรประชาชน', 'หมายเลขบัตรประชาชน', 'เลขที่บัตรประชาชน', 'Thai national ID'],
    keys: ['citizen id', 'thai id'],
  },
  {
    scheme: 'kr_rrn',
    country: 'KR',
    make: (random) => {
      const { yy, mm, dd } = birth(random);
      const body = `${yy}${mm}${dd}${between(random, 1, 2)}${digits(random, 5)}`;
      return `${body}${koreanDigit(body)}`;
    },
    alone: ['######-#######'],
    labelled: ['#############'],
    labels: ['주민등록번호', '주민번호', '외국인등록번호', '주민등록번호는', 'RRN'],
    keys: ['rrn', 'jumin'],
  },
  {
    scheme: 'jp_my_number',
    country: 'JP',
    make: (random) => {
      const body = digits(random, 11);
      const rest = weightedSum(body, [...countdown(6, 2), ...countdown(7, 2)]) % 11;
      return `${body}${rest < 2 ? 0 : 11 - rest}`;
    },
    labelled: ['############', '#### #### ####', '####-####-####'],
    labels: ['マイナンバー', '個人番号', 'My Number', 'マイナンバーは', '個人番号（マイナンバー）'],
    keys: ['my number', 'kojin bango', 'mynumber'],
  },
  {
    scheme: 'in_aadhaar',
    country: 'IN',
    make: (random) => {
      const body = `${between(random, 2, 9)}${digits(random, 10)}`;
      return `${body}${verhoeffDigit(body)}`;
    },
    alone: ['#### #### ####', '####-####-####'],
    labelled: ['############'],
    labels: ['Aadhaar', 'Aadhaar number', 'Aadhar no.', 'आधार', 'आधार संख्या', 'आधार नंबर', 'Aadhaar No'],
    keys: ['aadhaar', 'aadhaar number', 'aadhar no'],
  },
  {
    scheme: 'in_pan',
    country: 'IN',
    make: (random) => {
      const next = () => letter(random, 'ABCDEFGHJKLMNPQRSTUVWXYZ');
      return `${next()}${next()}${next()}P${next()}${digits(random, 4)}${next()}`;
    },
    labelled: ['*'],
    labels: ['PAN', 'PAN number', 'Permanent Account Number', 'PAN No.', 'PAN card'],
    keys: ['pan', 'pan number', 'pan no'],
  },
  {
    scheme: 'pk_cnic',
    country: 'PK',
    make: (random) => `${between(random, 1, 7)}${digits(random, 12)}`,
    labelled: ['#####-#######-#', '#############'],
    labels: ['CNIC', 'CNIC No.', 'شناختی کارڈ نمبر', 'شناختی کارڈ', 'C.N.I.C.', 'CNIC number'],
    keys: ['cnic', 'cnic number'],
  },
  {
    scheme: 'id_nik',
    country: 'ID',
    make: (random) => {
      const { yy, mm, dd } = birth(random);
      const day = String(Number(dd) + random.pick([0, 40])).padStart(2, '0');
      return `${random.pick(['31', '32', '33', '35', '51'])}${between(random, 1, 79, 2)}${between(random, 1, 20, 2)}${day}${mm}${yy}${between(random, 1, 99, 4)}`;
    },
    labelled: ['################'],
    labels: ['NIK', 'Nomor Induk Kependudukan', 'No. KTP', 'NIK KTP', 'nomor KTP'],
    keys: ['nik', 'no ktp', 'nomor induk kependudukan'],
  },
  {
    scheme: 'vn_cccd',
    country: 'VN',
    make: (random) =>
      `${random.pick(['001', '024', '031', '048', '079', '092'])}${between(random, 0, 1)}${birth(random).yy}${digits(random, 6)}`,
    labelled: ['############'],
    labels: ['CCCD', 'căn cước công dân', 'số CCCD', 'Số căn cước công dân', 'CMND/CCCD'],
    keys: ['cccd', 'so cccd', 'can cuoc cong dan'],
  },
  {
    scheme: 'lk_nic',
    country: 'LK',
    make: (random) => `${birth(random).yy}${between(random, 1, 365, 3)}${digits(random, 4)}${random.pick(['V', 'X'])}`,
    labelled: ['*'],
    labels: ['NIC', 'NIC No.', 'National Identity Card', 'NIC number'],
    keys: ['nic', 'nic number', 'nic no'],
  },
  {
    scheme: 'ir_melli',
    country: 'IR',
    make: (random) => {
      const body = `${between(random, 1, 699, 3)}${digits(random, 6)}`;
      const rest = weightedSum(body, countdown(10, 2)) % 11;
      return `${body}${rest < 2 ? rest : 11 - rest}`;
    },
    labelled: ['##########', '###-######-#'],
    labels: ['کد ملی', 'کدملی', 'شماره ملی', 'کد ملّی', 'code melli'],
    keys: ['code melli', 'national code', 'melli code'],
  },
  {
    scheme: 'il_id',
    country: 'IL',
    make: (random) => {
      const body = `${between(random, 0, 3)}${digits(random, 7)}`;
      return `${body}${luhnDigit(body)}`;
    },
    labelled: ['#########', '########-#'],
    labels: ['תעודת זהות', 'ת.ז.', 'ת"ז', 'מספר זהות', 'מספר תעודת זהות', 'Teudat Zehut', "מס' זהות"],
    keys: ['teudat zehut', 'mispar zehut'],
  },
  {
    scheme: 'tr_tckn',
    country: 'TR',
    make: (random) => {
      const body = `${between(random, 1, 9)}${digits(random, 8)}`;
      const tenth = (((weightedSum(body, [7, -1, 7, -1, 7, -1, 7, -1, 7]) % 10) + 10) % 10).toString();
      return `${body}${tenth}${weightedSum(`${body}${tenth}`, [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]) % 10}`;
    },
    labelled: ['###########'],
    labels: [
      'T.C. Kimlik No',
      'TC kimlik numarası',
      'TCKN',
      'T.C. kimlik numaranız',
      'TC Kimlik No.',
      'kimlik no',
      'T.C. Kimlik Numarası',
    ],
    keys: ['tckn', 'tc kimlik no', 'kimlik no'],
    isCheckable: true,
  },
  {
    scheme: 'kz_iin',
    country: 'KZ',
    make: (random) =>
      retry(random, () => {
        const { yy, mm, dd } = birth(random);
        const body = `${yy}${mm}${dd}${between(random, 3, 4)}${digits(random, 4)}`;
        const check = kazakhDigit(body);
        return check === 10 ? undefined : `${body}${check}`;
      }),
    labelled: ['############'],
    labels: ['ИИН', 'ЖСН', 'ИИН клиента', 'номер ИИН', 'IIN', 'жеке сәйкестендіру нөмірі'],
    keys: ['iin', 'иин', 'client iin'],
    isCheckable: true,
  },
  {
    scheme: 'ae_eid',
    country: 'AE',
    make: (random) => {
      const body = `784${birth(random).year}${digits(random, 7)}`;
      return `${body}${luhnDigit(body)}`;
    },
    alone: ['###-####-#######-#'],
    labelled: ['###############'],
    labels: ['Emirates ID', 'رقم الهوية', 'الهوية الإماراتية', 'رقم الهوية الإماراتية', 'Emirates ID No.', 'EID'],
    keys: ['emirates id', 'eid number', 'emirates id number'],
  },
  {
    scheme: 'eg_nid',
    country: 'EG',
    make: (random) => {
      const { yy, mm, dd } = birth(random);
      return `2${yy}${mm}${dd}${random.pick(['01', '02', '12', '21'])}${digits(random, 5)}`;
    },
    labelled: ['##############'],
    labels: ['الرقم القومي', 'رقم قومي', 'الرقم القومى', 'بطاقة الرقم القومي', 'Egyptian national ID'],
    keys: ['national id', 'raqam qawmi', 'national id number'],
  },
  {
    scheme: 'sa_nid',
    country: 'SA',
    make: (random) => {
      const body = `${between(random, 1, 2)}${digits(random, 8)}`;
      return `${body}${luhnDigit(body)}`;
    },
    labelled: ['##########'],
    labels: ['رقم الهوية الوطنية', 'رقم الإقامة', 'Iqama No', 'Saudi national ID'],
    keys: ['iqama', 'saudi national id'],
    isCheckable: true,
  },
  {
    scheme: 'za_id',
    country: 'ZA',
    make: (random) => {
      const { yy, mm, dd } = birth(random);
      const body = `${yy}${mm}${dd}${digits(random, 4)}08`;
      return `${body}${luhnDigit(body)}`;
    },
    labelled: ['#############', '###### #### ###'],
    labels: ['SA ID number', 'RSA ID', 'ID number', 'identity number', 'South African ID number', 'SA ID no.'],
    keys: ['sa id number', 'rsa id number', 'id number', 'identity number'],
  },
  {
    scheme: 'ng_nin',
    country: 'NG',
    make: (random) => `${between(random, 1, 9)}${digits(random, 10)}`,
    labelled: ['###########'],
    labels: ['NIN', 'NIN number', 'NIN No.'],
    keys: ['nin', 'nin number'],
  },
  {
    scheme: 'au_tfn',
    country: 'AU',
    make: (random) =>
      retry(random, () => {
        const body = `${between(random, 1, 9)}${digits(random, 7)}`;
        // The weight of the last digit is 10, which is -1 modulo 11.
        const check = weightedSum(body, [1, 4, 3, 7, 5, 8, 6, 9]) % 11;
        return check === 10 ? undefined : `${body}${check}`;
      }),
    labelled: ['#########', '### ### ###'],
    labels: ['TFN', 'tax file number', 'T.F.N.', 'Tax File No.', 'TFN number', 'Tax File Number'],
    keys: ['tfn', 'tax file number', 'tfn number'],
    isCheckable: true,
  },
  {
    scheme: 'nz_ird',
    country: 'NZ',
    make: (random) =>
      retry(random, () => {
        const body = `${between(random, 10, 149, 3)}${digits(random, 5)}`;
        const first = (11 - (weightedSum(body, [3, 2, 7, 6, 5, 4, 3, 2]) % 11)) % 11;
        const check = first < 10 ? first : (11 - (weightedSum(body, [7, 4, 3, 2, 5, 2, 7, 6]) % 11)) % 11;
        return check === 10 ? undefined : `${body}${check}`;
      }),
    labelled: ['###-###-###', '#########'],
    labels: ['IRD number', 'IRD no.', 'IRD No', 'IRD', 'Inland Revenue number'],
    keys: ['ird number', 'ird', 'ird no'],
    isCheckable: true,
  },
];

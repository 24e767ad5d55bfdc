import { expect } from 'chai';
import { stdnum } from 'stdnum';
import { NATIONAL_IDS } from '../../../shared/pii/national-ids.ts';
import { seededRandom } from '../../../shared/seeded-random.ts';
import { NATIONAL_ID_VALUES, passesCheck } from './values.ts';

type Agreement = 'equal' | 'stdnum accepts more' | 'stdnum accepts less';

/**
 * The schemes that stdnum knows, each with its name there. It accepts more where it does not verify
 * a date, a range or the kind of holder. It accepts less where it refuses births in the future,
 * rare kinds of numbers or those without check digits. Schemes with both differences are not here.
 */
const SCHEMES: Readonly<Record<Agreement, string>> = {
  equal:
    'au_tfn:tfn br_cpf:cpf ca_sin:sin ch_ahv:ssn cl_rut:rut do_cedula:cedula es_dni:dni fr_nif:nif' +
    ' gb_nino:nino gr_amka:amka hr_oib:oib il_id:idnr in_aadhaar:aadhaar it_cf:codicefiscale nl_bsn:bsn' +
    ' no_fnr:fodselsnummer pt_cc:cc rs_jmbg:jmbg ru_inn:inn th_pin:idnr tr_tckn:tckimlik tw_nid:natid' +
    ' ua_rnokpp:rntrc us_ssn:ssn uy_ci:cedula za_id:idnr',
  'stdnum accepts more':
    'ar_cuil:cuit ar_dni:dni bg_egn:egn cn_ric:ric de_tax_id:idnr ec_ci:ci ee_ik:ik fr_nir:nir in_pan:pan' +
    ' is_kt:kennitala mx_curp:curp my_nric:nric nz_ird:ird pe_ruc:ruc pt_nif:nif se_pnr:personnummer',
  'stdnum accepts less':
    'be_nrn:insz dk_cpr:cpr es_nie:nie fi_hetu:hetu gb_utr:utr hk_hkid:hkid ie_pps:pps pe_dni:cui' +
    ' pk_cnic:cnic pl_pesel:pesel ro_cnp:cnp',
};

const COUNT = 500;

/** Numbers that differ from a valid one in at most three characters, which are of the same kind. */
function* similarNumbers(valid: readonly string[]): Generator<string> {
  const random = seededRandom(46);
  const below = (limit: number) => Math.floor(random() * limit);
  for (let i = 0; i < COUNT; i++) {
    const characters = Array.from(valid[below(valid.length)] as string);
    for (let changes = 1 + below(3); changes > 0; changes--) {
      const at = below(characters.length);
      if (/\d/.test(characters[at] as string)) characters[at] = String(below(10));
      else if (/[A-Z]/.test(characters[at] as string)) characters[at] = String.fromCharCode(65 + below(26));
    }
    yield characters.join('');
  }
}

describe('checks of national ids beside those of stdnum', () => {
  for (const [agreement, schemes] of Object.entries(SCHEMES))
    for (const [scheme = '', name = ''] of schemes.split(' ').map((pair) => pair.split(':')))
      it(`${scheme}: ${agreement}`, () => {
        const nationalId = NATIONAL_IDS.find((candidate) => candidate.scheme === scheme);
        const other = stdnum[nationalId?.country ?? '']?.[name];
        if (nationalId === undefined || other === undefined) throw new Error(`stdnum has no ${name}.`);
        const isAcceptedThere = (number: string) => other.validate(number).isValid;
        const valid = NATIONAL_ID_VALUES[scheme]?.valid.filter(isAcceptedThere) ?? [];
        let accepted = 0;
        const different = [...similarNumbers(valid)].filter((number) => {
          const [here, there] = [passesCheck(nationalId, number), isAcceptedThere(number)];
          if (here && there) accepted++;
          return here !== there && agreement !== (there ? 'stdnum accepts more' : 'stdnum accepts less');
        });
        expect(different).to.deep.equal([]);
        expect(accepted).to.be.above(COUNT / 100);
      });
});

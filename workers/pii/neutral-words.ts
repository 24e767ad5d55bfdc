// Words next to a number that do not name it, by hash.
import { hashWords } from './word-hash.ts';

/**
 * Words that can directly precede a card or a national id in a sentence: prepositions, articles
 * and auxiliary verbs of several languages.
 */
const FUNCTION_WORDS =
  'a an the this that for of by with using via from to into in on at as and or is was are were be been has had have not no new old same my your his her ' +
  'their our its mit von vom der die das den dem fur und oder ist war bei auf zu zum zur im pour par avec de du des le la les et ou est sur dans un une ' +
  'con por para el los las del al y o es en una uno com da do dos das e em um uma na di il lo gli per con su tra met van voor het een op bij dla na z ze ' +
  'do od przez w i oraz och med av till den det og af til fra ja on pro ve ve se v s za i u od sa cu la din si ile icin ve bir';

/** Words for a person, and for what identifies one. */
const PERSON_WORDS =
  'user users username login name person people customer client patient member employee applicant holder cardholder cardmember owner payer payee subscriber citizen resident ' +
  'student guest visitor insured beneficiary borrower buyer seller sender shopper kunde kunden benutzer nutzer person patienten inhaber versicherter ' +
  'utilisateur usager patiente assure salarie titulaire personne usuario cliente paciente titular persona empleado trabajador beneficiario assicurato utente ' +
  'paziente persona dipendente klient klienta uzytkownik osoba pacjent bruger kund kunde anvandare patienten asiakas 用户 客户 患者 病人 姓名 员工 顾客 本人';

/** Words for payments, and for what a program does with a value. */
const VALUE_WORDS =
  'number numbers num value values data input text string field message msg content body payload raw plain plaintext digits line row param params parameter argument ' +
  'arg query account acct accountnumber acctno payment payments pay paid paying charge charged charging refund refunded decline declined decl approve approved auth authorize authorized ' +
  'authorise authorised authorization capture captured purchase checkout billing billed tokenize tokenized tokenizing detokenize mask masked masking unmask encrypt encrypted decrypt ' +
  'verify verified verifying validate validated validating validation invalid valid check checked checking lookup found find match matched matches got get received receive entered enter ' +
  'typed scanned scan read swiped inserted stored store save saved saving update updated set added add sent send submit submitted process processed processing parse parsed ' +
  'reject rejected accept accepted block blocked expired stolen lost leaked leak detected reported log logged logging print debug info warn warning error failed success ' +
  'q search searched term keyword filter test dump iin funding source primary fpan dpan document identity identification kyc queue list file csv import export record records column entry table';

/** Words for free text. */
const TEXT_WORDS =
  'comment comments commentary note notes memo remark remarks description desc subject details detail reason chat reply answer question output stdout stderr request response ' +
  'sms quote attempt share call bemerkung kommentar notiz nachricht commentaire remarque comentario comentarios nota notas observacion observaciones commento uwagi komentarz notatka ' +
  'opmerking merknad instrument';

/** Words that leave open whether the number after them is personal data. */
export const NEUTRAL_LABEL_WORDS = hashWords(`${FUNCTION_WORDS} ${PERSON_WORDS} ${VALUE_WORDS} ${TEXT_WORDS}`);

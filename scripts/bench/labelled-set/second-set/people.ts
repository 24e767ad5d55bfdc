import type { Family } from '../family.ts';
import { idField, idPhrase, wrongIdField, wrongIdPhrase } from './pairs.ts';

/** Staff, payroll, hospitals, insurers, schools, tax offices. */
export const PEOPLE: Family = {
  name: 'staff, patients, pupils',
  personal: [
    idField(
      (name, value, v) =>
        `workday-integration Worker_ID=${v.digits(6)} ${name}=${value} Hire_Date=2026-01-${v.int(10, 28)}`,
    ),
    idField(
      (name, value, v) => `SAP HCM IDoc E1P0002 PERNR=${v.digits(8)} ${name}: '${value}' GBDAT=19${v.int(55, 99)}0101`,
    ),
    idField(
      (name, value, v) =>
        `payroll export row ${v.int(1, 900)}: employee_no=${v.digits(6)};${name}=${value};gross=${v.amount()};cost_centre=${v.digits(4)}`,
    ),
    idField(
      (name, value, v) =>
        `personio.sync: attribute "${name}" changed: old=null new="${value}" employee=${v.int(1000, 9999)}`,
    ),
    (v) => `BambooHR: employee ${v.int(1, 999)} workEmail ${v.email()}, homeEmail ${v.email()}`,
    (v) => `greenhouse candidate.hired id=${v.digits(8)} email_addresses=[{"value":"${v.email()}","type":"personal"}]`,
    idPhrase((name, value, v) => `Payslip ${v.int(1, 12)}/2026 generated. ${name} ${value}, net ${v.amount()}`),
    idPhrase((name, value, v) => `timesheet import: unknown person (${name}: ${value}), row ${v.int(1, 400)} skipped`),
    (v) =>
      `MSH|^~\\&|ADT1|HOSP|LAB|HOSP|${v.compact()}||ADT^A01|${v.digits(8)}|P|2.5\\rPID|1||${v.digits(8)}^^^HOSP^MR||DOE^JANE||19${v.int(55, 99)}0412|F|||||^NET^Internet^${v.email()}`,
    (v) => `HL7 PID|1||${v.idOf('gb_nhs')}^^^NHS^NH||SMITH^JO||19700101|M`,
    (v) => `HL7 PID|1||${v.idOf('nl_bsn')}^^^BSN^NNNLD~${v.digits(6)}^^^HOSP^PI||JANSEN^P`,
    idField(
      (name, value, v) =>
        `{"resourceType":"Patient","id":"${v.uuid()}","identifier":[{"type":{"text":"${name}"},"value":"${value}"}]}`,
    ),
    (v) =>
      `{"resourceType":"Patient","telecom":[{"system":"email","value":"${v.email()}","use":"home"},{"system":"phone","value":"${v.phone()}"}]}`,
    idField(
      (name, value) =>
        `<Patient xmlns="http://hl7.org/fhir"><identifier><system value="urn:${name}"/><value value="${value}"/></identifier></Patient>`,
    ),
    idPhrase((name, value, v) => `DICOM C-STORE AE=CT${v.int(1, 9)} (0010,0020) LO [${name} ${value}] # PatientID`),
    idPhrase(
      (name, value, v) =>
        `ePrescription ${v.base64(8).toUpperCase()} dispensed; ${name}: ${value}; pharmacy ${v.digits(5)}`,
    ),
    idField(
      (name, value, v) =>
        `claims-adjudicator claim=CLM-${v.digits(9)} insured{${name}=${value}} icd10=J45.${v.int(0, 9)} paid=${v.amount()}`,
    ),
    (v) => `policy ${v.digits(10)} beneficiary e-mail: ${v.email()} premium ${v.amount()}`,
    (v) => `FNOL ${v.digits(9)} reported by ${v.email()} plate=AB-${v.digits(4)} vin=WVWZZZ1JZ3W${v.digits(6)}`,
    idField((name, value, v) => `school-sis enrolment pupil=${v.digits(5)} ${name} = ${value} class=4B`),
    (v) => `moodle: user ${v.int(1, 9999)} (${v.email()}) submitted assignment ${v.digits(5)}`,
    (v) => `"${v.isoSpace()}","canvas","login_failed","${v.email()}","${v.ip()}"`,
    idField(
      (name, value, v) => `tax-filing: submission ${v.uuid()} rejected, ${name}[${value}] already filed for 2025`,
    ),
    idPhrase(
      (name, value, v) => `Tax office reply: taxpayer with ${name} "${value}" not registered, code ${v.int(100, 999)}`,
    ),
    idPhrase((name, value, v) => `OCR page ${v.int(1, 30)}: "... ${name}: ${value} ..." confidence=0.${v.digits(4)}`),
    (v) => `1040 e-file ack: primary SSN ${v.idOf('us_ssn')}, DCN ${v.digits(14)}`,
    (v) => `visitor badge ${v.int(1, 999)} document ${v.id()} host ${v.email()}`,
    (v) => `kyc: document number ${v.id()} verified at ${v.iso()}`,
    (v) => `survey #${v.digits(5)} answers: q1=yes q2="mail me at ${v.email()}" q3=no`,
    (v) => `citizen ${v.idOf('pl_pesel')} applied for document, case ${v.digits(7)}`,
    (v) =>
      `national_id=${v.idOf(v.pick(['pl_pesel', 'tr_tckn', 'ro_cnp', 'ee_ik', 'lt_ak', 'hr_oib', 'si_emso', 'br_cpf']))} status=verified`,
    (v) =>
      `{"nationalId":"${v.idOf(v.pick(['pl_pesel', 'tr_tckn', 'ro_cnp', 'ee_ik', 'no_fnr', 'th_pin', 'bg_egn']))}","case":${v.digits(7)}}`,
    (v) =>
      `identity number: ${v.idOf(v.pick(['pl_pesel', 'za_id', 'tr_tckn', 'il_id', 'no_fnr']))}, clerk ${v.login()}`,
  ],
  lookalikes: [
    wrongIdField(
      (name, value, v) => `validation: field ${name} value ${value} has a wrong check digit, row ${v.int(1, 900)}`,
    ),
    wrongIdPhrase((name, value, v) => `import: ${name} ${value} is not valid, see line ${v.int(1, 900)}`),
    (v) => `workday-integration Worker_ID=${v.unlabelledId()} Position_ID=P-${v.digits(5)} Org=${v.digits(8)}`,
    (v) => `SAP HCM IDoc E1P0000 DOCNUM=${v.digits(16)} PERNR=${v.digits(8)} BEGDA=20260101 ENDDA=99991231`,
    (v) => `payroll run ${v.compact()}: 412 payslips, batch ${v.digits(9)}, sum ${v.amount()}, bank file ${v.hex(40)}`,
    (v) => `MSH|^~\\&|LAB|HOSP|ADT1|HOSP|${v.compact()}||ORU^R01|${v.digits(10)}|P|2.5`,
    (v) => `OBX|1|NM|718-7^Hemoglobin^LN||${v.int(8, 17)}.${v.int(0, 9)}|g/dL|||||F|||${v.compact()}`,
    (v) =>
      `DICOM StudyInstanceUID=1.2.840.113619.2.${v.digits(3)}.${v.digits(10)}.${v.digits(9)}.${v.digits(3)} SOP=1.2.840.10008.5.1.4.1.1.2`,
    (v) =>
      `{"resourceType":"Observation","id":"${v.uuid()}","code":{"coding":[{"system":"http://loinc.org","code":"8302-2"}]},"valueQuantity":{"value":1${v.int(50, 99)}}}`,
    (v) => `SNOMED ${v.digits(9)} |Asthma| mapped to J45.9, concept ${v.digits(15)}`,
    (v) => `NPI ${v.digits(10)} DEA AB${v.digits(7)} NDC 0${v.digits(4)}-${v.digits(4)}-${v.digits(2)} qty 30`,
    (v) => `claims-adjudicator claim=CLM-${v.digits(9)} policy_no=${v.unlabelledId()} provider=${v.digits(10)}`,
    (v) => `pesel=null phone=${v.phone()} claim_no=${v.digits(11)}`,
    (v) => `ssn= dob=19${v.int(55, 99)}-0${v.int(1, 9)}-1${v.int(0, 9)} account_number=${v.digits(9)}`,
    (v) => `nhs_number missing, appointment_id ${v.digits(10)} slot ${v.iso()}`,
    (v) => `student_no=${v.unlabelledId()} course=MATH-${v.int(100, 499)} grade=${v.int(1, 6)}`,
    (v) => `lesson ${v.digits(5)} room B-${v.int(100, 400)} attendance ${v.int(1, 32)}/32 term 2026-1`,
    (v) => `tax return 2025 ref ${v.digits(12)} amount ${v.amount()} assessment_no: ${v.unlabelledId()}`,
    (v) => `personnel file moved: //nas${v.int(10, 99)}/hr/2026/${v.digits(8)}.pdf sha1=${v.hex(40)}`,
    (v) => `badge reader ${v.mac()} card_uid=${v.hex(14)} door=${v.int(1, 40)} at ${v.millis()}`,
    (v) => `ICD10 codes J45.9 E11.65 I10; DRG ${v.int(1, 999)}; case ${v.digits(8)}`,
    (v) => `vaccine lot EW${v.digits(4)} expiry 2027-0${v.int(1, 9)} GTIN 0${v.digits(13)}`,
  ],
};

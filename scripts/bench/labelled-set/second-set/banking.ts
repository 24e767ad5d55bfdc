import type { Family } from '../family.ts';
import { cardField, cardPhrase, idField, idPhrase } from './pairs.ts';

/** Bank messages, card schemes, telephone companies, meters. */
export const BANKING: Family = {
  name: 'banks and telephony',
  personal: [
    (v) =>
      `{1:F01BANKPLPWAXXX${v.digits(10)}}{4:\\n:20:${v.digits(12)}\\n:70:INVOICE ${v.digits(6)} CONTACT ${v.email()}\\n-}`,
    idPhrase((name, value, v) => `:50F:NIDN/XX/${v.digits(3)}\\n1/JOHN DOE\\n8/${name} ${value}\\n`),
    (v) =>
      `<CdtTrfTxInf><Cdtr><Nm>A N</Nm><CtctDtls><EmailAdr>${v.email()}</EmailAdr></CtctDtls></Cdtr><Amt>${v.amount()}</Amt></CdtTrfTxInf>`,
    idField(
      (name, value) =>
        `<Dbtr><Id><PrvtId><Othr><SchmeNm><Prtry>${name}</Prtry></SchmeNm><Id>${value}</Id></Othr></PrvtId></Id></Dbtr>`,
    ),
    idPhrase((name, value, v) => `RmtInf/Ustrd: oplata ${v.digits(4)}, ${name} ${value}`),
    idField(
      (name, value) =>
        `<soapenv:Body><ns2:checkCustomer><ns2:${name.replaceAll('.', '_')}>${value}</ns2:${name.replaceAll('.', '_')}></ns2:checkCustomer></soapenv:Body>`,
    ),
    cardField(
      (name, value, v) => `core-banking TXN ${v.digits(10)} ${name} = "${value}" mcc=${v.digits(4)} amt=${v.amount()}`,
    ),
    cardField((name, value, v) => `{"card":{"${name}":"${value}","expiry":"12/27"},"stan":"${v.digits(6)}"}`),
    cardPhrase((name, value, v) => `ATM ${v.digits(8)} captured ${name}: ${value}, host response 41`),
    (v) => `chargeback file 57|${v.bareCard()}|${v.digits(23)}|${v.amount()}|978|4853`,
    (v) => `tokenize request pan:"${v.card()}" requestor=${v.digits(11)} -> DPAN ok`,
    (v) => `dispute letter: card ${v.card()} charged ${v.amount()} on ${v.isoSpace()}`,
    (v) => `"${v.bareCard()}","${v.int(10, 12)}/28","${v.amount()}","APPROVED"`,
    (v) => `UNB+UNOA:2+5412345000013:14+4000004000002:14+261123:1000+${v.digits(8)}'COM+${v.email()}:EM'`,
    (v) =>
      `FIX 8=FIX.4.4\u00019=112\u000135=D\u000149=CLIENT\u000156=BROKER\u000158=contact ${v.email()}\u000110=${v.digits(3)}\u0001`,
    idField(
      (name, value, v) => `aml-screening hit=0 subject:{name:"A N", ${name}:"${value}", list:"EU-${v.int(1, 99)}"}`,
    ),
    idField((name, value, v) => `creditbureau <- ${name}=${value}&product=${v.int(1, 40)}&consent=true`),
    idPhrase((name, value, v) => `loan ${v.digits(8)} borrower ${name} ${value} score ${v.int(300, 850)}`),
    (v) => `CRM update party=${v.digits(9)} EMAIL_ADDR: ${v.email()} -> ${v.email()}`,
    (v) => `CDR,${v.compact()},${v.digits(15)},+48${v.digits(9)},${v.ms()},notify=${v.email()}`,
    idField(
      (name, value, v) =>
        `sim-registration msisdn=48${v.digits(9)} iccid=89480${v.digits(14)} ${name}=${value} result=OK`,
    ),
    (v) => `voicemail [${v.int(100, 999)}] => 1234,Jane,${v.email()},,attach=yes`,
    (v) => `meter ${v.digits(8)} bill ${v.amount()} e-bill address: ${v.email()}`,
    (v) => `Interac e-Transfer to ${v.email()} reference CA${v.base64(6)} amount ${v.amount()}`,
    (v) => `PIX key lookup key=${v.email()} e2e=E${v.digits(8)}${v.compact()}`,
    (v) => `PIX chave CPF ${v.idOf('br_cpf')} valor ${v.amount()}`,
  ],
  lookalikes: [
    (v) =>
      `{1:F01BANKPLPWAXXX${v.digits(10)}}{2:I103BANKDEFFXXXXN}{4:\\n:20:${v.digits(12)}\\n:32A:261123EUR${v.digits(5)},50\\n:50K:/${v.iban()}\\n-}`,
    (v) =>
      `<MsgId>${v.compact()}${v.digits(8)}</MsgId><CreDtTm>${v.iso()}</CreDtTm><NbOfTxs>${v.int(1, 99)}</NbOfTxs><CtrlSum>${v.amount()}</CtrlSum>`,
    (v) =>
      `<EndToEndId>E2E-${v.digits(16)}</EndToEndId><UETR>${v.uuid()}</UETR><IBAN>${v.iban().replaceAll(' ', '')}</IBAN>`,
    (v) => `camt.053 entry NtryRef=${v.digits(16)} AcctSvcrRef=${v.digits(20)} Bal=${v.amount()}`,
    (v) => `NACHA 6221${v.digits(8)}${v.digits(17)}0000${v.digits(6)} trace 0${v.digits(14)}`,
    (v) => `ABA routing 021000021 account ${v.digits(10)} micr ⑆021000021⑆ ${v.digits(10)}⑈`,
    (v) => `sort code 20-00-00 account ${v.digits(8)} payee confirmed`,
    (v) =>
      `swift gpi uetr=${v.uuid()} status=ACCC bic=DEUTDEFFXXX lei=529900${v.base64(12).toUpperCase()}${v.int(10, 99)}`,
    (v) => `account_id=${v.unlabelledId()} balance=${v.amount()} version=${v.int(1, 999)}`,
    (v) => `device=${v.unlabelledId()} battery=${v.int(1, 100)} fw=${v.version()}`,
    (v) => `core-banking TXN ${v.digits(16)} ledger_seq=${v.digits(12)} checksum=${v.hex(8)}`,
    (v) => `CDR,${v.compact()},imsi=26001${v.digits(10)},imei=${v.imei()},cell=${v.digits(5)}-${v.digits(5)}`,
    (v) => `iccid 8948${v.digits(15)} msisdn +48${v.digits(9)} activated`,
    (v) => `SIP/2.0 200 OK Call-ID: ${v.hex(24)}@${v.ip()} CSeq: ${v.int(1, 99)} INVITE`,
    (v) =>
      `asterisk: SIP/trunk-${v.hex(8)} Call-ID: ${v.digits(10)}-${v.digits(5)}@sbc1.example.net answered after ${v.ms()} ms`,
    (v) =>
      `radius acct: Acct-Session-Id=${v.hex(16)} Calling-Station-Id=${v.mac()} NAS-Port=${v.digits(10)} Class=0x${v.hex(32)}`,
    (v) => `GTP-C TEID=0x${v.hex(8)} imsi=00101${v.digits(10)} apn=internet.mnc001.mcc260.gprs`,
    (v) => `meter reading ${v.digits(8)} OBIS 1-0:1.8.0*255 value ${v.digits(6)}.${v.digits(3)} kWh at ${v.seconds()}`,
    (v) => `dialled ${v.phone()} duration ${v.int(1, 999)} s codec opus/48000`,
    (v) => `exchange fill px=${v.fraction()} qty=${v.digits(4)} execId=${v.digits(19)} ordId=${v.digits(18)}`,
    (v) => `market data seq=${v.digits(12)} ts=${v.nanos()} bid=1.0${v.digits(4)} ask=1.0${v.digits(4)}`,
    (v) => `HSM key check value ${v.hex(6).toUpperCase()} ZPK ${v.hex(32).toUpperCase()} slot ${v.int(1, 99)}`,
    (v) => `emv tags 9F26 08 ${v.hex(16).toUpperCase()} 9F36 02 ${v.digits(4)} 95 05 0000008000 9A 03 261123`,
  ],
};

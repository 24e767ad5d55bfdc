import type { Family } from '../family.ts';

/**
 * SIP and other telephony, LDAP, Kerberos, RADIUS, XMPP. The address of record of a person in SIP
 * or XMPP has the form and the use of a mailbox, so it is personal data. A call id, the identity
 * of a line (digits before the `@`, an address in numbers after it) and a realm are not.
 */
export const DIRECTORIES: Family = {
  name: 'telephony and directories',
  personal: [
    (v) =>
      `From: "Anna" <sip:${v.email()}>;tag=${v.hex(10)} To: <sip:+${v.digits(11)}@${v.ip()}> Call-ID: ${v.hex(32)}@${v.host()}`,
    (v) => `INVITE sip:${v.email()} SIP/2.0 Via: SIP/2.0/UDP ${v.ip()}:5060;branch=z9hG4bK${v.hex(12)}`,
    (v) => `Asterisk: voicemail for 1001 sent to ${v.email()}, duration ${v.int(1, 300)} s`,
    (v) =>
      `conn=${v.int(1000, 9999)} op=1 SRCH base="ou=people,dc=example,dc=com" scope=2 filter="(mail=${v.email()})"`,
    (v) => `conn=${v.int(1000, 9999)} op=0 BIND dn="uid=anna,ou=people,dc=example,dc=com" mail: ${v.email()}`,
    (v) => `dn: cn=Jan Novak,ou=people,dc=example,dc=com mail: ${v.email()} telephoneNumber: ${v.phone()}`,
    (v) => `userPrincipalName: ${v.email()} objectGUID: ${v.uuid()} whenChanged: ${v.compact()}.0Z`,
    (v) =>
      `(${v.int(0, 99)}) Auth: (${v.int(0, 99)}) Login OK: [${v.email()}] (from client wifi port 0 cli ${v.mac()})`,
    (v) => `User-Name = "${v.email()}" NAS-IP-Address = ${v.ip()} Acct-Session-Id = "${v.hex(16)}"`,
    (v) => `<message from='${v.email()}/phone' to='${v.email()}' type='chat' id='${v.hex(12)}'/>`,
    (v) =>
      `{"iss":"https://${v.host()}","sub":"${v.digits(12)}","email":"${v.email()}","iat":${v.seconds()},"exp":${v.seconds()}}`,
    (v) =>
      `SAML NameID Format=urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress ${v.email()} InResponseTo=_${v.hex(32)}`,
    (v) => `uid=${v.email()} authenticated by ${v.host()} session ${v.uuid()}`,
    (v) => `scim: PATCH /Users/${v.uuid()} emails[type eq "work"].value = ${v.email()}`,
    (v) => `Event 4624 Account Name: ${v.email()} Logon ID: 0x${v.hex(6)} Source Network Address: ${v.ip()}`,
    (v) => {
      const { name, value } = v.idField();
      return `ldap modify: add ${name}: ${value}, entryCSN ${v.compact()}.${v.digits(6)}Z`;
    },
  ],
  lookalikes: [
    (v) => `Call-ID: ${v.hex(32)}@${v.host()}`,
    (v) => `SIP/2.0 200 OK Call-ID: ${v.digits(10)}-${v.pid()}-${v.int(1, 99)}@${v.host()} CSeq: ${v.digits(9)} INVITE`,
    (v) => `call_id=${v.uuid()}@${v.host()} leg=a cause=16 billsec=${v.int(1, 900)}`,
    (v) =>
      `To: <sip:${v.int(1000, 9999)}@${v.ip()}>;tag=${v.hex(10)} Contact: <sip:${v.phone().replaceAll(/\D/g, '')}@${v.ip()}:5060>`,
    (v) => `"callId":"${v.hex(24)}@${v.host()}","ssrc":${v.digits(10)},"jitter":0.${v.digits(6)}`,
    (v) =>
      `krb5kdc[${v.pid()}](info): TGS_REQ (8 etypes) ${v.ip()}: ISSUE: authtime ${v.seconds()}, HTTP/${v.host()}@EXAMPLE.COM`,
    (v) => `kinit: keytab contains principal host/${v.host()}@CORP.EXAMPLE.ORG kvno ${v.int(1, 90)}`,
    (v) => `Service principal: krbtgt/EXAMPLE.COM@EXAMPLE.COM renew until ${v.isoSpace()}`,
    (v) => `gssapi: accepted security context, principal=alice@EXAMPLE.COM from ${v.ip()}`,
    (v) => `Default principal: alice@CORP.EXAMPLE.ORG Ticket cache: FILE:/tmp/krb5cc_${v.int(1000, 99999)}`,
    (v) => `conn=${v.int(1000, 9999)} op=2 RESULT tag=101 err=0 etime=0.${v.digits(9)} nentries=1 csn=${v.hex(20)}`,
    (v) => `modifyTimestamp: ${v.compact()}Z entryUUID: ${v.uuid()} uSNChanged: ${v.digits(9)}`,
    (v) =>
      `pwdLastSet: ${v.digits(18)} objectSid: S-1-5-21-${v.digits(10)}-${v.digits(10)}-${v.digits(9)}-${v.int(1000, 9999)}`,
    (v) => `CDR ${v.phone()} -> ${v.phone()} duration ${v.int(1, 3600)} trunk T${v.int(1, 9)} imei ${v.imei()}`,
    (v) =>
      `Acct-Session-Id = "${v.hex(8)}" Acct-Input-Octets = ${v.digits(10)} Calling-Station-Id = "${v.mac().toUpperCase()}"`,
    (v) =>
      `imsi=260${v.digits(12)} msisdn=${v.phone().replaceAll(/\D/g, '')} lac=${v.int(1, 65535)} cell=${v.digits(9)}`,
  ],
};

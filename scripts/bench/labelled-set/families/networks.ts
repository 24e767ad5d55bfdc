import type { Family } from '../family.ts';

/** Firewalls, intrusion detection, virtual private networks, Windows, DNS, sensors, games. */
export const NETWORKS: Family = {
  name: 'networks and devices',
  personal: [
    (v) => `%ASA-6-113039: Group <VPN> User <${v.email()}> IP <${v.ip()}> AnyConnect parent session started.`,
    (v) =>
      `CEF:0|Vendor|Proxy|1.0|100|Blocked upload|5|suser=${v.email()} src=${v.ip()} rt=${v.millis()} request=https://${v.host()}/`,
    (v) => `LEEF:2.0|Vendor|DLP|1|leak|usrName=${v.email()}\tsrc=${v.ip()}\tsev=7`,
    (v) =>
      `{"event_type":"smtp","smtp":{"helo":"${v.host()}","mail_from":"<${v.email()}>","rcpt_to":["<${v.email()}>"]},"flow_id":${v.digits(16)}}`,
    (v) => `openvpn[${v.pid()}]: ${v.ip()}:${v.port()} VERIFY OK: depth=0, CN=laptop, emailAddress=${v.email()}`,
    (v) => `EventID=4740 TargetUserName=anna UserPrincipalName=${v.email()} CallerComputer=WS${v.int(100, 999)}`,
    (v) => `DLP match: policy=pci file=export.csv content="${v.card()}" action=block`,
    (v) => {
      const { name, value } = v.idField();
      return `DLP match: policy=identity content="${name}=${value}" user=alice`;
    },
    (v) => `printer: job ${v.int(1, 9999)} owner ${v.email()} pages ${v.int(1, 90)}`,
    (v) => `zoom: participant ${v.email()} joined meeting at ${v.isoSpace()}`,
    (v) => `Teams: {"from":{"user":{"userPrincipalName":"${v.email()}"}},"chatId":"19:${v.hex(32)}"}`,
    (v) => `whois: Registrant Email: ${v.email()} Registrant Phone: +1.${v.digits(10)}`,
    (v) => `SOA rname for ${v.host()} is ${v.email()} serial 20261123${v.int(10, 99)}`,
    (v) => `kiosk scanned ${v.id()} at gate ${v.int(1, 40)}`,
  ],
  lookalikes: [
    (v) =>
      `%ASA-6-302013: Built outbound TCP connection ${v.digits(9)} for outside:${v.ip()}/${v.port()} to inside:${v.ip()}/${v.port()}`,
    (v) =>
      `CEF:0|Vendor|FW|1.0|7|Deny|3|src=${v.ip()} dst=${v.ip()} spt=${v.port()} cn1=${v.digits(12)} externalId=${v.unlabelledId()} rt=${v.millis()}`,
    (v) => `{"event_type":"flow","flow_id":${v.digits(16)},"src_ip":"${v.ip()}","community_id":"1:${v.base64(27)}="}`,
    (v) => `queries: client @0x${v.hex(12)} ${v.ip()}#${v.port()} (${v.host()}): query: ${v.host()} IN A +E(0)K`,
    (v) => `DHCPACK on ${v.ip()} to ${v.mac()} via eth0 lease ${v.seconds()} xid ${v.hex(8)}`,
    (v) =>
      `EventID=4688 ProcessId=0x${v.hex(4)} SubjectLogonId=0x${v.hex(8)} S-1-5-21-${v.digits(10)}-${v.digits(9)}-${v.digits(10)}`,
    (v) =>
      `sensor ${v.mac()} temp=${v.int(10, 40)}.${v.digits(4)} pressure=${v.digits(4)}.${v.digits(2)} seq=${v.digits(10)} t=${v.micros()}`,
    (v) =>
      `$GPGGA,${v.digits(6)}.00,${v.digits(4)}.${v.digits(5)},N,${v.digits(5)}.${v.digits(5)},E,1,08,0.9,${v.int(1, 900)}.4,M,46.9,M,,*47`,
    (v) => `wifi: STA ${v.mac()} associated, bssid ${v.mac()}, tsf ${v.digits(13)} rssi -${v.int(30, 90)}`,
    (v) => `snmp: ifHCInOctets.${v.int(1, 90)} = Counter64: ${v.digits(15)} sysUpTime ${v.digits(10)}`,
    (v) => `wireguard: peer ${v.base64(43)}= endpoint ${v.ip()}:${v.port()} rx ${v.digits(10)} tx ${v.digits(10)}`,
    (v) => `ntp: offset ${v.fraction()} jitter 0.${v.digits(6)} refid ${v.ip()} stratum 2`,
    (v) =>
      `${v.isoSpace()} [notice] bgp ${v.ip6()} prefix ${v.ip()}/24 as ${v.digits(10)} path ${v.digits(5)} ${v.digits(5)} ${v.digits(5)}`,
    (v) => `match ${v.snowflake()} player ${v.digits(17)} score ${v.digits(8)} tick ${v.digits(9)}`,
    (v) =>
      `disk WD-WCC${v.digits(9)} firmware ${v.version()} lba ${v.digits(10)} hours ${v.int(1, 99999)} written ${v.digits(12)} sectors`,
    (v) => `elevator E${v.int(1, 9)} serial ${v.unlabelledId()} floor ${v.int(0, 40)} ts ${v.millis()}`,
  ],
};

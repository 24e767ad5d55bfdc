import type { Family } from '../family.ts';

/** syslog, journald, cron, PAM, auditd, the kernel, systemd. */
export const SYSTEM_LOGS: Family = {
  name: 'system logs',
  personal: [
    (v) => `<134>${v.bsd()} ${v.host()} ${v.service()}[${v.pid()}]: user ${v.email()} logged in from ${v.ip()}`,
    (v) =>
      `<165>1 ${v.iso()} ${v.host()} ${v.service()} ${v.pid()} ID47 [meta@32473 user="${v.email()}" seq="${v.int(1, 9999)}"] login`,
    (v) => {
      const { name, value } = v.idField();
      return `<165>1 ${v.iso()} ${v.host()} kyc ${v.pid()} ID12 [kyc@32473 ${name}="${value}" score="${v.int(1, 100)}"] verified`;
    },
    (v) =>
      `{"__REALTIME_TIMESTAMP":"${v.micros()}","_PID":"${v.pid()}","PRIORITY":"6","MESSAGE":"sent invoice to ${v.email()}","_BOOT_ID":"${v.hex(32)}"}`,
    (v) => `${v.bsd()} ${v.host()} CRON[${v.pid()}]: (root) CMD (/usr/bin/report --to ${v.email()} --quiet)`,
    (v) => `${v.bsd()} ${v.host()} crontab[${v.pid()}]: MAILTO=${v.email()}`,
    (v) => `${v.bsd()} ${v.host()} certbot[${v.pid()}]: Registered account for ${v.email()}, key ${v.hex(32)}`,
    (v) => `${v.bsd()} ${v.host()} sssd[${v.pid()}]: User [${v.email()}] resolved in domain [${v.host()}]`,
    (v) => {
      const { name, value } = v.idPhrase();
      return `${v.bsd()} ${v.host()} ${v.service()}[${v.pid()}]: duplicate record, ${name} ${value}, rejected`;
    },
    (v) => {
      const { name, value } = v.cardPhrase();
      return `${v.bsd()} ${v.host()} pos[${v.pid()}]: declined ${name} ${value}, reason insufficient funds`;
    },
    (v) => `${v.bsd()} ${v.host()} usermod[${v.pid()}]: change user 'alice' comment to 'Alice <${v.email()}>'`,
    (v) => `MESSAGE=Password reset requested for ${v.email()} PRIORITY=5 _SYSTEMD_UNIT=user@1000.service`,
    (v) => `${v.bsd()} ${v.host()} gpg-agent[${v.pid()}]: key for "Maria Silva <${v.email()}>" expires in 12 days`,
    (v) => `${v.bsd()} ${v.host()} smartd[${v.pid()}]: Sending warning via mail to ${v.email()} ...`,
    (v) => `${v.bsd()} ${v.host()} mdadm[${v.pid()}]: MAILADDR ${v.email()} DEVICE /dev/md0`,
    (v) => `${v.iso()} ${v.host()} ${v.service()}: id ${v.id()} enrolled`,
  ],
  lookalikes: [
    (v) => `${v.bsd()} ${v.host()} systemd[1]: Started user@${v.int(1000, 1099)}.service - User Manager for UID 1000.`,
    (v) => `${v.bsd()} ${v.host()} systemd[1]: Reached target openvpn-client@office.target.`,
    (v) =>
      `${v.bsd()} ${v.host()} systemd[1]: systemd-fsck@dev-disk-by\\x2duuid-${v.hex(4)}\\x2d${v.hex(4)}.service: Deactivated successfully.`,
    (v) =>
      `${v.bsd()} ${v.host()} kernel: [${v.digits(7)}.${v.digits(6)}] usb 1-1.2: New USB device found, idVendor=${v.hex(4)}, idProduct=${v.hex(4)}, SerialNumber=${v.digits(12)}`,
    (v) =>
      `${v.bsd()} ${v.host()} sshd[${v.pid()}]: Accepted publickey for ${v.login()} from ${v.ip()} port ${v.port()} ssh2: ED25519 SHA256:${v.base64(43)}`,
    (v) =>
      `type=SYSCALL msg=audit(${v.seconds()}.${v.digits(3)}:${v.digits(6)}): arch=c000003e syscall=59 success=yes exit=0 a0=${v.hex(12)} ppid=${v.pid()} pid=${v.pid()} auid=4294967295 uid=0`,
    (v) =>
      `{"__CURSOR":"s=${v.hex(32)};i=${v.hex(6)};b=${v.hex(32)};m=${v.hex(10)};t=${v.hex(13)};x=${v.hex(16)}","__MONOTONIC_TIMESTAMP":"${v.digits(12)}"}`,
    (v) =>
      `${v.bsd()} ${v.host()} sudo: ${v.login()} : TTY=pts/0 ; PWD=/home/${v.login()} ; USER=root ; COMMAND=/usr/bin/systemctl restart getty@tty1.service`,
    (v) =>
      `${v.bsd()} ${v.host()} kernel: EXT4-fs (sda1): ${v.digits(9)} blocks, ${v.digits(8)} inodes, ${v.digits(10)} free`,
    (v) =>
      `${v.bsd()} ${v.host()} dhclient[${v.pid()}]: bound to ${v.ip()} -- renewal in ${v.int(1000, 90000)} seconds, xid 0x${v.hex(8)}`,
    (v) =>
      `<165>1 ${v.iso()} ${v.host()} evntslog - ID47 [exampleSDID@32473 iut="3" eventID="${v.unlabelledId()}"] event`,
    (v) =>
      `${v.bsd()} ${v.host()} chronyd[${v.pid()}]: System clock wrong by ${v.int(0, 9)}.${v.digits(9)} seconds, frequency ${v.digits(2)}.${v.digits(3)} ppm`,
    (v) => `${v.bsd()} ${v.host()} rsyslogd: imjournal: ${v.digits(11)} messages lost, offset ${v.digits(13)}`,
    (v) =>
      `${v.bsd()} ${v.host()} kernel: audit: backlog limit exceeded jiffies=${v.digits(10)} cpu${v.int(0, 63)}: ${v.digits(16)} ns`,
    (v) =>
      `${v.bsd()} ${v.host()} pam_unix(cron:session): session opened for user ${v.login()}(uid=${v.int(1000, 60000)}) by (uid=0)`,
    (v) =>
      `${v.bsd()} ${v.host()} lvm[${v.pid()}]: PV /dev/sdb1 uuid ${v.base64(6)}-${v.hex(4)}-${v.hex(4)} size ${v.digits(13)} bytes`,
  ],
};

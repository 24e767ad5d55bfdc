// Decides whether an address can be a person's mailbox. The same form names principals, logins and
// programs on a host, and messages, calls and events, which `message-id.ts` recognizes.
import { characterClasses } from './character-classes.ts';
import { codes } from './character-codes.ts';
import { canFollowKey } from './key-ends.ts';
import { DELIMITER, isMessageId, textBefore } from './message-id.ts';
import type { ScannedText } from './scanned-text.ts';
import { testAt } from './sticky-pattern.ts';
import { hashWordAt, hashWords } from './word-hash.ts';

const { codeAt, isListed, isLower, isTextWord, listCodes, unitAt } = characterClasses;
const {
  APOSTROPHE,
  BACKSLASH,
  BEYOND_ASCII,
  BLANK,
  CASE_BIT,
  COLON,
  COMMA,
  DIGIT_0,
  DIGIT_9,
  DOUBLE_QUOTE,
  EQUALS,
  HYPHEN,
  LESS_THAN,
  LOWER_E,
  LOWER_R,
  LOWER_S,
  OPEN_BRACKET,
  PLUS,
  SLASH,
  TILDE,
  UPPER_P,
} = codes;

/** The maximum number of characters before an address that are read. */
const MAX_KEY_DISTANCE = 40;
const MAX_COMMAND_DISTANCE = 100;
const MAX_URL_DISTANCE = 128;
const MAX_SCHEME_LENGTH = 8;

const DIGITS = /^\d+$/u;
const SIP_SCHEME = /\bsips?:$/iu;
/** A channel of a telephone exchange: `PJSIP/1001@…`, `sofia/external/14155550100@…`. */
const CHANNEL = /(?:^|[^\w])(?:sofia\/[\w.-]{1,64}|(?:PJ)?SIP|IAX2|Local|H323|SCCP|Motif)\/$/iu;
/** A host that is named after its telephone service. */
const PHONE_HOST = /^(?:sips?|sbc|pbx|voip|ims|trunk|asterisk|freeswitch)\d*[.-]/iu;

/**
 * Keys whose value is a program on a host: `PROGRAM=sqlplus@db.example.com`. Erlang also writes
 * `node rabbit@mq.example.com`.
 */
const PROGRAM_KEY = new RegExp(
  `(?<=(?<![a-z])(?:(?:program|process|node)(?:[-_ ]?name)?${DELIMITER}|node\\s['"]?))`,
  'iuy',
);

/** The last letters of these keys, of `name` and of `value`. */
const PROGRAM_KEY_ENDS = hashWords('ram ess ode ame lue');

/** Rejects most texts before the next pattern, which tries each of their characters. */
const LOGIN_COMMAND_NAME = /ssh|sftp|mosh/u;
/** The text between two arguments: a blank, or the quotes of a list or of `auditd`. */
const NEXT_ARGUMENT = '(?:\\s+|\\\\?["\'](?:,\\s*|\\sa\\d+=)\\\\?["\'])';
/**
 * Commands whose argument is a login: `ssh -p 22 joe@host.example.com`, `["ssh","joe@…`,
 * `a0="ssh" a1="joe@…`. Options can have values: `-J jump@host.example.com`.
 */
const LOGIN_COMMAND = new RegExp(
  '(?:^|[\\s"\'`$;|&/])(?:(?:auto)?ssh|sftp|mosh|ssh-copy-id)' +
    `(?:${NEXT_ARGUMENT}-[\\w-]+(?:(?:${NEXT_ARGUMENT}|=)[^\\s"',-][^\\s"',]*)?)*${NEXT_ARGUMENT}$`,
  'u',
);
/** The prompt of a shell or of `ssh`, and the error of `ssh`, after a login. */
const PROMPT = /(?:'s password|: Permission denied|\s[~/][\w./-]{0,64}\][$#])/uy;
/** Commands whose arguments are paths on hosts: `rsync -a data joe@host.example.com:data`. */
const COPY_COMMAND = /(?:^|[\s"'`$;|&/])(?:(?:scp|rsync|git)\s[^\n]*|rsync:\s)$/u;
/** A path after the colon, which does not begin with a port: `joe@host.example.com:data/x`. */
const RELATIVE_PATH = /^:(?!\d+\/)[\w.-]+(?:\/|\.git(?![\w.-]))/u;

/** The user name and the port of a login without a scheme: `app:s3cret@db.example.com:5432`. */
const LOGIN_NAME = /[\w-]*[a-z][\w-]*:$/iu;
const PORT = /^:\d{2,5}(?![\w.-])/u;
/** Words before an address that are not the user name of a login: `to:joe@example.com`. */
const ADDRESS_WORD = /(?:mail|mailto|to|from|cc|bcc|sender|recipient|contact|acct|address|sip):$/iu;
/**
 * Names of algorithms and extensions of SSH, which have the host of their author:
 * `curve25519-sha256@libssh.org`, `zlib@openssh.com`.
 */
const SSH_NAME =
  /^(?=[a-z\d-]*(?:\d|cbc|ctr|zlib|keepalive|eow|no-more-sessions|posix-rename|hardlink|fsync|lsetstat|statvfs|limits|expand-path|copy-data|session-bind|streamlocal|agent|strict|hostbound))[a-z\d-]+@(?:openssh\.com|(?:libssh|tinyssh|putty\.projects\.tartarus)\.org|lysator\.liu\.se|ssh\.com)$/u;
/** The first labels of these hosts. */
const SSH_HOSTS = hashWords('openssh libssh tinyssh putty lysator ssh');
const SSH_HOST_BEGINNINGS = listCodes('olpst');
/** The method of an object in a stack trace of Java: `Main$1@11ff57.run(`. */
const JAVA_OBJECT = /^@[\da-f]{4,16}\.[a-z]+$/u;
/** Programs whose nodes are named `program@host`. */
const NODE_NAMES = hashWords('celery rabbit ejabberd emqx vernemq couchdb riak mongooseim');
const NODE_NAME_BEGINNINGS = listCodes('cremvCREMV');
const MAX_NODE_NAME_LENGTH = 10;
/** A module of an rsync daemon after the host: `backup@nas.example.com::daily`. */
const RSYNC_MODULE = /::\w/uy;
/** A message of `sftp` and similar programs before a login. */
const CONNECTION = /\b(?:Connect(?:ing|ed)? to|connection to) $/u;
/** Hosts of repositories, where `git` is the user of every client. */
const GIT_HOSTS = new Set(['github.com', 'gitlab.com', 'bitbucket.org', 'ssh.dev.azure.com', 'codeberg.org']);

/** A principal of Kerberos before its last component: `HTTP/`, `joe/`. A path begins with `/`. */
const PRINCIPAL_COMPONENT = /(?:^|[\s=:"'`(<[,])[\w.$-]+\/$/u;
const PRINCIPAL_KEY =
  /(?<=(?:principal["'\\]*\s*[=: ]|\bkinit(?:\s+-\S+)*\s|\b(?:credentials|tickets?) for\s)\s*["'\\]*)/iuy;
/** The principal of a service for which a ticket is issued: `joe@EXAMPLE.COM for krbtgt/…`. */
const SERVICE_AFTER = /^ for [\w.-]+\/[\w.-]+@/u;
/** The principal of a service that acts for a user: `HTTP/web@EXAMPLE.COM for joe@EXAMPLE.COM`. */
const SERVICE_BEFORE = /\/[\w.-]+@[A-Z\d.-]+ for $/u;
/** Words in the log of a domain controller. */
const KERBEROS_WORDS = ['kerberos', 'Kerberos', 'KERBEROS', 'krbtgt', 'krb5', 'Service Name: ', 'ipa: '];
const UPPER_CASE_ONLY = /^[^a-z]+$/u;
const JDBC_URL = /jdbc:\S+$/iu;

/** Whether text[start, end), an address with its `@` at `at`, can be a person's mailbox. */
export function isMailbox(text: ScannedText, start: number, at: number, end: number): boolean {
  const left = start > 0 ? unitAt(text, start - 1) : BLANK;
  return (
    !isPhone(text, start, at, left) &&
    !isMessageId(text, start, at, end, left) &&
    !isLogin(text, start, at, end, left) &&
    !isProgram(text, start, at, end, left) &&
    !isPrincipal(text, start, at, end, left)
  );
}

/** Whether the address is the URI or the channel of a phone: `sip:+14155550100@…`, `SIP/1001@…`. */
function isPhone(text: ScannedText, start: number, at: number, left: number): boolean {
  const code = unitAt(text, start);
  const last = unitAt(text, at - 1);
  if (code < DIGIT_0 || code > DIGIT_9 || last > DIGIT_9 || !DIGITS.test(text.slice(start, at))) return false;
  // After a letter, the plus begins an element of EDIFACT: `COM+4711@…`.
  if (left === PLUS && !isTextWord(codeAt(text, start - 2))) return true;
  if (PHONE_HOST.test(text.slice(at + 1, at + MAX_KEY_DISTANCE))) return true;
  if (left === SLASH) return CHANNEL.test(textBefore(text, start, MAX_COMMAND_DISTANCE));
  return left === COLON && SIP_SCHEME.test(textBefore(text, start, MAX_SCHEME_LENGTH));
}

/** Rejects the text after most addresses before the pattern. */
function canBeginPrompt(text: ScannedText, at: number): boolean {
  const code = codeAt(text, at);
  const next = codeAt(text, at + 1);
  if (code === COLON) return next === BLANK && codeAt(text, at + 2) === UPPER_P;
  if (code === APOSTROPHE) return next === LOWER_S;
  return (code <= BLANK || code >= BEYOND_ASCII) && (next === SLASH || next === TILDE);
}

/** Whether the value at `start`, after the character `left`, can be an argument of a command. */
function canBeArgument(text: ScannedText, start: number, left: number): boolean {
  if (left !== DOUBLE_QUOTE && left !== APOSTROPHE) return left === BLANK && canEndCommand(text, start - 1);
  // A comma, or the number of an argument and an equals sign, is before the quote of an argument.
  const before = codeAt(text, start - 2);
  if (before === EQUALS) return codeAt(text, start - 3) >= DIGIT_0 && codeAt(text, start - 3) <= DIGIT_9;
  if (before <= BLANK) return codeAt(text, start - 3) === COMMA || codeAt(text, start - 3) <= BLANK;
  return before === COMMA || before === BACKSLASH || before >= BEYOND_ASCII;
}

/** The last letters of `ssh`, `mosh`, `sftp` and `ssh-copy-id`. */
const COMMAND_ENDS = 'hpd';

/** Whether the words before `end` can be a command, or an option and its value. */
function canEndCommand(text: ScannedText, end: number): boolean {
  const lowest = Math.max(0, end - MAX_COMMAND_DISTANCE);
  let at = end;
  for (let words = 0; words < 2; words++) {
    while (at > lowest && unitAt(text, at - 1) <= BLANK) at--;
    if (words === 0 && COMMAND_ENDS.includes(text.charAt(at - 1))) return true;
    while (at > lowest && unitAt(text, at - 1) > BLANK) at--;
    if (codeAt(text, at) === HYPHEN) return true;
  }
  return false;
}

/** Whether the address is the login of a connection: by a command, a port, a path, or `git`. */
function isLogin(text: ScannedText, start: number, at: number, end: number, left: number): boolean {
  if (canBeArgument(text, start, left)) {
    const before = textBefore(text, start, MAX_COMMAND_DISTANCE);
    if (LOGIN_COMMAND_NAME.test(before) && LOGIN_COMMAND.test(before)) return true;
  }
  if (left === BLANK && text.startsWith('to ', start - 3) && CONNECTION.test(textBefore(text, start, MAX_KEY_DISTANCE)))
    return true;
  if (canBeginPrompt(text, end) && testAt(PROMPT, text, end)) return true;
  if (left === SLASH && JDBC_URL.test(textBefore(text, start, MAX_URL_DISTANCE))) return true;
  if (left === SLASH && codeAt(text, start - 2) === SLASH && codeAt(text, end) === SLASH) return true;
  if (codeAt(text, end) === COLON && isHostBeforeColon(text, start, end, left)) return true;
  if (at - start !== 3 || text.slice(start, at) !== 'git') return false;
  return GIT_HOSTS.has(text.slice(at + 1, end).toLowerCase()) || /^(?:\/|:[a-z\d])/iu.test(text.slice(end, end + 2));
}

/** Whether the key is one that ends in `address` or `username`, which have the same ends. */
function isAfterCommonKey(text: ScannedText, start: number): boolean {
  const lowest = Math.max(0, start - MAX_KEY_DISTANCE);
  let at = start - 1;
  while (at > lowest && !isTextWord(unitAt(text, at))) at--;
  const last = codeAt(text, at) | CASE_BIT;
  const before = codeAt(text, last === LOWER_S ? at - 3 : at - 4) | CASE_BIT;
  return (last === LOWER_S || last === LOWER_E) && before === LOWER_R;
}

/** Whether the address is a program on a host, or an algorithm that is named after its author. */
function isProgram(text: ScannedText, start: number, at: number, end: number, left: number): boolean {
  if (
    at - start <= MAX_NODE_NAME_LENGTH &&
    isListed(NODE_NAME_BEGINNINGS, unitAt(text, start)) &&
    NODE_NAMES.has(hashWordAt(text, start, at))
  )
    return true;
  if (
    isListed(SSH_HOST_BEGINNINGS, unitAt(text, at + 1)) &&
    SSH_HOSTS.has(hashWordAt(text, at + 1, text.indexOf('.', at))) &&
    SSH_NAME.test(text.slice(start, end))
  )
    return true;
  if (codeAt(text, end) === OPEN_BRACKET && JAVA_OBJECT.test(text.slice(at, end))) return true;
  // Most addresses are in angle brackets, after which no key can be.
  if (left === LESS_THAN || !canFollowKey(text, start, PROGRAM_KEY_ENDS) || isAfterCommonKey(text, start)) return false;
  return testAt(PROGRAM_KEY, text, start);
}

/** Whether a path or a port follows the colon at `end`, so that a host precedes it. */
function isHostBeforeColon(text: ScannedText, start: number, end: number, left: number): boolean {
  const next = codeAt(text, end + 1);
  if (next === SLASH || next === TILDE) return true;
  if (next === COLON && testAt(RSYNC_MODULE, text, end)) return true;
  if (RELATIVE_PATH.test(text.slice(end, end + MAX_KEY_DISTANCE))) return true;
  const isBeforeBlank = end + 1 < text.length && next <= BLANK;
  if (!isBeforeBlank && COPY_COMMAND.test(textBefore(text, start, MAX_COMMAND_DISTANCE))) return true;
  if (left !== COLON || !PORT.test(text.slice(end, end + 7))) return false;
  const before = textBefore(text, start, MAX_KEY_DISTANCE);
  return LOGIN_NAME.test(before) && !ADDRESS_WORD.test(before);
}

/** Whether the address is a principal of Kerberos, whose realm is in upper case. */
function isPrincipal(text: ScannedText, start: number, at: number, end: number, left: number): boolean {
  if (isLower(unitAt(text, end - 1)) || !UPPER_CASE_ONLY.test(text.slice(at, end))) return false;
  const before = textBefore(text, start, MAX_KEY_DISTANCE);
  if (left === SLASH) return PRINCIPAL_COMPONENT.test(before);
  if (testAt(PRINCIPAL_KEY, before, before.length)) return true;
  if (SERVICE_BEFORE.test(before) || SERVICE_AFTER.test(text.slice(end, end + MAX_URL_DISTANCE))) return true;
  const near = text.slice(Math.max(0, start - MAX_URL_DISTANCE), end + MAX_URL_DISTANCE);
  return KERBEROS_WORDS.some((word) => near.includes(word));
}

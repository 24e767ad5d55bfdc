// Decides whether an address can be a person's mailbox. The same form names messages, calls, events
// and principals, logins and programs on a host, and files.
import { characterClasses } from './character-classes.ts';
import { codes } from './character-codes.ts';

const { isLower } = characterClasses;
const { APOSTROPHE, BLANK, COLON, DIGIT_0, DIGIT_9, DOUBLE_QUOTE, PLUS, SEMICOLON, SLASH, TILDE } = codes;

/** The maximum number of characters before an address that are read. */
const MAX_KEY_DISTANCE = 40;
const MAX_ID_DISTANCE = 320;
const MAX_COMMAND_DISTANCE = 100;
const MAX_URL_DISTANCE = 128;
const MAX_SCHEME_LENGTH = 8;

const DIGITS = /^\d+$/u;
const SIP_SCHEME = /\bsips?:$/iu;

const ID_KEY = '(?:message|msg|content|call|thread)[-_ ]?id|smtp-id|in[-_]?reply[-_]?to|i[-_]?cal[-_]?uid';
const REFERENCES = '(?<![a-z])references';
const QUOTES = '["\'\\\\]*';
/** The end of a name and `"value"`, as in a list: `{"name":"Message-ID","value":"…`. */
const PAIR = '(?:["\'\\\\]{1,8},\\s{0,3}["\'\\\\]*value)?';
/** A separator of a key: `=`, `: `, `=>` and `==`. */
const DELIMITER = `${PAIR}${QUOTES}\\s{0,3}=?[=:]>?\\s{0,3}[[(]?${QUOTES}`;
/** An id in brackets directly after its key, or in an XML element: `MessageId(`, `<message-id>`. */
const KEY_OF_ID = `(?:${ID_KEY})(?:${DELIMITER}|[(>]${QUOTES})`;
/**
 * `message-id=`, `"callId":"`, `\"msg_id\": [\"`, `cid:` before the address, or before the part of
 * an id that no address contains: `msgid=CAF=`. A sticky lookbehind reads from the address
 * backwards, and only as far as it matches.
 */
const KEYED_ID = new RegExp(
  `(?<=(?:${KEY_OF_ID}|${REFERENCES}${DELIMITER}|(?:message|msg|call)[-_ ]?id\\s|call-id\\s["']|(?<![\\w-])[cm]id:)` +
    '[\\w.+!#$%*/=^{|}~-]{0,64})',
  'iuy',
);
/**
 * The same before an id in angle brackets, and before a list of such ids. A key `id` that no other
 * word precedes is enough.
 */
const BRACKETED_ID = new RegExp(
  `(?<=(?:${KEY_OF_ID}|(?:${ID_KEY})(?:\\s|:\\\\r\\\\n\\s)|${REFERENCES}${DELIMITER}|(?:^|[^\\w\\s-]\\s?)m?id${DELIMITER}|queued as |;\\s{0,3}start=${QUOTES})` +
    '(?:<[^<>\\s]{0,128}>(?:[\\s,"\']|\\\\[rnt"]){0,8}){0,20}<[^<>\\s]{0,64})',
  'iuy',
);
/** An id in a line of Exim, which the id of the queued message begins: `1rXyZa-0007Kj-2b … id=`. */
const EXIM_ID = /(?:^|\s)\w{6}-(?:\w{6}-\w{2}|\w{11}-\w{4})\s[^\n]*\sid=[^\s<>"]{0,64}$/u;
/** The response of Exchange to a message: `<…> [InternalId=…] Queued mail for delivery`. */
const QUEUED_ID = /^> (?:\[InternalId=|Queued mail)/u;
/**
 * The id of a message in the log of Cyrus, `Delivered: <…> to mailbox: `, and of SpamAssassin,
 * `processing message <…> for joe:596`.
 */
const LOGGED_ID =
  /(?<=\bDelivered: <[^<>\s]{0,64})[^<>\s]+> to mailbox: |(?<=\bprocessing message <[^<>\s]{0,64})[^<>\s]+> for [^\s:]{1,64}:\d/uy;
/** A tag of a SIP dialog, whose name is a Call-ID: `Replaces: …;to-tag=7`. */
const DIALOG_TAG = /;(?:to|from)-tag=/iuy;
/** Hosts and names that occur in ids of messages and calls only. */
const ID_HOST = /[@.](?:mail\.gmail|prod\.outlook|amazonses)\.com$/iu;
const MIN_MACHINE_NAME_LENGTH = 10;
/**
 * Names as mail software makes them for messages: by JavaMail, Pine, mutt (the time) and Exim (the
 * id in its queue), by Mozilla, a UUID, and long hexadecimal digits alone or before an equals sign.
 */
const MACHINE_NAME = new RegExp(
  '\\.JavaMail\\.|^(?:al)?pine\\.\\w+\\.\\d|^20\\d{12}\\.\\w|^E?1\\w{5}-(?:\\w{6}-\\w{2}|\\w{11}-\\w{4})$|' +
    '^[\\da-f]{8}\\.\\d{5,8}$|^[\\da-f]{8}(?:-[\\da-f]{4}){3}-[\\da-f]{12}$|' +
    '^(?=\\D*\\d)(?:[\\da-f]{32,}$|[\\da-f]{12,}=)',
  'iu',
);
/**
 * A Call-ID after its short key in SIP, or in a message of Asterisk. These are no evidence for a
 * name without a long number.
 */
const CALL_ID = /(?<=(?:^|[\s:;,]|\\n)(?:i: |ci=)|\bSIP dialog '?)[^\s@]*\d{6}/uy;
/** The characters before an address that can be the beginning of an id in angle brackets. */
const ID_CHARACTERS = '<=!#$&*/?^{|}~';
/** The fields of events in a calendar. In lower case, `uid` is also the name of a user. */
const CALENDAR_UID = /(?:^|\s|\\n)(?:UID|RELATED-TO(?:;[\w=-]+)?|X-WR-RELCALID):$/u;

/**
 * Keys whose value is a program on a host: `PROGRAM=sqlplus@db.example.com`. Erlang also writes
 * `node rabbit@mq.example.com`.
 */
const PROGRAM_KEY = new RegExp(
  `(?<=(?<![a-z])(?:(?:program|process|node)(?:[-_ ]?name)?${DELIMITER}|node\\s['"]?))`,
  'iuy',
);

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
/** Hosts of repositories, where `git` is the user of every client. */
const GIT_HOSTS = new Set(['github.com', 'gitlab.com', 'bitbucket.org', 'ssh.dev.azure.com', 'codeberg.org']);

/** A principal of Kerberos before its last component: `HTTP/`, `joe/`. A path begins with `/`. */
const PRINCIPAL_COMPONENT = /(?:^|[\s=:"'`(<[,])[\w.$-]+\/$/u;
const PRINCIPAL_KEY =
  /(?:principal["'\\]*\s*[=: ]|\bkinit(?:\s+-\S+)*\s|\b(?:credentials|tickets?) for\s)\s*["'\\]*$/iu;
/** The principal of a service for which a ticket is issued: `joe@EXAMPLE.COM for krbtgt/…`. */
const SERVICE_AFTER = /^ for [\w.-]+\/[\w.-]+@/u;
const UPPER_CASE_ONLY = /^[^a-z]+$/u;
const JDBC_URL = /jdbc:\S+$/iu;

/** Whether text[start, end), an address with its `@` at `at`, can be a person's mailbox. */
export function isMailbox(text: string, start: number, at: number, end: number): boolean {
  const left = start > 0 ? text.charCodeAt(start - 1) : BLANK;
  return (
    !isPhone(text, start, at, left) &&
    !isId(text, start, at, end, left) &&
    !isLogin(text, start, at, end, left) &&
    !isProgram(text, start) &&
    !isPrincipal(text, start, at, end, left)
  );
}

/** The text before `end`, at most `length` characters. */
function textBefore(text: string, end: number, length: number): string {
  return text.slice(Math.max(0, end - length), end);
}

/** Whether the address is the URI of a phone: `sip:+14155550100@…`, `sip:1001@…`. */
function isPhone(text: string, start: number, at: number, left: number): boolean {
  if ((left !== PLUS && left !== COLON) || !DIGITS.test(text.slice(start, at))) return false;
  return left === PLUS || SIP_SCHEME.test(textBefore(text, start, MAX_SCHEME_LENGTH));
}

/** Whether the address is the id of a message, a call or an event. */
function isId(text: string, start: number, at: number, end: number, left: number): boolean {
  if (ID_HOST.test(text.slice(at, end))) return true;
  if (at - start > MIN_MACHINE_NAME_LENGTH && MACHINE_NAME.test(text.slice(start, at))) return true;
  if (start === 0) return false;
  KEYED_ID.lastIndex = start;
  if (KEYED_ID.test(text)) return true;
  if (left === COLON) return CALENDAR_UID.test(textBefore(text, start, MAX_KEY_DISTANCE));
  DIALOG_TAG.lastIndex = end;
  if (text.charCodeAt(end) === SEMICOLON && DIALOG_TAG.test(text)) return true;
  CALL_ID.lastIndex = start;
  if (CALL_ID.test(text)) return true;
  if (!ID_CHARACTERS.includes(text.charAt(start - 1))) return false;
  BRACKETED_ID.lastIndex = start;
  if (BRACKETED_ID.test(text) || QUEUED_ID.test(text.slice(end, end + MAX_KEY_DISTANCE))) return true;
  LOGGED_ID.lastIndex = start;
  if (LOGGED_ID.test(text)) return true;
  return EXIM_ID.test(textBefore(text, start, MAX_ID_DISTANCE));
}

/** Whether the address is the login of a connection: by a command, a port, a path, or `git`. */
function isLogin(text: string, start: number, at: number, end: number, left: number): boolean {
  if (left === BLANK || left === DOUBLE_QUOTE || left === APOSTROPHE) {
    const before = textBefore(text, start, MAX_COMMAND_DISTANCE);
    if (LOGIN_COMMAND_NAME.test(before) && LOGIN_COMMAND.test(before)) return true;
  }
  PROMPT.lastIndex = end;
  if (PROMPT.test(text)) return true;
  if (left === SLASH && JDBC_URL.test(textBefore(text, start, MAX_URL_DISTANCE))) return true;
  if (text.charCodeAt(end) === COLON && isHostBeforeColon(text, start, end, left)) return true;
  if (at - start !== 3 || text.slice(start, at) !== 'git') return false;
  return GIT_HOSTS.has(text.slice(at + 1, end).toLowerCase()) || /^(?:\/|:[a-z\d])/iu.test(text.slice(end, end + 2));
}

/** Whether the address is a program on a host. */
function isProgram(text: string, start: number): boolean {
  PROGRAM_KEY.lastIndex = start;
  return PROGRAM_KEY.test(text);
}

/** Whether a path or a port follows the colon at `end`, so that a host precedes it. */
function isHostBeforeColon(text: string, start: number, end: number, left: number): boolean {
  const next = text.charCodeAt(end + 1);
  if (next === SLASH || next === TILDE) return true;
  if (RELATIVE_PATH.test(text.slice(end, end + MAX_KEY_DISTANCE))) return true;
  if (!(next <= BLANK) && COPY_COMMAND.test(textBefore(text, start, MAX_COMMAND_DISTANCE))) return true;
  if (next < DIGIT_0 || next > DIGIT_9 || left !== COLON || !PORT.test(text.slice(end, end + 7))) return false;
  const before = textBefore(text, start, MAX_KEY_DISTANCE);
  return LOGIN_NAME.test(before) && !ADDRESS_WORD.test(before);
}

/** Whether the address is a principal of Kerberos, whose realm is in upper case. */
function isPrincipal(text: string, start: number, at: number, end: number, left: number): boolean {
  if (isLower(text.charCodeAt(end - 1)) || !UPPER_CASE_ONLY.test(text.slice(at, end))) return false;
  const before = textBefore(text, start, MAX_KEY_DISTANCE);
  if (left === SLASH) return PRINCIPAL_COMPONENT.test(before);
  return PRINCIPAL_KEY.test(before) || SERVICE_AFTER.test(text.slice(end, end + MAX_URL_DISTANCE));
}

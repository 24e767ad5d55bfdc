import { CLOUD } from './families/cloud.ts';
import { DATABASES } from './families/databases.ts';
import { DIRECTORIES } from './families/directories.ts';
import { DOCUMENTS } from './families/documents.ts';
import { ESCAPED } from './families/escaped.ts';
import { GO_AND_DOTNET } from './families/go-dotnet.ts';
import { JVM } from './families/jvm.ts';
import { LANGUAGES } from './families/languages.ts';
import { MAIL } from './families/mail.ts';
import { NETWORKS } from './families/networks.ts';
import { PAYMENTS } from './families/payments.ts';
import { SCRIPTING } from './families/scripting.ts';
import { SYSTEM_LOGS } from './families/system-logs.ts';
import { TOOLS } from './families/tools.ts';
import { WEB_SERVERS } from './families/web-servers.ts';
import type { Family } from './family.ts';

/** The kinds of systems whose lines are the first labelled set. */
export const FAMILIES: readonly Family[] = [
  WEB_SERVERS,
  SYSTEM_LOGS,
  JVM,
  SCRIPTING,
  GO_AND_DOTNET,
  DATABASES,
  MAIL,
  CLOUD,
  DOCUMENTS,
  DIRECTORIES,
  TOOLS,
  PAYMENTS,
  ESCAPED,
  NETWORKS,
  LANGUAGES,
];

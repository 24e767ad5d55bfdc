import { sql } from '../escapes.ts';
import type { Family } from '../family.ts';

/** PostgreSQL, MySQL, SQL Server, Oracle, MongoDB, Redis, Cassandra, Elasticsearch, JDBC. */
export const DATABASES: Family = {
  name: 'databases',
  personal: [
    (v) =>
      `${v.isoSpace()} UTC [${v.pid()}] app@ledger LOG:  statement: SELECT id FROM users WHERE email = '${v.email()}' LIMIT 1`,
    (v) => {
      const { name, value } = v.idField();
      return `${v.isoSpace()} UTC [${v.pid()}] ERROR:  duplicate key value violates unique constraint DETAIL:  Key (${name})=(${value}) already exists.`;
    },
    (v) =>
      `${v.isoSpace()} UTC [${v.pid()}] LOG:  execute <unnamed>: UPDATE users SET mail=$1 DETAIL:  parameters: $1 = '${v.email()}', $2 = '${v.int(1, 9999)}'`,
    (v) => {
      const { name, value } = v.idField();
      return `# Query_time: ${v.int(1, 20)}.${v.digits(6)}  Lock_time: 0.${v.digits(6)} SELECT * FROM clients WHERE \`${name}\` = '${value}';`;
    },
    (v) =>
      `INSERT INTO contacts (name, email, created) VALUES ('${sql("D'Arcy")}', '${v.email()}', '${v.isoSpace()}');`,
    (v) =>
      `INSERT INTO cards VALUES (${v.int(1, 9999)},'${v.card()}','12/29','VISA'),(${v.int(1, 9999)},'${v.card()}','01/30','MC');`,
    (v) =>
      `{"t":{"$date":"${v.iso()}"},"s":"I","c":"COMMAND","id":51803,"ctx":"conn${v.int(1, 900)}","msg":"Slow query","attr":{"ns":"crm.users","command":{"find":"users","filter":{"email":"${v.email()}"}},"durationMillis":${v.ms()}}}`,
    (v) => `E11000 duplicate key error collection: crm.users index: email_1 dup key: { email: "${v.email()}" }`,
    (v) =>
      `${v.seconds()}.${v.digits(6)} [0 ${v.ip()}:${v.port()}] "SET" "session:${v.hex(24)}" "${v.email()}" "EX" "3600"`,
    (v) =>
      `${v.seconds()}.${v.digits(6)} [0 ${v.ip()}:${v.port()}] "HSET" "user:${v.int(1, 9999)}" "email" "${v.email()}" "visits" "${v.int(1, 9999)}"`,
    (v) => {
      const { name, value } = v.idField();
      return `UPDATE applicant SET ${name} = '${value}' WHERE id = ${v.int(1, 99999)}`;
    },
    (v) => {
      const { name, value } = v.idField();
      return `COPY clients, line ${v.int(1, 9999)}, column ${name}: "${value}"`;
    },
    (v) => `ORA-00001: unique constraint (CRM.UQ_MAIL) violated on row '${v.email()}'`,
    (v) =>
      `Msg 2627, Level 14, State 1: Violation of UNIQUE KEY constraint 'UQ_Users'. The duplicate key value is (${v.email()}).`,
    (v) =>
      `[index.search.slowlog.query] [node-1] [crm][2] took[${v.ms()}ms], source[{"query":{"term":{"email.keyword":"${v.email()}"}}}]`,
    (v) =>
      `cqlsh> INSERT INTO crm.people (id, email) VALUES (${v.uuid()}, '${v.email()}') USING TIMESTAMP ${v.micros()};`,
  ],
  lookalikes: [
    (v) =>
      `${v.isoSpace()}.${v.digits(3)} UTC [${v.pid()}] app@ledger LOG:  duration: ${v.ms()}.${v.digits(3)} ms  plan: Seq Scan (cost=0.00..${v.digits(8)}.${v.digits(2)} rows=${v.digits(9)} width=8)`,
    (v) =>
      `${v.isoSpace()} UTC [${v.pid()}] LOG:  checkpoint complete: wrote ${v.int(1, 9999)} buffers; lsn=${v.hex(1).toUpperCase()}/${v.hex(8).toUpperCase()}, redo lsn=1/${v.hex(8).toUpperCase()}`,
    (v) => `${v.iso()} ${v.pid()} [Note] Access denied for user 'app'@'${v.host()}' (using password: YES)`,
    (v) => `CREATE DEFINER=\`app\`@\`%\` PROCEDURE \`purge_${v.digits(8)}\`()`,
    (v) => `mysql-bin.${v.digits(6)} end_log_pos ${v.digits(9)} CRC32 0x${v.hex(8)} GTID ${v.uuid()}:1-${v.digits(9)}`,
    (v) => `jdbc:oracle:thin:scott/${v.base64(6)}@${v.host()}:1521/ORCL pool size ${v.int(1, 90)}`,
    (v) => `jdbc:mysql://root:${v.base64(8)}@${v.host()}:3306/crm?useSSL=false`,
    (v) => `app:${v.base64(9)}@${v.host()}:5432/ledger: connection refused`,
    (v) => `mongodb+srv://reader:${v.base64(12)}@${v.host()}/crm?retryWrites=true&w=majority`,
    (v) =>
      `{"t":{"$date":"${v.iso()}"},"s":"I","c":"STORAGE","id":22430,"ctx":"Checkpointer","msg":"WiredTiger","attr":{"ts_sec":${v.seconds()},"ts_usec":${v.digits(6)},"thread":"${v.pid()}:0x${v.hex(12)}"}}`,
    (v) => `SELECT * FROM orders WHERE order_id = ${v.unlabelledId()} AND created > ${v.millis()}`,
    (v) => `redis: AOF rewrite ${v.digits(10)} bytes, replid ${v.hex(40)}, offset ${v.digits(13)}`,
    (v) => {
      const { name, value } = v.wrongIdField();
      return `CONTEXT:  SQL function "assert_${v.hex(4)}" failed for ${name} = '${value}'`;
    },
    (v) => `INSERT INTO measurements VALUES (${v.millis()}, ${v.fraction()}, ${v.digits(9)}, 'ok');`,
    (v) => `ObjectId("${v.hex(24)}") NumberLong("${v.snowflake()}") Timestamp(${v.seconds()}, ${v.int(1, 99)})`,
    (v) => `SCN ${v.digits(13)} thread 1 sequence ${v.digits(6)} dbid ${v.digits(10)} resetlogs_id ${v.digits(9)}`,
  ],
};

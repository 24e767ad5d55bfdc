import { sql } from '../escapes.ts';
import type { Family } from '../family.ts';
import { cardField, column, idField } from './pairs.ts';

/**
 * Log lines of databases (such as slow queries with their values), object-relational mappers,
 * search engines, brokers and remote calls.
 */
export const DATA_STORES: Family = {
  name: 'stores, brokers and calls',
  personal: [
    (v) =>
      `duration: ${v.ms()}.${v.digits(3)} ms  execute <unnamed>: SELECT * FROM users WHERE email = $1 DETAIL:  parameters: $1 = '${v.email()}'`,
    idField(
      (name, value) =>
        `ERROR:  duplicate key value violates unique constraint "persons_${column(name)}_key" DETAIL:  Key (${column(name)})=(${value}) already exists.`,
    ),
    (v) => `ERROR 1062 (23000): Duplicate entry '${v.email()}' for key 'users.email_unique'`,
    (v) =>
      `# Query_time: 3.${v.digits(6)} Lock_time: 0.00 Rows_sent: 1; UPDATE customer SET email='${sql(v.email())}' WHERE id=${v.int(1, 9999)};`,
    idField((name, value, v) => `INSERT INTO applicant (id, ${column(name)}) VALUES (${v.int(1, 99)}, '${value}')`),
    idField(
      (name, value) => `SELECT id FROM persons WHERE ${column(name)} = '${value}' AND deleted_at IS NULL LIMIT 1`,
    ),
    idField(
      (name, value, v) =>
        `UPDATE persons SET ${column(name)}=N'${value}', updated_at=SYSUTCDATETIME() WHERE id=${v.int(1, 99)}`,
    ),
    idField(
      (name, value) =>
        `exec sp_executesql N'select 1 from p where c=@${column(name)}',N'@${column(name)} nvarchar(20)',@${column(name)}=N'${value}'`,
    ),
    cardField(
      (name, value, v) =>
        `ORA-01438 in "PAY"."CHARGE": ${column(name).toUpperCase()} => '${value}', AMOUNT => ${v.amount()}`,
    ),
    (v) => `o.h.type.descriptor.sql.BasicBinder - binding parameter (2:VARCHAR) <- [${v.email()}]`,
    (v) =>
      `  User Load (0.${v.int(1, 9)}ms)  SELECT "users".* FROM "users" WHERE "users"."email" = $1 LIMIT $2  [["email", "${v.email()}"], ["LIMIT", 1]]`,
    idField(
      (name, value) => `  Person Create (1.2ms)  INSERT INTO "people" VALUES ($1)  [["${column(name)}", "${value}"]]`,
    ),
    (v) =>
      `(0.00${v.int(1, 9)}) SELECT 1 FROM auth_user WHERE username = '${v.email()}'; args=('${v.email()}',); alias=default`,
    (v) => `sqlalchemy.engine.Engine [generated in 0.0${v.digits(4)}s] {'email_1': '${v.email()}', 'param_1': 1}`,
    idField((name, value) => `sequelize Executing (default): SELECT 1 FROM "p" WHERE "p"."${name}" = '${value}';`),
    (v) => `prisma:query SELECT "id" FROM "User" WHERE "email" = $1 -- params: ["${v.email()}"] duration: ${v.ms()}ms`,
    (v) =>
      `Doctrine\\DBAL: Executing statement (parameters: {"1":"${v.email()}","2":${v.int(1, 99)}}, types: {"1":2,"2":1})`,
    (v) =>
      `Executed DbCommand (${v.ms()}ms) [Parameters=[@p0='${v.email()}' (Size = 256), @p1='${v.int(1, 99)}'], CommandType='Text']`,
    (v) =>
      `{"t":{"$date":"${v.iso()}"},"s":"I","c":"COMMAND","msg":"Slow query","attr":{"command":{"find":"users","filter":{"email":"${v.email()}"}},"durationMillis":${v.ms()}}}`,
    idField(
      (name, value) =>
        `E11000 duplicate key error collection: app.people index: ${column(name)}_1 dup key: { ${column(name)}: "${value}" }`,
    ),
    (v) =>
      `[${v.seconds()}.${v.digits(6)} [0 ${v.ip()}:${v.port()}] "SET" "session:${v.hex(16)}" "{\\"mail\\":\\"${v.email()}\\"}"`,
    (v) => `redis MONITOR "HSET" "user:${v.int(1, 9999)}" "email" "${v.email()}"`,
    (v) => `cassandra: SELECT * FROM ks.users WHERE email='${v.email()}' ALLOW FILTERING took ${v.ms()} ms`,
    (v) =>
      `[index.search.slowlog.query] took[${v.ms()}ms], source[{"query":{"term":{"email.keyword":"${v.email()}"}}}], id[]`,
    idField((name, value, v) => `opensearch {"query":{"match":{"${name}":{"query":"${value}"}}}} took ${v.ms()}`),
    idField(
      (name, value, v) =>
        `dynamodb PutItem {"TableName":"people","Item":{"${name}":{"S":"${value}"},"v":{"N":"${v.int(1, 9)}"}}}`,
    ),
    (v) => `neo4j CYPHER MATCH (u:User {email: $email}) RETURN u - {email: '${v.email()}'} - runtime=slotted`,
    (v) =>
      `kafka-console topic=signup partition=${v.int(0, 11)} offset=${v.digits(8)} key=${v.email()} value={"plan":"pro"}`,
    idField(
      (name, value, v) => `avro record {"type":"person","${name}":{"string":"${value}"},"ts":{"long":${v.millis()}}}`,
    ),
    (v) => `rabbitmq: basic.publish exchange=mail routing_key=welcome payload=<<"{\\"to\\":\\"${v.email()}\\"}">>`,
    (v) => `sidekiq: {"class":"WelcomeMailerJob","args":["${v.email()}",${v.int(1, 99)}],"jid":"${v.hex(24)}"}`,
    (v) =>
      `graphql operation=Login variables={"input":{"email":"${v.email()}","remember":true}} complexity=${v.int(1, 99)}`,
    idField(
      (name, value, v) =>
        `graphql variables: {"input":{"${name}":"${value}","version":${v.int(1, 9)}}} path=["createPerson"]`,
    ),
    (v) => `grpcurl -d '{"email":"${v.email()}"}' ${v.host()}:443 users.v1.Users/Get`,
    idField(
      (name, value, v) => `grpc unary /kyc.v1.Kyc/Check request: ${column(name)}:"${value}" level:LEVEL_${v.int(1, 3)}`,
    ),
    (v) => `protobuf text: user { id: ${v.int(1, 99)} email: "${v.email()}" roles: ADMIN }`,
    cardField((name, value, v) => `thrift args: ChargeRequest(${column(name)}='${value}', amountMinor=${v.digits(5)})`),
    (v) => `bson {"pan":{"$numberLong":"${v.bareCard()}"},"_id":{"$oid":"${v.hex(24)}"}}`,
    (v) => `COPY cards FROM stdin row ${v.int(1, 99)}: ${v.int(1, 99)}\\t${v.card()}\\t2027-10-31`,
    (v) => `ldap: SRCH base="ou=people,dc=example,dc=com" scope=2 filter="(mail=${v.email()})" nentries=1`,
  ],
  lookalikes: [
    (v) =>
      `LOG:  checkpoint complete: lsn=${v.hex(1).toUpperCase()}/${v.hex(8).toUpperCase()}, redo lsn=0/${v.hex(8).toUpperCase()}; xid ${v.digits(10)}`,
    (v) => `# User@Host: app[app] @ ${v.host()} [${v.ip()}]  Id: ${v.digits(8)}`,
    (v) => `Access denied for user '${v.login()}'@'${v.host()}' (using password: YES)`,
    (v) => `GRANT SELECT ON db.* TO 'reader'@'10.%' ; 'app'@'localhost' connected, thread ${v.digits(9)}`,
    (v) => `jdbc:postgresql://${v.login()}@${v.host()}:5432/app connection refused after ${v.ms()} ms`,
    (v) => `mongodb+srv://app:s3cret@cluster0.example.net/app?retryWrites=true topology ${v.hex(24)}`,
    (v) => `amqp://guest:guest@${v.host()}:5672/vhost closed, channel ${v.int(1, 99)}`,
    (v) => `redis://default:${v.base64(12)}@${v.host()}:6379/0 PING ${v.millis()}`,
    (v) => `binding parameter (1:BIGINT) <- [${v.unlabelledId()}]`,
    (v) => `SELECT * FROM orders WHERE id = ${v.digits(18)} AND created_at > '${v.isoSpace()}' -- rows=${v.int(1, 99)}`,
    (v) => `INSERT INTO events (event_id, account_id) VALUES (${v.digits(17)}, ${v.unlabelledId()})`,
    (v) => `[["id", ${v.unlabelledId()}], ["LIMIT", 1]] Order Load (0.${v.int(1, 9)}ms)`,
    (v) =>
      `ORA-00600: internal error code, arguments: [kdsgrp1], [${v.digits(8)}], [${v.digits(10)}] SCN ${v.digits(14)}`,
    (v) => `SQLSTATE[23000]: Integrity constraint violation: duplicate entry '${v.digits(16)}' for key 'orders.number'`,
    (v) =>
      `{"_index":"logs-2026.11.23","_id":"${v.base64(20)}","_seq_no":${v.digits(10)},"sort":[${v.millis()},${v.digits(12)}]}`,
    (v) => `kafka: offset=${v.digits(13)} leaderEpoch=${v.int(1, 40)} CreateTime:${v.millis()} key=${v.digits(10)}`,
    (v) => `mongod conn${v.digits(6)} clusterTime Timestamp(${v.seconds()}, ${v.int(1, 40)}) ObjectId('${v.hex(24)}')`,
    (v) => `zookeeper zxid 0x${v.hex(16)} session 0x${v.hex(16)} czxid=${v.digits(12)}`,
    (v) => `etcd revision=${v.digits(10)} lease=${v.digits(19)} raft term ${v.int(1, 99)}`,
    (v) => `0000${v.hex(4)}  ${v.hex(4)} 3431 3131 3131 3131 3131 ${v.hex(4)} ${v.hex(4)}  .A4111111111.`,
    (v) =>
      `${v.hex(8)}: ${v.digits(4)} ${v.digits(4)} ${v.digits(4)} ${v.digits(4)} ${v.hex(4)} ${v.hex(4)} 4865 6c6c  ........Hell`,
    (v) => `grpc-trace-bin: ${v.base64(40)}== grpc-timeout: ${v.digits(7)}u stream=${v.int(1, 99)}`,
    (v) =>
      `protobuf text: span { trace_id: "${v.trace()}" start: ${v.nanos()} attr { key: "n" int_value: ${v.digits(15)} } }`,
    (v) => `graphql persistedQuery sha256Hash=${v.hex(64)} operation=Feed cursor=${v.base64(24)}==`,
    (v) => `snowflake ${v.snowflake()} shard ${v.int(0, 31)} worker ${v.int(0, 31)} seq ${v.digits(4)}`,
    (v) =>
      `perl: @ARGV=3 @INC changed; $hash{@keys} at script.pl line ${v.int(1, 99)}; my @rows = (${v.digits(6)}, ${v.digits(6)})`,
    (v) => `T-SQL DECLARE @id bigint = ${v.digits(15)}; SELECT @@ROWCOUNT, @@IDENTITY`,
    (v) => `oracle tns: sqlplus app/***@//${v.host()}:1521/ORCL session ${v.digits(6)}`,
  ],
};

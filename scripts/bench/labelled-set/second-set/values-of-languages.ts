import { json } from '../escapes.ts';
import type { Family } from '../family.ts';
import { cardField, column, idField, wrongIdField } from './pairs.ts';

const word = (name: string): string => name.replace(/[.-]/g, '_');

/** Objects as programming languages print them. */
export const PRINTED_OBJECTS: Family = {
  name: 'printed objects',
  personal: [
    idField((name, value, v) => `Person{id=${v.int(1, 99)}, name='A N', ${word(name)}='${value}', active=true}`),
    idField((name, value, v) => `Person[id=${v.int(1, 99)}, ${word(name)}=${value}, roles=[USER]]`),
    idField((name, value, v) => `Applicant(id=${v.int(1, 99)}, ${word(name)}=Some(${value}), tags=List(a, b))`),
    idField((name, value, v) => `Map(${word(name)} -> ${value}, step -> ${v.int(1, 9)})`),
    idField((name, value, v) => `<Person(id=${v.int(1, 99)}, ${word(name)}='${value}')>`),
    idField(
      (name, value, v) =>
        `{'id': ${v.int(1, 99)}, '${name}': u'${value}', 'ts': datetime.datetime(2026, 11, 23, ${v.int(1, 23)}, 5)}`,
    ),
    idField((name, value, v) => `OrderedDict([('id', ${v.int(1, 99)}), ('${name}', '${value}')])`),
    idField((name, value, v) => `Person(id=${v.int(1, 99)}, ${word(name)}=SecretStr('${value}'))`),
    idField(
      (name, value, v) => `#<Person id: ${v.int(1, 99)}, ${word(name)}: "${value}", created_at: "${v.isoSpace()}">`,
    ),
    idField((name, value, v) => `#<struct Person id=${v.int(1, 99)}, ${word(name)}="${value}">`),
    idField(
      (name, value) => `Parameters: {"utf8"=>"✓", "person"=>{"${name}"=>"${value}", "terms"=>"1"}, "commit"=>"Save"}`,
    ),
    idField((name, value, v) => `{:id=>${v.int(1, 99)}, :${word(name)}=>"${value}"}`),
    idField((name, value, v) => `&{ID:${v.int(1, 99)} ${word(name)}:${value} Active:true}`),
    idField((name, value, v) => `main.Person{ID:${v.int(1, 99)}, ${word(name)}:"${value}", Tags:[]string(nil)}`),
    idField((name, value, v) => `map[id:${v.int(1, 99)} ${name}:${value} step:verify]`),
    idField((name, value, v) => `Array\\n(\\n    [id] => ${v.int(1, 99)}\\n    [${name}] => ${value}\\n)`),
    idField(
      (name, value, v) =>
        `array(2) { ["id"]=> int(${v.int(1, 99)}) ["${name}"]=> string(${value.length - 2}) "${value}" }`,
    ),
    idField((name, value) => `a:1:{s:${name.length}:"${name}";s:${value.length - 2}:"${value}";}`),
    idField((name, value, v) => `{ Id = ${v.int(1, 99)}, ${word(name)} = ${value}, Active = True }`),
    idField(
      (name, value, v) => `Handling SavePerson { ${word(name)}: "${value}", Id: ${v.int(1, 99)} } in ${v.ms()} ms`,
    ),
    idField((name, value, v) => `Person { id: ${v.int(1, 99)}, ${word(name)}: Some("${value}"), tags: [] }`),
    idField((name, value, v) => `Person(id: ${v.int(1, 99)}, ${word(name)}: Optional("${value}"))`),
    idField(
      (name, value, v) =>
        `%App.Person{__meta__: #Ecto.Schema.Metadata<:loaded>, id: ${v.int(1, 99)}, ${word(name)}: "${value}"}`,
    ),
    idField((name, value, v) => `{person,${v.int(1, 99)},[{${column(name)},<<"${value}">>}]}`),
    idField((name, value, v) => `{:id ${v.int(1, 99)}, :${column(name)} "${value}", :ok? true}`),
    idField((name, value, v) => `$VAR1 = { '${name}' => '${value}', 'id' => ${v.int(1, 99)} };`),
    idField((name, value, v) => `Object { id: ${v.int(1, 99)}, "${name}": "${value}" }`),
    idField((name, value, v) => `{ id: ${v.int(1, 99)}, '${name}': '${value}', tags: [ 'a' ], [Symbol(kind)]: 1 }`),
    idField((name, value, v) => `Person {id = ${v.int(1, 99)}, ${word(name)} = Just "${value}"}`),
    idField((name, value, v) => `<Person: 0x${v.hex(12)}; ${word(name)} = "${value}">`),
    cardField((name, value) => `CardDto(${word(name)}=${value}, exp=2027-10)`),
    cardField((name, value) => `&{${word(name)}:${value} Cvv:*** Exp:10/27}`),
    cardField((name, value) => `{:${column(name)} "${value}" :exp "10/27"}`),
    cardField((name, value) => `["${name}"]=> string(19) "${value}"`),
    (v) => `User(email=${v.email()}, id=${v.int(1, 99)}, locked=false)`,
    (v) => `Optional[${v.email()}] is not a member of [${v.email()}, ${v.email()}]`,
    (v) => `#<User id: ${v.int(1, 99)}, email: "${v.email()}", encrypted_password: [FILTERED]>`,
    (v) => `User{Email:"${v.email()}", Created:time.Time{wall:0x${v.hex(12)}, ext:${v.digits(13)}}}`,
    (v) => `stdClass Object ( [email] => ${v.email()} [id] => ${v.int(1, 99)} )`,
    (v) => `("${v.email()}", ${v.int(1, 99)}, None, Decimal('${v.amount()}'))`,
    (v) => `{email,"${v.email()}"},{retries,${v.int(1, 9)}}`,
    (v) => `panic: invalid recipient &smtp.Rcpt{To:(*string)(0xc000${v.hex(6)}), Raw:"<${v.email()}>"}`,
    (v) => `Traceback: ValueError: ${json(`"${v.email()}"`)} is not in list`,
  ],
  lookalikes: [
    wrongIdField((name, value, v) => `Person{id=${v.int(1, 99)}, ${word(name)}='${value}'}`),
    wrongIdField((name, value, v) => `map[id:${v.int(1, 99)} ${name}:${value}]`),
    (v) => `Order{id=${v.unlabelledId()}, number='${v.order()}', createdAt=${v.iso()}}`,
    (v) => `Shipment[trackingNumber=${v.digits(12)}, carrier=DPD, parcels=${v.int(1, 9)}]`,
    (v) =>
      `{'id': ${v.digits(17)}, 'seq': ${v.digits(12)}, 'at': datetime.datetime(2026, 11, 23, 9, ${v.int(1, 59)}, tzinfo=<UTC>)}`,
    (v) => `#<Order:0x0000${v.hex(12)} @id=${v.unlabelledId()}, @total=0.${v.digits(5)}e3, @items=[]>`,
    (v) => `&{ID:${v.digits(18)} Hash:${v.hex(40)} Height:${v.digits(6)} Next:<nil>}`,
    (v) =>
      `goroutine ${v.int(1, 999)} [running]: main.f(0xc000${v.hex(6)}, 0x${v.hex(4)}) /app/main.go:${v.int(1, 400)} +0x${v.hex(3)}`,
    (v) => `array(2) { ["order_id"]=> string(11) "${v.digits(11)}" ["hash"]=> string(32) "${v.hex(32)}" }`,
    (v) =>
      `%App.Order{id: ${v.unlabelledId()}, inserted_at: ~U[2026-11-23 09:${v.int(10, 59)}:00Z], ref: #Reference<0.${v.digits(9)}.${v.digits(9)}.${v.digits(6)}>}`,
    (v) => `#PID<0.${v.int(100, 999)}.0> @moduledoc @spec handle_call @impl true took ${v.digits(5)}µs`,
    (v) => `<__main__.Order object at 0x7f${v.hex(10)}> @property @staticmethod @dataclass(frozen=True)`,
    (v) => `@Autowired @Value("#{app.url}") bean 'mail@config' proxy $Proxy${v.int(1, 99)}@${v.hex(8)}`,
    (v) =>
      `Thread[#${v.int(1, 99)},http-nio-8080-exec-${v.int(1, 20)},5,main]@${v.hex(6)} locked <0x0000000${v.hex(9)}>`,
    (v) => `System.Guid ${v.uuid()} ticks ${v.digits(18)} HResult -2147${v.digits(6)}`,
    (v) => `EXC_BAD_ACCESS at 0x${v.hex(16)} slide 0x${v.hex(8)} uuid <${v.hex(32)}> frame ${v.int(1, 40)}`,
    (v) => `float values [${v.fraction()}, ${v.fraction()}, 1.${v.digits(15)}e-${v.int(1, 9)}]`,
    (v) => `matrix 4111 1111\\n ${v.digits(3)} ${v.digits(5)}\\n det=${v.fraction()}`,
    (v) => `version ${v.version()}.${v.digits(8)} (build ${v.compact()}) api level ${v.int(20, 36)}`,
    (v) => `lat/lon ${v.coordinates()} accuracy ${v.digits(2)}.${v.digits(9)} fix ${v.seconds()}`,
  ],
};

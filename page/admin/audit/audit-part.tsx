import { keepPreviousData, useQuery } from '@tanstack/preact-query';
import { formatNumber } from '../../../shared/amounts.ts';
import { changeFilter, filterOf, pageOf } from '../../app/address.ts';
import { read } from '../../client/api.ts';
import type { AuditRecord, AuditRecordList } from '../../client/responses.ts';
import { Time } from '../../components/amount.tsx';
import { EmailAddress } from '../../components/email-address.tsx';
import { SelectField, TextField, withValue } from '../../components/form.tsx';
import { Pager } from '../../components/pager.tsx';
import { useSettled } from '../../components/settled.ts';
import { Empty } from '../../components/states.tsx';
import { ListTable } from '../../components/table.tsx';
import { FilteredList } from '../filtered-list.tsx';
import { IdField } from '../id-field.tsx';
import { useOwners } from '../users/account-requests.ts';
import { ChainCheck } from './chain-check.tsx';
import { recordQuery, recordsPerPage } from './record-query.ts';
import { detailsOf, eventNames } from './record-text.ts';

/** `from` and `to` are days of UTC; empty for an open end. */
const noFilter = { event_type: '', user_id: '', scenario_id: '', request_id: '', from: '', to: '' };
type Filter = typeof noFilter;

const initial = { ...noFilter, page: '1' };

const change = (changes: Partial<typeof initial>) => changeFilter(initial, { page: '1', ...changes });
const showAll = () => change(noFilter);

/** Who changed what: the records, a filter, and the verification of all of them. */
export function AuditPart() {
  const { page, ...filter } = filterOf(initial);
  const settled = useSettled(recordQuery({ ...filter, page: pageOf(page) }));
  const query = useQuery({
    queryKey: ['audit-records', settled],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => read<AuditRecordList>('/api/v1/audit-records', settled, signal),
  });
  return (
    <>
      <ChainCheck />
      <section>
        <h2>Records</h2>
        <FilteredList
          query={query}
          what="audit records"
          fieldNames={Object.keys(noFilter)}
          fields={<Filters filter={filter} />}
          showAll={showAll}
        >
          {(list) => <Found list={list} filter={filter} />}
        </FilteredList>
      </section>
    </>
  );
}

interface FoundProps {
  readonly list: AuditRecordList;
  readonly filter: Filter;
}

function Found({ list: { items, total, page }, filter }: FoundProps) {
  const isFiltered = Object.values(filter).some((value) => value !== '');
  if (total === 0) {
    return (
      <Empty title={isFiltered ? 'No record matches.' : 'No records yet.'}>
        {isFiltered && (
          <button type="button" onClick={showAll}>
            Show all
          </button>
        )}
      </Empty>
    );
  }
  return (
    <>
      <RecordTable records={items} />
      <Pager
        what="audit records"
        page={page}
        pageSize={recordsPerPage}
        total={total}
        go={(next) => change({ page: String(next) })}
      />
    </>
  );
}

function Filters({ filter }: { readonly filter: Filter }) {
  const { items: accounts, total } = useOwners().data ?? { items: [], total: 0 };
  const text = (label: string, name: 'scenario_id' | 'request_id', hint: string) => (
    <IdField label={label} name={name} hint={hint} value={filter[name]} change={(id) => change({ [name]: id })} />
  );
  const date = (label: string, name: 'from' | 'to') => (
    <TextField
      label={label}
      name={name}
      type="date"
      value={filter[name]}
      onInput={(event) => change({ [name]: event.currentTarget.value })}
    />
  );
  return (
    <>
      <SelectField
        label="Change"
        name="event_type"
        choices={withValue(eventChoices, filter.event_type)}
        value={filter.event_type}
        onChange={(event) => change({ event_type: event.currentTarget.value })}
      />
      <SelectField
        label="User"
        name="user_id"
        hint={total > accounts.length ? `The first ${accounts.length} of ${total} users.` : undefined}
        choices={withValue([any, ...accounts.map(({ id, email }) => ({ value: id, text: email }))], filter.user_id)}
        value={filter.user_id}
        onChange={(event) => change({ user_id: event.currentTarget.value })}
      />
      {text('Scenario', 'scenario_id', 'Its id, from its address.')}
      {text('Request', 'request_id', 'The id that each response and each error names.')}
      {date('From (day in UTC)', 'from')}
      {date('To (day in UTC)', 'to')}
    </>
  );
}

const any = { value: '', text: 'Any' };
const eventChoices = [any, ...Object.entries(eventNames).map(([value, name]) => ({ value, text: name }))];

function RecordTable({ records }: { readonly records: readonly AuditRecord[] }) {
  const accounts = useOwners().data?.items ?? [];
  const nameOf = (id: string) => accounts.find((account) => account.id === id)?.email ?? id;
  return (
    <ListTable caption="Audit records, the newest first" columns={['Number', 'When', 'Change', 'By', 'Request']}>
      {records.map((record) => (
        <tr key={record.id}>
          <td data-label="Number">{formatNumber(record.seq)}</td>
          <td data-label="When">
            <Time iso={record.occurred_at} />
          </td>
          <th scope="row">
            {eventNames[record.event_type]}
            <span class="hint">
              <bdi>{detailsOf(record, nameOf).join(' · ')}</bdi>
            </span>
          </th>
          <td data-label="By" class="person">
            <Sender record={record} nameOf={nameOf} />
          </td>
          <td data-label="Request">
            <code>{record.request_id}</code>
          </td>
        </tr>
      ))}
    </ListTable>
  );
}

function Sender({ record, nameOf }: { readonly record: AuditRecord; readonly nameOf: (id: string) => string }) {
  const { user_id: userId, user_id_source: source, api_key_id: keyId, client_address: address } = record;
  return (
    <>
      {userId === null ? 'Anonymous' : <EmailAddress address={nameOf(userId)} />}
      <span class="hint">
        {source === 'header' && 'named by the sender, without proof; '}
        {keyId !== null && 'by an API key; '}from {address}
      </span>
    </>
  );
}

/** What operators did by hand: who, when, to what and why. Rows are only ever added. */
export const operatorAuditSql = `
create table operator_audit (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  actor text not null check (actor <> ''),
  action text not null check (action <> ''),
  subject text not null,
  details jsonb not null check (jsonb_typeof(details) = 'object')
);
create index operator_audit_subject on operator_audit (subject, id);

create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  raise exception 'the operator audit is only ever added to' using errcode = 'CW004';
end $$;
create trigger operator_audit_fixed before update or delete or truncate on operator_audit
  for each statement execute function refuse_audit_change();
`

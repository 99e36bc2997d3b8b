/**
 * What readers of the outbox need (architecture.md 6, Outbox). An event tells whose key made its request, so that no reader joins;
 * writing one wakes the readers, whoever writes it; and positions of one request only grow: a transaction that began earlier
 * may move a request after one that began later, hence the greater of its own number and that of the request's last event.
 */
export const outboxSql = `
alter table request_events add column api_key_id text;
update request_events e set api_key_id = r.api_key_id from requests r where r.id = e.request_id and r.api_key_id is not null;
create index request_events_key on request_events (api_key_id, xid, seq) where api_key_id is not null;
alter table requests add column event_xid xid8;

-- Places count on from what another server had numbered: a restored database keeps its order, and readers their cursors.
create table outbox_origin (
  one boolean primary key default true check (one),
  -- What a place is more than the number of its transaction.
  added bigint not null default 0,
  -- No place beyond it was given when it was last noted.
  seen bigint not null default 0
);
insert into outbox_origin default values;
create function outbox_place(xid xid8) returns xid8 stable language sql as
  $$ select (xid::text::bigint + (select added from outbox_origin))::text::xid8 $$;

create function request_event_key() returns trigger language plpgsql as $$
begin
  new.api_key_id := (select r.api_key_id from requests r where r.id = new.request_id);
  return new;
end $$;
create trigger request_events_key before insert on request_events for each row execute function request_event_key();

create function request_events_told() returns trigger language plpgsql as $$
begin
  if exists (select from added) then perform pg_notify('causeway_events', ''); end if;
  return null;
end $$;
create trigger request_events_told after insert on request_events referencing new table as added
  for each statement execute function request_events_told();
`

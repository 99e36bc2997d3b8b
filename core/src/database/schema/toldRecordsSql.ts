/**
 * What is told of requests beyond their own rows. A deposit of the quote's own user that cannot be filled has a child request: what
 * becomes of it is told under the id of the quote as well, since that is the id a client knows (faults.md F135). A record shows the
 * call of a fill that was refused, and what transactions moved.
 */
export const toldRecordsSql = `
-- The quote under whose id is told what becomes of this child; null for all other requests.
alter table requests add column told_as bytea;
create index requests_told on requests (told_as) where told_as is not null;

-- Quotes under whose id something was told of a child. Whoever tells under such an id holds its row first, so that its events have
-- one order: those of children, and then those of the request that a fit deposit makes of the quote.
create table told_quotes (
  quote_id bytea primary key,
  -- Of the last event under this id.
  version integer not null,
  event_xid xid8 not null,
  -- A fit deposit has taken the id over.
  taken boolean not null default false
);

-- The call of a fill that was refused before it was sent (wire.md 3.1 failedCallData): {from, to, data, value}.
alter table request_facts add column failed_call text;

-- What transactions moved is shown for a while only.
create index request_txs_pruning on request_txs (created_at) where state_changes is not null;

-- The empty text: an event that its key hears under another id.
create or replace function request_event_key() returns trigger language plpgsql as $$
begin
  new.api_key_id := nullif(coalesce(new.api_key_id, (select r.api_key_id from requests r where r.id = new.request_id)), '');
  return new;
end $$;
`

import type { Migration } from '@causeway/core/plugin'

/** Tables of what is sent for users. A released migration never changes; add one instead. */
export const gaslessMigrations: readonly Migration[] = [
  {
    name: '0001_executed_calls',
    up: `
-- Calls that were sent without a quote, by what they are and whose: the same one again is the same request while that is under way.
create table gasless_calls (
  hash bytea primary key,
  request_id bytea not null,
  created_at timestamptz not null
);
create index gasless_calls_age on gasless_calls (created_at);

-- What calls cost us that nobody else pays for, by day and key; the empty key is all of them. In 10^-18 US dollars.
create table gasless_losses (
  day date not null,
  api_key_id text not null,
  usd numeric(78, 0) not null,
  primary key (day, api_key_id)
);

-- Calls whose quote has charged its route for them, until its deposit is there: a call that brings none costs us as much.
create table gasless_expected (
  request_id bytea primary key,
  api_key_id text not null,
  usd numeric(78, 0) not null,
  created_at timestamptz not null
);
create index gasless_expected_key on gasless_expected (api_key_id, created_at);
`,
  },
  {
    name: '0002_relay_losses',
    up: `
-- Every transaction that is sent for a user, until its cost is known. The columns of before hold the caller (api_key_id: a key or a network) and
-- the part that its route was charged for (usd).
alter table gasless_expected
  add column owner text,
  add column lost numeric(78, 0) not null default 0,
  add column sponsored numeric(78, 0) not null default 0,
  -- Expected cost in the native currency, smallest unit; null: it was not kept.
  add column fee numeric(78, 0),
  -- It took gas and no deposit follows.
  add column ended boolean not null default false;
create index gasless_expected_owner on gasless_expected (owner, created_at) where owner is not null;

-- By caller or owner (api_key_id) what deposits paid for.
alter table gasless_losses add column paid numeric(78, 0) not null default 0;
create index gasless_losses_holder on gasless_losses (api_key_id) where paid > 0;
`,
  },
  {
    name: '0003_trusted_callers',
    up: `
-- An operator vouches for the caller.
alter table gasless_expected add column if not exists trusted boolean not null default false;
`,
  },
]

import type { Migration } from '@causeway/core/plugin'

/** Tables of `POST /execute`. A released migration never changes; add one instead. */
export const executeMigrations: readonly Migration[] = [
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
]

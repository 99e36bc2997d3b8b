/**
 * Live quotes that their users execute alone, so that the watcher of a chain finds their transactions without a report; `sender`: the
 * account that has to sign. And how far that watcher read each chain.
 */
export const directQuotesSql = `
create table direct_quotes (
  request_id bytea primary key,
  chain_id bigint not null,
  sender text not null,
  kind text not null,
  live_until timestamptz not null
);
create index direct_quotes_live on direct_quotes (chain_id, kind, live_until);
create index direct_quotes_ended on direct_quotes (live_until);

create table direct_cursors (
  chain_id bigint primary key,
  cursor text not null,
  updated_at timestamptz not null
);
`

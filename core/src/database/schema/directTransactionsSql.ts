/** Transactions said to move value for a request without the solver; looked at until the chain shows them deep enough. */
export const directTransactionsSql = `
create table direct_transactions (
  request_id bytea not null,
  chain_id bigint not null,
  tx_id text not null,
  attempts integer not null default 0,
  next_look_at timestamptz not null,
  give_up_at timestamptz not null,
  primary key (request_id, tx_id)
);
create index direct_transactions_due on direct_transactions (chain_id, next_look_at);
`

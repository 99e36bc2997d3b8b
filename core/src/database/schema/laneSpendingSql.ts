/** What each signer signed away, by minute, so that an hour is summed from some sixty rows; and what an operator accepts of a lane. */
export const laneSpendingSql = `
create table lane_spending (
  chain_id bigint not null,
  signer text not null,
  minute timestamptz not null,
  currency text not null,
  amount numeric(78, 0) not null,
  primary key (chain_id, signer, minute, currency)
);

-- Set while transactions of the key could not all be read: where the chain stands, and what of that an operator accepted unread.
alter table lanes add column seen_position text, add column accepted_position text;
`

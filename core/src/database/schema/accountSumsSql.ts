/** Amounts in the parts of accounts that many deposit addresses share, by the history of each account up to a height. */
export const accountSumsSql = `
create table account_sums (
  chain_id bigint not null,
  account text not null,
  -- The history was read above this height,
  since bigint not null,
  -- and up to this one.
  height bigint not null,
  -- Above this one nothing moved.
  moved bigint not null,
  primary key (chain_id, account)
);

-- Parts in which nothing lies have no row.
create table account_part_sums (
  chain_id bigint not null,
  account text not null,
  part text not null,
  currency text not null,
  amount numeric(78, 0) not null check (amount > 0),
  primary key (chain_id, account, part, currency)
);
`

/** Tokens by which processes without a key of an account read it at the nodes of a chain. */
export const accessTokensSql = `
create table access_tokens (
  chain_id bigint not null,
  account text not null,
  token text not null,
  expires_at timestamptz not null,
  primary key (chain_id, account)
);
`

/** Which order a wallet's transfer with a nonce is for, on chains whose transfers cannot say so (wire.md 2.8). */
export const nonceMappingsSql = `
-- The first mapping of a nonce stays: only an index over all rows makes the second of two lose, so this is not partitioned.
create table nonce_mappings (
  chain_id bigint not null,
  wallet bytea not null check (length(wallet) = 20),
  nonce bigint not null check (nonce >= 0),
  id bytea not null check (length(id) = 32),
  depositor bytea not null check (length(depositor) = 20),
  -- For ever, as payments and deposits are: of an account of this service for a payment of its own, or the deposit came.
  kept boolean not null,
  created_at timestamptz not null,
  primary key (chain_id, wallet, nonce)
);
create index nonce_mappings_age on nonce_mappings (created_at) where not kept;
`

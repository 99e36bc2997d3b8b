import type { Migration } from '@causeway/core/plugin'

/** Tables of this plugin. A released migration never changes; add one instead. */
export const migrations: readonly Migration[] = [
  {
    name: '0001_quote_rules',
    up: `
-- integrator_id is what INTEGRATOR_AUTH tells of a caller; its tables belong to another plugin.
-- A row never changes, so that the rule_id in a record always means the same terms: a new version is a new row.
create table quote_rules (
  rule_id integer generated always as identity primary key,
  integrator_id text not null check (length(integrator_id) between 1 and 100),
  bucket text not null check (bucket in ('bridge', 'stable', 'major', 'minor', 'any')),
  origin_chain_id bigint,
  origin_currency text check (origin_currency is null or origin_chain_id is not null),
  destination_chain_id bigint,
  destination_currency text check (destination_currency is null or destination_chain_id is not null),
  relay_fee_bps smallint not null check (relay_fee_bps between 0 and 1000),
  integrator_fee_bps smallint not null check (integrator_fee_bps between 0 and 1000),
  integrator_fee_recipient text,
  oracle_bps smallint check (oracle_bps <= 1000 and oracle_bps >= relay_fee_bps + integrator_fee_bps),
  created_at timestamptz not null,
  check (integrator_fee_bps = 0 or integrator_fee_recipient is not null),
  unique nulls not distinct
    (integrator_id, bucket, origin_chain_id, origin_currency, destination_chain_id, destination_currency)
);
`,
  },
]

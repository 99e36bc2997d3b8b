import type { Migration } from '@causeway/core/plugin'

/** Tables of this plugin. A released migration never changes; add one instead. */
export const migrations: readonly Migration[] = [
  {
    name: '0001_currencies',
    up: `
-- Imported currencies; those of the configuration are not in it. The key columns hold lower-case text, made by the
-- importer, in the plain byte order that serves prefix search.
create table currencies (
  chain_id bigint not null,
  address text not null,
  symbol text not null,
  name text not null,
  decimals smallint not null check (decimals between 0 and 255),
  vm_type text not null,
  group_id text not null,
  logo_uri text not null,
  verified boolean not null,
  is_native boolean not null,
  listed boolean not null,
  deposit_address boolean not null,
  symbol_key text collate "C" not null,
  name_key text collate "C" not null,
  address_key text collate "C" not null,
  updated_at timestamptz not null,
  primary key (chain_id, address)
);
create index currencies_order on currencies (listed desc, verified desc, symbol_key, chain_id, address);
create index currencies_symbol on currencies (symbol_key);
create index currencies_name on currencies (name_key);
create index currencies_address on currencies (address_key);
create index currencies_group on currencies (group_id);
`,
  },
]

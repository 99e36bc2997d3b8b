import type { Migration } from '@causeway/core/plugin'
import { dashboardMigration } from './dashboard/dashboardMigration.js'

/** Tables of this plugin. A released migration never changes; add one instead. */
export const migrations: readonly Migration[] = [
  {
    name: '0001_api_keys',
    up: `
create table integrators (
  id uuid primary key,
  name text not null unique,
  created_at timestamptz not null
);

-- hmac finds a key, ciphertext holds it; both depend on keys derived from the master key.
create table api_keys (
  id uuid primary key,
  integrator_id uuid not null references integrators,
  version smallint not null,
  hmac bytea not null unique check (length(hmac) = 32),
  ciphertext bytea not null,
  name text,
  elevated boolean not null default false,
  created_at timestamptz not null,
  revoked_at timestamptz,
  last_used_at timestamptz
);
create index api_keys_integrator on api_keys (integrator_id);
`,
  },
  {
    name: '0002_key_prefix',
    up: `
-- What people tell keys apart by; of keys made here only, whose other 40 characters are random. Never searched by.
alter table api_keys add column prefix text check (length(prefix) = 12);
-- The master key a row is sealed under; null: the only one there had been.
alter table api_keys add column master_mark text;
create index api_keys_listing on api_keys (integrator_id, created_at desc, id desc);
drop index api_keys_integrator;
`,
  },
  dashboardMigration,
  {
    name: '0004_trusted_keys',
    up: `
-- An operator vouches for the key. Keys of before were made by operators, but for those of integrators that wallets manage.
alter table api_keys add column trusted boolean not null default false;
update api_keys set trusted = true
where not exists (select from dashboard_wallets w where w.integrator_id = api_keys.integrator_id);
`,
  },
  {
    name: '0005_contract_wallets',
    up: `
-- The chain on which the contract at the address signs in; null: an account signs by its key. On another chain the same
-- address may be somebody else's contract.
alter table dashboard_wallets add column chain_id bigint;
`,
  },
  {
    name: '0006_first_use',
    up: `
-- To the minute; null of a key that was never used, or used before this was noted.
alter table api_keys add column first_used_at timestamptz;
`,
  },
]

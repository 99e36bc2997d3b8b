import type { Migration } from '@causeway/core'

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
]

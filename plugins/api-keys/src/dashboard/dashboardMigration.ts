import type { Migration } from '@causeway/core/plugin'

/** Wallets, sessions and what may be used once. Nothing in it lets a reader of the tables sign in. */
export const dashboardMigration: Migration = {
  name: '0003_dashboard_sessions',
  up: `
create table dashboard_wallets (
  address text primary key check (address ~ '^0x[0-9a-f]{40}$'),
  integrator_id uuid references integrators,
  operator boolean not null default false,
  created_at timestamptz not null,
  signed_in_at timestamptz
);
create index dashboard_wallets_integrator on dashboard_wallets (integrator_id);

-- A session without a wallet was opened with a token of the command line.
create table dashboard_sessions (
  id uuid primary key,
  hash bytea not null unique check (length(hash) = 32),
  wallet text references dashboard_wallets on delete cascade,
  created_at timestamptz not null,
  seen_at timestamptz not null,
  expires_at timestamptz not null,
  client_address text not null,
  user_agent text
);
create index dashboard_sessions_wallet on dashboard_sessions (wallet, created_at);
create index dashboard_sessions_expiry on dashboard_sessions (expires_at);

create table dashboard_used_nonces (
  nonce text primary key,
  expires_at timestamptz not null
);
create index dashboard_used_nonces_expiry on dashboard_used_nonces (expires_at);

create table dashboard_operator_tokens (
  hash bytea primary key check (length(hash) = 32),
  expires_at timestamptz not null
);
`,
}

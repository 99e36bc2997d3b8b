import type { Migration } from '@causeway/core/plugin'

/** Tables of this plugin. A released migration never changes; add one instead. */
export const migrations: readonly Migration[] = [
  {
    name: '0001_link_nonces',
    up: `
-- Nonces of link messages that were used, until no host takes them any more.
create table sponsorship_used_nonces (
  nonce text primary key,
  expires_at timestamptz not null
);
create index sponsorship_used_nonces_expiry on sponsorship_used_nonces (expires_at);
`,
  },
]

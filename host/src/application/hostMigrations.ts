import type { Migration } from '@causeway/core'

/** The host's own table: what this database belongs to, so that no other deployment runs on it by mistake. */
export const hostMigrations: readonly Migration[] = [
  {
    name: '0001_deployment',
    up: `
create table deployment (
  one boolean primary key default true check (one),
  network text not null check (network in ('mainnet', 'testnet')),
  master_mark text
);
`,
  },
]

import type { Migration } from '@causeway/core/plugin'

/** Tables of this plugin. A released migration never changes; add one instead. */
export const migrations: readonly Migration[] = [
  {
    name: '0001_rate_limit_counts',
    up: `
-- Columns and their order are those of rate-limiter-flexible. Counts may be lost when the server stops. expire is in Unix
-- milliseconds, exact in this type, which arrives as a number where bigint would not.
create unlogged table rate_limit_counts (
  key varchar(255) primary key,
  points integer not null default 0,
  expire double precision
);
create index rate_limit_counts_expire on rate_limit_counts (expire);
`,
  },
]

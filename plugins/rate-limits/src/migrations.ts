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
  {
    name: '0002_rate_limit_grants',
    up: `
-- Grants of a count by the time at which they leave the window (Unix milliseconds, exact in this type), and what the last statement
-- granted. A host of an earlier version counts in points alone.
alter table rate_limit_counts
  add column leaves double precision[] not null default '{}',
  add column held integer[] not null default '{}',
  add column granted integer not null default 0,
  add column grant_id double precision not null default 0,
  add column counted integer not null default 0,
  add column free_in double precision not null default 0;

-- Read when it is called: a statement may have waited for its row.
create function rate_limit_now() returns double precision language sql volatile as $$
  select floor(extract(epoch from clock_timestamp()) * 1000)::double precision
$$;

create function rate_limit_take(p_leaves double precision[], p_held integer[], p_wanted integer, p_most integer,
  p_counted_ms double precision, p_settled double precision, p_unused integer, p_earlier double precision,
  out leaves double precision[], out held integer[], out granted integer, out grant_id double precision, out counted integer,
  out free_in double precision, out expire double precision) language plpgsql volatile as $$
declare
  v_now constant double precision := rate_limit_now();
  v_leaves double precision;
  v_held integer;
begin
  leaves := '{}';
  held := '{}';
  counted := 0;
  for at in 1 .. cardinality(p_leaves) loop
    v_leaves := p_leaves[at];
    v_held := p_held[at];
    if v_leaves = p_settled then
      v_held := v_held - p_unused;
      v_leaves := v_leaves - p_earlier;
      while v_leaves = any(p_leaves) and v_leaves <> p_settled loop v_leaves := v_leaves + 1; end loop;
    end if;
    if v_leaves > v_now and v_held > 0 then
      leaves := leaves || v_leaves;
      held := held || v_held;
      counted := counted + v_held;
    end if;
  end loop;
  granted := greatest(0, least(p_wanted, p_most - counted));
  grant_id := v_now + p_counted_ms;
  while grant_id = any(leaves) loop grant_id := grant_id + 1; end loop;
  if granted > 0 then
    leaves := leaves || grant_id;
    held := held || granted;
    counted := counted + granted;
  end if;
  free_in := coalesce((select min(one) from unnest(leaves) as one), v_now) - v_now;
  expire := coalesce((select max(one) from unnest(leaves) as one), v_now);
end $$;
`,
  },
]

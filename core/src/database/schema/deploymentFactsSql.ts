/** Settings that money depends on, one a row: a host whose configuration differs is refused. */
export const deploymentFactsSql = `
create table deployment_facts (
  path text primary key,
  value text not null,
  stored_at timestamptz not null default now()
);
`

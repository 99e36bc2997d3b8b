/** What money depends on in the configuration of this deployment, one setting a row, so that a host with another one is refused. */
export const deploymentFactsSql = `
create table deployment_facts (
  path text primary key,
  value text not null,
  stored_at timestamptz not null default now()
);
`

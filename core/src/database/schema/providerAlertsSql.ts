/** What is wrong with the providers of a chain, as processes see it; see providerAlerts. */
export const providerAlertsSql = `
create table provider_alerts (
  chain_id bigint not null,
  kind text not null check (kind in ('providers-disagree', 'endpoint-distrusted', 'quorum-lost')),
  subject text not null,
  details text not null,
  first_seen timestamptz not null,
  last_seen timestamptz not null,
  count integer not null check (count > 0),
  cleared_at timestamptz,
  primary key (chain_id, kind, subject)
);
create index provider_alerts_open on provider_alerts (last_seen) where cleared_at is null;
`

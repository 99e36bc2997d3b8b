/** When a fill reverted on the chain by the doing of its own order: its recipient is paid nothing for a while. */
export const fillChargesSql = `
alter table payouts add column burnt_at timestamptz;
create index payouts_burnt on payouts (chain_id, recipient, burnt_at) where burnt_at is not null;
`

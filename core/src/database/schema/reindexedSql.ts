/** What the last reindex found at an address, amounts by currency: tokens that the solver does not hold too, which no other look sees. */
export const reindexedSql = `
alter table deposit_address_places add column reindexed jsonb;
`

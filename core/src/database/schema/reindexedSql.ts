/** Amounts by currency that the last reindex found at an address, including tokens that the solver does not hold. */
export const reindexedSql = `
alter table deposit_address_places add column reindexed jsonb;
`

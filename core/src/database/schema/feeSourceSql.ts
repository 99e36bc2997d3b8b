/** Where the network fee of a transaction was taken from, where it is not the lane's wallet. */
export const feeSourceSql = `
alter table payout_attempts add column fee_from text check (fee_from = 'capital');
`

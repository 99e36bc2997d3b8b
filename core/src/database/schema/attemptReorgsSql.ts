/** How often a transaction left the chain: what it cost is booked again each time it comes back, into the same block too. */
export const attemptReorgsSql = `
alter table payout_attempts add column reorgs int not null default 0;
`

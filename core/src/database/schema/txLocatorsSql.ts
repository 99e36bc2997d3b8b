/**
 * What a chain needs beside the id to find a transaction, as JSON: an account and its logical time, a consensus timestamp, the number
 * of a ledger (chains.md, ChainAdapter implications 1). Null where the id is enough.
 */
export const txLocatorsSql = `
alter table deposits add column locator text;
alter table payout_attempts add column locator text;
alter table imported_transactions add column locator text;
alter table request_txs add column locator text;
alter table direct_transactions add column locator text;
`

/** What is parked is counted again and again, at a cost that must not grow with the books. */
export const parkedEntriesSql = `
create index ledger_entries_parked on ledger_entries (transaction_id) include (chain_id, amount) where account = 'parked';
`

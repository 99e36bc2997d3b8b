/**
 * One transaction may carry several payouts: each has an attempt of its own, in which it is judged alone. The bytes, the guards and the fee
 * are with one of them; the others are carried, and found by the id of the transaction. What was found on the chain has a part for each
 * order that it pays.
 */
export const sharedTransactionsSql = `
alter table payout_attempts add column carried boolean not null default false;
alter table payout_attempts alter column raw drop not null, alter column prepared drop not null;
alter table payout_attempts add constraint payout_attempts_bytes check (carried = (raw is null) and carried = (prepared is null));
alter table payout_attempts drop constraint payout_attempts_chain_id_tx_id_key;
create unique index payout_attempts_tx on payout_attempts (chain_id, tx_id) where not carried;
create index payout_attempts_carried on payout_attempts (chain_id, tx_id) where carried;
alter table imported_transactions add column part int not null default 0;
alter table imported_transactions drop constraint imported_transactions_pkey;
alter table imported_transactions add primary key (chain_id, tx_id, part);
`

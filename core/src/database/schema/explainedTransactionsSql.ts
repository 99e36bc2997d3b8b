/**
 * Found transactions of which an operator said by themselves what they were: they paid for none of the deposits that wait. What others may
 * have paid of what came to addresses is found by its recipient, from both sides.
 */
export const explainedTransactionsSql = `
alter table imported_transactions add column explained boolean not null default false;
create index imported_recipient on imported_transactions (chain_id, lower(recipient)) where payout_id is null and order_id is not null;
create index requests_of_arrivals on requests (destination_chain_id, lower(recipient)) where parent_request_id is not null and deposit_address is not null;
`

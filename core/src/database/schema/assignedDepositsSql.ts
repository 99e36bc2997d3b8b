/** Deposits that an operator assigned to a request: their transactions carry the order id of another one, or none. */
export const assignedDepositsSql = `
alter table deposits add column given boolean not null default false, add column shown_order_id bytea;
`

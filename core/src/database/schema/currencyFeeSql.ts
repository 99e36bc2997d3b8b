/** What a currency itself took of the payer beyond a payment, where it takes a fee of every transfer. */
export const currencyFeeSql = `
alter table payout_attempts add column currency_fee numeric(78, 0);
`

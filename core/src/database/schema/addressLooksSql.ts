/**
 * Whose quote gave an address, and which addresses come before the many that anonymous callers can have (faults.md F155). The holder is a
 * hash, as in `hold_callers`; null is a trusted caller, and an address that an earlier version gave.
 */
export const addressLooksSql = `
alter table deposit_addresses add column holder bigint;
create index deposit_addresses_holder on deposit_addresses (holder, created_at) where holder is not null;

-- A trusted caller's quote gave the address, a payment of what was asked came to it, or an operator ordered the look.
alter table deposit_address_places add column favoured boolean not null default false;
update deposit_address_places p set favoured = true
  where exists (select from payouts s where s.chain_id = p.chain_id and s.address_id = p.address_id and s.purpose = 'sweep' and s.state in ('included', 'final'));
create index deposit_address_places_looks on deposit_address_places (chain_id, expected, favoured, next_look_at);
`

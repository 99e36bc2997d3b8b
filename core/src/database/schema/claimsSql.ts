import { isTopupSql } from '../../appBalance/topupMarker.js'

/**
 * Claims of wallets to what they are owed (wire.md 4.12). A row is what was asked for and waits for the wallet's signature; with it comes
 * the payout, and what it takes out of the balance.
 */
export const claimsSql = `
create table claims (
  id bytea primary key check (length(id) = 32),
  wallet text not null check (wallet ~ '^0x[0-9a-f]{40}$'),
  -- What it takes out of the balance.
  balance_chain_id bigint not null,
  balance_currency text not null,
  amount numeric(78, 0) not null check (amount > 0),
  -- What is paid for it: no less than this, whatever prices do meanwhile.
  chain_id bigint not null,
  currency text not null,
  recipient text not null,
  minimum numeric(78, 0) not null check (minimum > 0),
  asked_at timestamptz not null,
  expires_at timestamptz not null,
  signature text,
  signed_at timestamptz,
  payout_id bigint unique references payouts (id),
  check ((signed_at is null) = (payout_id is null))
);
create index claims_signed on claims (wallet, signed_at desc, id desc) where payout_id is not null;
create index claims_unsigned on claims (wallet, expires_at) where payout_id is null;
create index claims_expired on claims (expires_at) where payout_id is null;

alter table payouts add constraint payouts_claim check (
  purpose <> 'claim' or deposit_id is null and request_id is null and order_id is not null);

-- App fees that a user's own swap deposits may be seen after the swap was told: its record shows them then.
create function app_fees_deposited() returns trigger language plpgsql as $$
begin
  insert into request_touches (request_id)
  select distinct t.request_id from changed c join request_txs t on t.tx_id = c.tx_id and t.chain_id = c.chain_id
  where ${isTopupSql('c.order_id')};
  return null;
end $$;
create trigger app_fees_deposited after insert on deposits referencing new table as changed for each statement execute function app_fees_deposited();
create trigger app_fees_left after update on deposits referencing new table as changed for each statement execute function app_fees_deposited();
`

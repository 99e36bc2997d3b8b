import type { PoolClient } from 'pg'
import { changeAddressBooks } from '../../address/addressBooks.js'
import { withdrawUnswept } from '../../address/announcedDeposits.js'
import type { ChainMoney } from '../../chain/chainReferences.js'
import { wakeLane } from '../../database/notifier.js'
import type { DuePlace } from './duePlaces.js'

/** What was found at an address, and what follows of it. */
export interface PlaceLook {
  readonly place: DuePlace
  readonly found: readonly ChainMoney[]
  /** Null: it stays there, or nothing is there. */
  readonly sweep: NewSweep | null
  /** Unix milliseconds of the next look. */
  readonly nextAt: number
  /** Whether something is still expected to be found. */
  readonly expected: boolean
  /** Why what lies there is not swept. */
  readonly trouble: string | null
  /** What the books have there and the chain surely does not. */
  readonly gone: readonly ChainMoney[]
}

/** A sweep about to exist. */
export interface NewSweep {
  readonly signer: string
  readonly depository: string
  /** The currency that it is counted by. */
  readonly money: ChainMoney
  /** All that it takes along. */
  readonly currencies: readonly string[]
}

const LOOKED = {
  name: 'places_looked',
  text: `with l as (
      select * from jsonb_to_recordset($1::jsonb) as l(address_id bigint, chain_id bigint, found jsonb, next_at bigint, expected boolean,
        called bigint, forced boolean, was_forced boolean, trouble text)
    )
    update deposit_address_places p set found = l.found, found_at = to_timestamp($2 / 1000.0),
      -- What arrived, or was ordered, meanwhile is looked at again, and not later than it was to be.
      next_look_at = case when p.called <> l.called or p.forced and not l.was_forced then least(p.next_look_at, to_timestamp(l.next_at / 1000.0))
        else to_timestamp(l.next_at / 1000.0) end,
      expected = l.expected or p.called <> l.called, looks = case when l.expected and p.called = l.called then p.looks + 1 else 0 end,
      forced = l.forced or p.forced and not l.was_forced, trouble = l.trouble
    from l where p.address_id = l.address_id and p.chain_id = l.chain_id`,
}

const CREATE = {
  name: 'sweeps_create',
  text: `with s as (
      select * from jsonb_to_recordset($1::jsonb) as s(address_id bigint, chain_id bigint, order_id text, signer text, recipient text, currency text,
        amount numeric, data jsonb)
    )
    insert into payouts (purpose, cause, address_id, order_id, chain_id, signer, recipient, currency, amount, data, state, created_at, updated_at,
      next_action, next_action_at)
    select 'sweep', 'address:' || s.address_id || ':' || s.chain_id || ':' || (select count(*) + 1 from payouts p
        where p.purpose = 'sweep' and p.address_id = s.address_id and p.chain_id = s.chain_id),
      s.address_id, decode(s.order_id, 'hex'), s.chain_id, s.signer, s.recipient, s.currency, s.amount,
      -- A node that has not come so far would show what the sweep before has taken.
      (s.data || coalesce((select jsonb_build_object('after', max(p.included_height)::text) from payouts p
        where p.address_id = s.address_id and p.chain_id = s.chain_id and p.included_height is not null having count(*) > 0), '{}'))::text, 'ready',
      to_timestamp($2 / 1000.0), to_timestamp($2 / 1000.0), 'sign', to_timestamp($2 / 1000.0)
    from s where not exists (select from payouts o where o.chain_id = s.chain_id and o.address_id = s.address_id and o.purpose = 'sweep'
      and o.state in ('ready', 'signed'))
    on conflict do nothing`,
}

/** Writes what looks at addresses found, with the sweeps that follow, in the caller's transaction: one sweep of an address at a time. */
export const recordLooks = async (client: PoolClient, looks: readonly PlaceLook[], now: number): Promise<void> => {
  if (looks.length === 0) return
  const rows = looks.map(({ place, found, sweep, nextAt, expected, trouble }) => ({
    address_id: place.address.id,
    chain_id: place.chainId,
    found: Object.fromEntries(found.map(({ currency, amount }) => [currency, amount.toString()])),
    next_at: Math.round(nextAt),
    expected,
    called: place.called,
    forced: place.forced && sweep === null && expected,
    was_forced: place.forced,
    trouble: trouble?.slice(0, 500) ?? null,
  }))
  await client.query({ ...LOOKED, values: [JSON.stringify(rows), now] })
  const sweeps = looks.flatMap(({ place, sweep }) =>
    sweep === null
      ? []
      : [
          {
            address_id: place.address.id,
            chain_id: place.chainId,
            order_id: place.address.orderId.slice(2),
            signer: sweep.signer,
            recipient: sweep.depository,
            currency: sweep.money.currency,
            amount: sweep.money.amount.toString(),
            data: { currencies: sweep.currencies },
          },
        ],
  )
  if (sweeps.length > 0) {
    await client.query({ ...CREATE, values: [JSON.stringify(sweeps), now] })
    for (const chainId of new Set(sweeps.map(({ chain_id }) => chain_id))) await wakeLane(client, chainId)
  }
  const gone = looks.flatMap(({ place, gone: missing }) =>
    missing.map(({ currency, amount }) => ({
      addressId: place.address.id,
      chainId: place.chainId,
      currency,
      gone: amount,
    })),
  )
  await changeAddressBooks(client, gone, now)
  const idle = looks.filter(({ sweep, expected }) => sweep === null && !expected)
  await withdrawUnswept(
    client,
    idle.map(({ place }) => place.address.id),
    now,
  )
}

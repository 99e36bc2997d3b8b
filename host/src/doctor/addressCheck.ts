import type { Diagnosis } from '@causeway/core/chain'
import { HELD_SQL, NOT_WORTH_ITS_SWEEP } from '@causeway/core/money-path'
import type { Chain, Keys, Role } from '@causeway/core/plugin'
import type { Pool } from 'pg'

const CHECK = 'addresses to pay to'
const PLUGIN = '@causeway/plugin-deposit-address'
/** How long a payment may lie at an address before somebody should look. */
const UNSWEPT_MINUTES = 30
/** So few are left to give, and the pool is nearly empty. */
const FEW_LEFT = 20

export interface AddressCheckDeps {
  readonly chains: readonly Chain[]
  /** Names of the packages of the configuration. */
  readonly plugins: readonly string[]
  readonly keys: Pick<Keys, 'has'>
  /** As whose host it is looked; absent: as any. */
  readonly roles: readonly (Role | 'all')[] | undefined
}

/** Whether chains give addresses to pay to where they should, and what a host that sweeps them lacks. */
export const checkAddressChains = ({ chains, plugins, keys, roles }: AddressCheckDeps): readonly Diagnosis[] => {
  if (!plugins.includes(PLUGIN)) return []
  const sweeps = roles !== undefined && (roles.includes('solver') || roles.includes('all'))
  return chains
    .filter(({ config }) => config.enabled)
    .flatMap(({ config: { slug }, adapter: { depositAddresses } }): Diagnosis[] => {
      const found = { check: CHECK, subject: slug }
      if (depositAddresses === undefined)
        return [
          {
            ...found,
            state: 'warning',
            message: 'gives none: its options do not name what they are made of',
            remedy:
              'Set the option of its package that names it (its README, Deposit addresses), or leave it: other ways to pay stay open.',
          },
        ]
      const { forms, isSweptByKey = false } = depositAddresses
      if (isSweptByKey && sweeps && !keys.has('hd'))
        return [
          {
            ...found,
            state: 'fault',
            message: 'this process is to sweep them and has no key "hd": what is paid to them lies there',
            remedy: 'Give it the key that the addresses of the chain were made of.',
          },
        ]
      return [{ ...found, state: 'ok', message: `are given (${forms.join(', ')})` }]
    })
}

interface Facts {
  readonly unswept: { chain_id: string; payments: number; minutes: number; trouble: string | null }[] | null
  readonly missing: { chain_id: string; addresses: number; address: string }[] | null
  readonly pools: { chain_id: string; left: number }[] | null
}

/** `$1`: the trouble of what is not worth its sweep. */
const FACTS = `with held as (
    select b.address_id, b.chain_id, b.currency, ${HELD_SQL} as amount, p.trouble, p.found, p.found_at
    from deposit_address_books b left join deposit_address_places p using (address_id, chain_id) where b.arrived > b.swept + b.gone
  ), now as (
    select clock_timestamp() + offset_ms * interval '1 millisecond' as at from clock_offset
  ), waiting as (
    select h.chain_id, h.trouble, now.at - coalesce(v.block_time, v.created_at) as age
    from held h join deposit_arrivals v using (address_id, chain_id, currency), now
    where v.taken_by is null and v.state = 'included' and h.trouble is distinct from $1
  )
  select
    (select json_agg(w) from (select chain_id::text as chain_id, count(*)::int as payments,
        floor(extract(epoch from max(age)) / 60)::int as minutes, max(trouble) as trouble
      from waiting where age > interval '${UNSWEPT_MINUTES} minutes' group by chain_id) w) as unswept,
    -- A look later than all that came must find it, unless a sweep has taken it that no block shows yet.
    (select json_agg(m) from (select h.chain_id::text as chain_id, count(*)::int as addresses, min(a.address) as address
      from held h join deposit_addresses a on a.id = h.address_id
      where h.found_at > (select max(coalesce(v.block_time, v.created_at)) + interval '1 minute' from deposit_arrivals v
          where v.address_id = h.address_id and v.chain_id = h.chain_id and v.state = 'included')
        and coalesce((h.found ->> h.currency)::numeric, 0) < h.amount
        and not exists (select from payouts s where s.address_id = h.address_id and s.chain_id = h.chain_id and s.purpose = 'sweep'
          and s.state in ('ready', 'signed', 'included'))
      group by h.chain_id) m) as missing,
    (select json_agg(p) from (select chain_id::text as chain_id,
        (count(*) filter (where taken_at is null and history = server_history()))::int as left from deposit_address_pool group by chain_id) p) as pools`

/** What lies at addresses and is left there, and what their pools lack; how far their watcher is, is looked at with the other work. */
export const checkAddresses = async (
  pool: Pool,
  chains: readonly { readonly id: number; readonly slug: string }[],
): Promise<readonly Diagnosis[]> => {
  const { rows } = await pool.query<Facts>(FACTS, [NOT_WORTH_ITS_SWEEP])
  const [facts] = rows
  if (facts === undefined) return []
  const of = (chainId: string) => ({
    check: CHECK,
    subject: chains.find(({ id }) => String(id) === chainId)?.slug ?? `chain ${chainId}`,
  })
  return [
    ...(facts.unswept ?? []).map(
      ({ chain_id, payments, minutes, trouble }): Diagnosis => ({
        ...of(chain_id),
        state: 'fault',
        message: `${payments} ${payments === 1 ? 'payment is' : 'payments are'} not swept, the oldest for ${minutes} minutes${trouble === null ? '' : `: ${trouble}`}`,
        remedy: 'Look with "causeway deposit-addresses list --unswept".',
      }),
    ),
    ...(facts.missing ?? []).map(
      ({ chain_id, addresses, address }): Diagnosis => ({
        ...of(chain_id),
        state: 'warning',
        message: `the books have more than lies there at ${addresses} of them, ${address} for example`,
        remedy:
          'Look with "causeway deposit-addresses show" and an explorer; "causeway deposit-addresses rescan" looks again.',
      }),
    ),
    ...(facts.pools ?? [])
      .filter(({ left }) => left < FEW_LEFT)
      .map(
        ({ chain_id, left }): Diagnosis => ({
          ...of(chain_id),
          state: left === 0 ? 'fault' : 'warning',
          message: left === 0 ? 'none is left to give' : `only ${left} are left to give`,
          remedy: 'A host with the key "hd" and role solver makes more: see that one runs.',
        }),
      ),
  ]
}

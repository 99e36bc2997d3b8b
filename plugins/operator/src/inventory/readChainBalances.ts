import { ServiceError } from '@causeway/core'
import type { Chain } from '@causeway/core/plugin'
import type { OperatorDeps } from '../operatorDeps.js'

/** What one chain shows of the solver's wallet and the depository, all read at one height. */
export interface ChainBalances {
  readonly chain: Chain
  /** Null when no node of it answered; `why` says so. */
  readonly seen: {
    readonly height: bigint
    /** By currency; null where the chain does not tell it. */
    readonly wallet: ReadonlyMap<string, bigint | null>
    readonly depository: ReadonlyMap<string, bigint | null>
    /** Gas of the keys that send for users; null where the chain does not tell it, 0 where there are none. */
    readonly senders: bigint | null
    /** What of them cannot leave its account; nothing where a currency is missing. */
    readonly reserved: {
      readonly wallet: ReadonlyMap<string, bigint>
      readonly depository: ReadonlyMap<string, bigint>
    }
  } | null
  readonly why: string | null
}

const UNKNOWN_WALLET =
  'The address of its wallet is not known here: start its solver once, or state "solver" in the chain.'

/** Currencies to look at: what is configured, what gas is paid in, and what the books know besides. */
const currenciesOf = (deps: OperatorDeps, chain: Chain, booked: ReadonlyMap<number, readonly string[]>): string[] => [
  ...new Set([
    ...deps.currencies.ofChain(chain.config.id).map(({ address }) => address),
    chain.adapter.native.address,
    ...(booked.get(chain.config.id) ?? []),
  ]),
]

/** One batched read per chain (all of them when none is named), all chains at once; one that cannot be reached does not stop the others. */
export const readChainBalances = async (
  deps: OperatorDeps,
  booked: ReadonlyMap<number, readonly string[]>,
  chains: readonly Chain[] = deps.chains.all(),
): Promise<ChainBalances[]> => {
  const senders = await readSenders(deps)
  return Promise.all(
    chains.map(async (chain): Promise<ChainBalances> => {
      if (chain.config.solver === '') return { chain, seen: null, why: UNKNOWN_WALLET }
      try {
        return {
          chain,
          seen: await deps.withChain(chain, () =>
            readOne(chain, currenciesOf(deps, chain, booked), senders.get(chain.config.id) ?? []),
          ),
          why: null,
        }
      } catch (error) {
        return { chain, seen: null, why: ServiceError.is(error) ? error.message : 'No node of it could be asked.' }
      }
    }),
  )
}

/** Accounts that send, or sent, for users, by chain. */
const readSenders = async ({ pool }: OperatorDeps): Promise<ReadonlyMap<number, readonly string[]>> => {
  const { rows } = await pool.query<{ chain_id: string; signers: string[] }>(
    `select chain_id::text as chain_id, array_agg(signer order by signer) as signers from lanes where kind = 'origin' group by 1`,
  )
  return new Map(rows.map(({ chain_id, signers }) => [Number(chain_id), signers]))
}

const readOne = async (chain: Chain, currencies: readonly string[], senders: readonly string[]) => {
  const holders = [chain.config.solver, chain.adapter.depository]
  const {
    amounts,
    reserved = [],
    height,
  } = await chain.adapter.getBalances([
    ...holders.flatMap((address) => currencies.map((currency) => ({ address, currency }))),
    ...senders.map((address) => ({ address, currency: chain.adapter.native.address })),
  ])
  const gas = senders.map((_, at) => amounts[holders.length * currencies.length + at] ?? null)
  const from = (offset: number) => new Map(currencies.map((currency, at) => [currency, amounts[offset + at] ?? null]))
  const keptFrom = (offset: number) =>
    new Map(currencies.map((currency, at) => [currency, reserved[offset + at] ?? 0n]))
  const depositories = currencies.length
  return {
    height,
    wallet: from(0),
    depository: from(depositories),
    senders: gas.reduce((sum: bigint | null, each) => (sum === null || each === null ? null : sum + each), 0n),
    reserved: { wallet: keptFrom(0), depository: keptFrom(depositories) },
  }
}

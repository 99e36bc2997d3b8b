import { BoundedCache, systemClock } from '@causeway/core'
import { type JsonRpcClient, type RpcCall, resultOf } from '@causeway/core/chain-kit'
import type { RpcAccount, RpcContext } from '../../rpc/wire.js'
import { type EpochPlace, type MintInfo, readMintInfo } from './mintInfo.js'

const MINT_MS = 60_000
/** A mint that is not there yet may be soon. */
const MISSING_MS = 2_000
const MAX_MINTS = 5_000
/** About a minute and a half: longer than a transaction can wait for its block. */
const SOON_SLOTS = 200

interface RpcEpochInfo {
  readonly epoch: number
  readonly slotIndex: number
  readonly slotsInEpoch: number
}

/** Reads mints, and remembers each for a minute. */
export class MintReader {
  readonly #rpc: JsonRpcClient
  readonly #cache = new BoundedCache<MintInfo | null>({
    clock: systemClock,
    maxEntries: MAX_MINTS,
    lifeOf: (mint) => (mint === null ? MISSING_MS : MINT_MS),
  })

  constructor({ rpc }: { readonly rpc: JsonRpcClient }) {
    this.#rpc = rpc
  }

  /** Null when there is no mint of a token program at the address. */
  read(mint: string): Promise<MintInfo | null> {
    return this.#cache.get(mint, () => this.#ask(mint))
  }

  /** Mints by address, those asked for at the same time in one request; what is no mint is absent. */
  async readMany(mints: readonly string[]): Promise<ReadonlyMap<string, MintInfo>> {
    const unique = [...new Set(mints)]
    const infos = await Promise.all(unique.map((mint) => this.read(mint)))
    return new Map(infos.flatMap((info) => (info === null ? [] : [[info.address, info] as const])))
  }

  async #ask(mint: string): Promise<MintInfo | null> {
    const [account, epoch] = await this.#rpc.gather([accountCall(mint), EPOCH_CALL])
    const { value } = resultOf<RpcContext<RpcAccount | null>>(account, 'getAccountInfo')
    return readMintInfo(mint, value, placeOf(resultOf<RpcEpochInfo>(epoch, 'getEpochInfo')))
  }
}

const EPOCH_CALL: RpcCall = { method: 'getEpochInfo', params: [{ commitment: 'confirmed' }] }

const accountCall = (address: string): RpcCall => ({
  method: 'getAccountInfo',
  params: [address, { commitment: 'confirmed', encoding: 'base64' }],
})

const placeOf = ({ epoch, slotIndex, slotsInEpoch }: RpcEpochInfo): EpochPlace => ({
  epoch: BigInt(epoch),
  endsSoon: slotsInEpoch - slotIndex < SOON_SLOTS,
})

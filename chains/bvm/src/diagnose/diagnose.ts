import type { ChainConfig, Diagnosis, DiagnosisRequest } from '@causeway/core/chain'
import { type ChainDiagnosis, diagnoseChain, diagnoseDepositoryAccount } from '@causeway/core/chain-kit'
import { validateAddress } from '../address/addresses.js'
import { fingerprintOf } from '../derive/depositAddress.js'
import type { BvmSettings } from '../options.js'
import type { SourceEndpoint, SourcePool } from '../source/sourcePool.js'

export interface DiagnoseDeps {
  readonly pool: SourcePool
  readonly config: ChainConfig
  readonly settings: BvmSettings
}

/** Blocks by which an endpoint may be behind the best before it is said. */
const LAG_BLOCKS = 2n
/** Blocks come at any distance; two hours without one are rare. */
const STALE_SECONDS = 7200

/** Every endpoint by itself, then against the others, then who signs for the depository. */
export const diagnose = (
  request: DiagnosisRequest,
  { pool, config, settings }: DiagnoseDeps,
): Promise<readonly Diagnosis[]> => {
  const chain: ChainDiagnosis<SourceEndpoint> = {
    unit: 'block',
    maxBehind: LAG_BLOCKS,
    staleSeconds: STALE_SECONDS,
    otherChain: {
      message: 'serves another chain by its first block',
      expected: settings.genesisHash,
      remedy: 'Correct the URL, or "network" and "genesisHash" in the chain\'s options.',
    },
    read: async (endpoint, subject) => {
      const { height, time } = await endpoint.ask((source) => source.tip())
      const limits = () => endpoint.ask((source) => source.limits())
      return { height, time, history: () => historyOf(endpoint, subject, settings), limits }
    },
    onChain: async () => [diagnoseDepository(request, { config, settings }), accountKeyOf(config, settings)],
  }
  return diagnoseChain(chain, request, { pool, config })
}

/** The depository is an address of the network, and that of the allocator key. */
export const diagnoseDepository = (
  { allocator }: Pick<DiagnosisRequest, 'allocator'>,
  { config, settings }: Pick<DiagnoseDeps, 'config' | 'settings'>,
): Diagnosis =>
  diagnoseDepositoryAccount({
    subject: `${config.slug} depository`,
    depository: settings.depository.address,
    allocator,
    validateAddress: (text) => validateAddress(text, settings.network),
  })

/** A key that is none of an account is refused with the configuration. */
const accountKeyOf = ({ slug }: ChainConfig, { depositAccount }: BvmSettings): Diagnosis => {
  const mark = depositAccount === null ? '' : fingerprintOf(depositAccount)
  const message =
    depositAccount === null
      ? 'there are none: "depositAccountKey", the account\'s extended public key, is not set in the chain\'s options'
      : `are of the account with the fingerprint ${mark}; compare it with that of keys.hd`
  return { check: 'deposit addresses', subject: slug, state: 'ok', message }
}

/** Deposits and coins are found by address. */
const historyOf = async (
  endpoint: SourceEndpoint,
  subject: string,
  { depository }: BvmSettings,
): Promise<Diagnosis> => {
  const check = 'rpc history'
  try {
    const lack = await endpoint.ask((source) => source.lack())
    if (lack !== null) {
      const remedy = 'Start Bitcoin Core with txindex=1, without pruning, and let it finish; or use an Esplora.'
      return { check, subject, state: 'fault', message: lack, remedy }
    }
    await endpoint.ask((source) => source.coins(depository))
    return { check, subject, state: 'ok', message: 'lists the coins of the depository' }
  } catch {
    const message = 'cannot list the coins of the depository'
    const remedy = 'Esplora must have its address index; a scan by Bitcoin Core takes long: raise "rpcTimeoutMs".'
    return { check, subject, state: 'fault', message, remedy }
  }
}

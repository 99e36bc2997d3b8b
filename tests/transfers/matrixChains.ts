import { createHash } from 'node:crypto'
import type { LocalChain, LocalDeployment, TestKey, TokenPlan } from '@causeway/core/testing'
import type { HostNetwork } from '../harness/host/hostProcess.js'
import { type Cell, DOLLAR, type MatrixKind } from './matrixCells.js'

/** A chain of the matrix with who takes part on it. */
export interface MatrixChain {
  readonly kind: MatrixKind
  readonly id: number
  readonly slug: string
  readonly local: LocalChain
  readonly deployment: LocalDeployment
  readonly payout: TestKey
  readonly allocator: TestKey
  readonly users: readonly TestKey[]
}

const TOKEN_DECIMALS = [8, 6] as const
const BLOCK_MS = 250
/** Dollars of the native currency that each holds at least, and whole units of each token. */
const SOLVER_HOLDS = { usd: 500_000n, token: 1_000_000n }
const USER_HOLDS = { usd: 1_000n, token: 10_000n }

/** Second chains of kinds, how many users each has, and ids. */
export interface SecondChains {
  readonly users: number
  /** VM types that have one; absent: all. */
  readonly of?: readonly string[]
  /** Ids of first chains by VM type, where a wallet knows no other. */
  readonly ids?: Readonly<Record<string, number>>
}

/** Starts two chains of each kind, of which the first has a user for each cell that begins there. @throws Error when one fails, none is left */
export const startChains = async (
  kinds: readonly MatrixKind[],
  cells: readonly Cell[],
  { users: secondUsers, of, ids = {} }: SecondChains = { users: 0 },
): Promise<readonly MatrixChain[]> => {
  const started = await Promise.allSettled(
    kinds.flatMap((kind, index) => {
      const places = of?.includes(kind.testing.vmType) === false ? ([0] as const) : ([0, 1] as const)
      return places.map((at) => {
        const users = at === 0 ? cells.filter(({ from }) => from === kind).length : secondUsers
        const id = (at === 0 ? ids[kind.testing.vmType] : undefined) ?? 72_001 + 2 * index + at
        return startChain(kinds, { kind, at, id, users })
      })
    }),
  )
  const chains = started.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  const failed = started.find((one) => one.status === 'rejected')
  if (failed === undefined) return chains
  await closeChains(chains)
  throw failed.reason
}

export const closeChains = async (chains: readonly MatrixChain[]): Promise<void> => {
  await Promise.all(chains.map(({ local }) => local.close()))
}

export const slugOf = ({ testing }: MatrixKind, at: number): string => `${testing.vmType}-${at + 1}`

interface ChainToStart {
  readonly kind: MatrixKind
  /** The first or the second of its kind. */
  readonly at: 0 | 1
  readonly id: number
  /** How many users it has. */
  readonly users: number
}

const startChain = async (kinds: readonly MatrixKind[], asked: ChainToStart): Promise<MatrixChain> => {
  const { kind, at, id, users: count } = asked
  const { testing } = kind
  const keyOf = (name: string) => testing.keyOf(createHash('sha256').update(name).digest())
  const slug = slugOf(kind, at)
  const allocator = keyOf(testing.sandbox.allocator === 'shared' ? SHARED : `${slug} allocator`)
  const [payout, users] = [
    keyOf(`${slug} payout`),
    Array.from({ length: count }, (_, user) => keyOf(`${slug} ${user}`)),
  ]
  const local = await testing.startLocalChain({ chainId: id, blockMs: BLOCK_MS })
  try {
    const deployment = await testing.sandbox.deploy(local, {
      ...{ tokens: tokensOf(kinds, asked), payout, allocator, seed: SEED, users: users.map(({ address }) => address) },
      ...{ solverHolds: holdings(kind, SOLVER_HOLDS), userHolds: holdings(kind, USER_HOLDS) },
    })
    return { kind, id, slug, local, deployment, payout, allocator, users }
  } catch (error) {
    await local.close()
    throw error
  }
}

/** The native currency of each other kind, and the dollar. */
const tokensOf = (kinds: readonly MatrixKind[], { kind, at }: ChainToStart): readonly TokenPlan[] => {
  if (!kind.testing.sandbox.hasTokens) return []
  const decimals = (kind.tokenDecimals ?? TOKEN_DECIMALS)[at]
  const isDollar = ({ testing }: MatrixKind) => testing.native.symbol === DOLLAR.symbol
  const natives = kinds.filter((other) => other !== kind && !isDollar(other)).map(({ testing }) => testing.native)
  const { usd: _, ...dollar } = DOLLAR
  const standard = kind.dollarStandard === undefined ? {} : { standard: kind.dollarStandard }
  return [
    ...natives.map(({ symbol, name, groupId }) => ({ symbol, name, groupId, decimals })),
    ...(isDollar(kind) ? [] : [{ ...dollar, ...standard, decimals }]),
  ]
}

const holdings = (kind: MatrixKind, { usd, token }: typeof USER_HOLDS) => ({ native: usd / kind.usd + 1n, token })

/** Name of the key that allows withdrawals on every chain where one key does. */
const SHARED = 'allocator'

/** Secret of the deposit addresses of all chains. */
export const SEED = createHash('sha256').update('seed').digest()

/** What a host needs to serve the chains. */
export const networkOf = (kinds: readonly MatrixKind[], chains: readonly MatrixChain[]): HostNetwork => {
  const own = chains.filter(({ kind }) => kind.testing.sandbox.allocator === 'own')
  const shared = chains.find(({ kind }) => kind.testing.sandbox.allocator === 'shared')
  const env = (purpose: string, chain: MatrixChain) => `TEST_KEY_${purpose}_${chain.id}`
  return {
    chains: chains.map(({ kind, id, slug, local, deployment, payout }) => ({
      ...{ id, slug, name: slug, package: kind.package, rpc: [local.endpoint], currencies: deployment.currencies },
      solver: payout.address,
      confirmations: { fill: 1, success: 1, settle: 2, settleSeconds: 0 },
      options: { ...deployment.options, pollIntervalMs: 100 },
    })),
    keys: {
      ...(shared === undefined ? {} : { allocator: { env: 'TEST_KEY_ALLOCATOR' } }),
      allocators: Object.fromEntries(own.map((chain) => [chain.id, { env: env('ALLOCATOR', chain) }])),
      payout: Object.fromEntries(chains.map((chain) => [chain.id, { env: env('PAYOUT', chain) }])),
      hd: { env: 'TEST_KEY_HD' },
    },
    prices: Object.fromEntries(
      [DOLLAR, ...kinds.map(({ testing, usd }) => ({ groupId: testing.native.groupId, usd }))].map(
        ({ groupId, usd }) => [groupId, String(usd)],
      ),
    ),
    environment: Object.fromEntries([
      ...(shared === undefined ? [] : [['TEST_KEY_ALLOCATOR', shared.allocator.privateKey]]),
      ['TEST_KEY_HD', `0x${SEED.toString('hex')}`],
      ...own.map((chain) => [env('ALLOCATOR', chain), chain.allocator.privateKey]),
      ...chains.map((chain) => [env('PAYOUT', chain), chain.payout.privateKey]),
      ...chains.flatMap(({ deployment }) => Object.entries(deployment.environment ?? {})),
    ]),
  }
}

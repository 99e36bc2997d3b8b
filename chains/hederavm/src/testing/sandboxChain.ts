import { randomBytes } from 'node:crypto'
import type { CurrencyConfig } from '@causeway/core/chain'
import {
  type DeploymentPlan,
  type LocalChain,
  type SandboxChain,
  type TestKey,
  wholeUnits,
} from '@causeway/core/testing'
import type { proto } from '@hiero-ledger/proto'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { depositKeyOf } from '../depositAddress/depositAddresses.js'
import { accountIdOf, int64, tokenIdOf } from './engine/values.js'
import { applyBodies } from './node/applyBodies.js'

/** As configurations list it. */
export const NATIVE_CURRENCY: CurrencyConfig = {
  address: '0.0.0',
  symbol: 'HBAR',
  name: 'HBAR',
  decimals: 8,
  groupId: 'hbar',
}

/** Tinybars that the operator leaves on the depository. */
const FLOAT = 10_000_000_000n
const TREASURY = '0.0.2'
const POLL_MS = 200
/** Units of each token that the issuer has to give out. */
const SUPPLY = 9_000_000_000_000_000_000n

/**
 * Deposits go to the account of the allocator's key. Solver and allocator have accounts with their keys, associated with every token;
 * users have the hollow accounts of their addresses, which their first signature completes.
 */
export const sandboxChain: SandboxChain = {
  processWord: 'openLocalHedera',
  allocator: 'own',
  hasTokens: true,
  deploy: async (chain, plan) => {
    const { payout, allocator } = plan
    const [issuer] = await applyBodies(chain, [accountOf({ ECDSASecp256k1: publicKeyOf(randomBytes(32)) })])
    const treasury = issuer?.account ?? ''
    const made = await applyBodies(chain, [
      ...[payout, allocator].map(ownedAccount),
      ...plan.tokens.map((token) => tokenOf(token, treasury)),
    ])
    const accounts = made.flatMap(({ account }) => account ?? [])
    const currencies = plan.tokens.map((token, at) => currencyOf(token, made[accounts.length + at]?.token ?? ''))
    const tokens = currencies.map(({ address }) => tokenIdOf(address))
    const associations = accounts.map((account) => ({ tokenAssociate: { account: accountIdOf(account), tokens } }))
    await applyBodies(chain, tokens.length === 0 ? [] : associations)
    await fundAll(chain, plan, { treasury, currencies })
    const genesisHash = `0x${await chain.genesisHash()}`
    // The HBAR of the operator in the depository is no deposit.
    const startBlock = (await chain.height()) + 1
    await chain.advance()
    const depositKey = plan.seed === undefined ? null : depositKeyOf(plan.seed)
    const depository = allocator.address
    return {
      depository,
      options: {
        ...{ depository, genesisHash, startBlock, pollIntervalMs: POLL_MS, mirrorLagBlocks: 0 },
        ...(depositKey === null ? {} : { depositKey }),
      },
      currencies: [NATIVE_CURRENCY, ...currencies],
      unlisted: [],
    }
  },
}

const publicKeyOf = (secret: Uint8Array): Uint8Array => secp256k1.getPublicKey(secret, true)

const accountOf = (key: proto.IKey, alias?: Uint8Array): proto.ITransactionBody => ({
  cryptoCreateAccount: { key, ...(alias === undefined ? {} : { alias }) },
})

const bytesOf = (hex: string): Uint8Array => Buffer.from(hex.slice(2), 'hex')

/** An account with its key, whose alias is the address of the key. */
const ownedAccount = ({ privateKey, address }: TestKey): proto.ITransactionBody =>
  accountOf({ ECDSASecp256k1: publicKeyOf(bytesOf(privateKey)) }, bytesOf(address))

const tokenOf = ({ name, symbol, decimals }: DeploymentPlan['tokens'][number], treasury: string) => ({
  tokenCreation: { name, symbol, decimals, treasury: accountIdOf(treasury), initialSupply: int64(SUPPLY) },
})

const currencyOf = ({ standard: _, ...token }: DeploymentPlan['tokens'][number], address: string): CurrencyConfig => ({
  ...token,
  address,
})

const transferOf = (from: string, to: Uint8Array, amount: bigint): proto.IAccountAmount[] => [
  { accountID: accountIdOf(from), amount: int64(-amount) },
  { accountID: { alias: to }, amount: int64(amount) },
]

interface Issued {
  readonly treasury: string
  readonly currencies: readonly CurrencyConfig[]
}

/** Gives solver, depository and users what the plan says. */
const fundAll = async (
  chain: Pick<LocalChain, 'endpoint'>,
  { payout, allocator, users, solverHolds, userHolds }: DeploymentPlan,
  { treasury, currencies }: Issued,
): Promise<void> => {
  const holders = [{ address: payout.address, ...solverHolds }, ...users.map((address) => ({ address, ...userHolds }))]
  const native = [
    { address: allocator.address, amount: FLOAT },
    ...holders.map((holder) => ({ ...holder, amount: wholeUnits(holder.native, NATIVE_CURRENCY.decimals) })),
  ]
  await applyBodies(chain, [
    ...native.map(({ address, amount }) => ({
      cryptoTransfer: { transfers: { accountAmounts: transferOf(TREASURY, bytesOf(address), amount) } },
    })),
    ...currencies.flatMap((currency) =>
      holders
        .filter(({ token }) => token > 0n)
        .map(({ address, token }) => ({
          cryptoTransfer: {
            tokenTransfers: [
              {
                token: tokenIdOf(currency.address),
                transfers: transferOf(treasury, bytesOf(address), wholeUnits(token, currency.decimals)),
              },
            ],
          },
        })),
    ),
  ])
}

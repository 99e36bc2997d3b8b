import { randomBytes } from 'node:crypto'
import type { ChainAdapter } from '../../../chain/chainAdapter.js'
import type { Hex } from '../../../money/hex.js'
import { bytesToHex } from '../../../order/hexBytes.js'
import { type ContractWallets, MAX_SIGNATURE_BYTES, type WalletAnswer } from '../../../signature/contractWallets.js'
import type { ConformanceHarness, HarnessWallet, HarnessWallets } from '../conformanceHarness.js'
import { check, eventually, type Rule, there, within } from '../rule.js'
import { orDoubt, overTwo } from '../twoProviders.js'

/** Longest that a wallet which does its worst may hold up who asks. */
const HOSTILE_SECONDS = 15

const APPLIES: Required<Pick<Rule, 'needs' | 'exemption'>> = {
  needs: { ability: 'contractWallets', isThere: ({ contractWallets }) => contractWallets !== undefined },
  exemption: ({ adapter }) => (adapter.contractWallets === undefined ? 'the chain has no contract wallets' : null),
}

const newDigest = () => bytesToHex(randomBytes(32))

const walletsOf = ({ contractWallets }: ConformanceHarness): Promise<HarnessWallets> =>
  there(contractWallets, 'the harness has no contract wallets')()

const capabilityOf = ({ contractWallets }: ChainAdapter): ContractWallets =>
  there(contractWallets, 'another adapter of the chain has no contract wallets')

/** Whether the wallet vouches for what its owner signs, by the adapter. */
const vouches = async (adapter: ChainAdapter, { wallet, sign }: HarnessWallet, agreeing = 1): Promise<WalletAnswer> => {
  const digest = newDigest()
  const signature = await sign(digest, 'owner')
  return capabilityOf(adapter).verify({ wallet, digest, signature }, { agreeing })
}

const checkOne = async (adapter: ChainAdapter, { wallet, sign }: HarnessWallet, which: string): Promise<void> => {
  const ask = (digest: Hex, signature: Hex) =>
    capabilityOf(adapter).verify({ wallet, digest, signature }, { agreeing: 1 })
  const digest = newDigest()
  const signature = await sign(digest, 'owner')
  const answer = await ask(digest, signature)
  check(answer === 'valid', `what the owner of a wallet that ${which} signed is ${answer}`)
  check((await ask(newDigest(), signature)) !== 'valid', `a wallet that ${which} vouches for another digest`)
  const strange = await ask(digest, await sign(digest, 'stranger'))
  check(strange !== 'valid', `a wallet that ${which} vouches for what a stranger signed`)
}

const walletSignature = async (harness: ConformanceHarness): Promise<void> => {
  const { adapter, freshAddress } = harness
  const { there: deployed, coming } = await walletsOf(harness)
  await checkOne(adapter, deployed, 'is there')
  if (coming !== undefined) await checkOne(adapter, coming, 'is not there yet')
  const digest = newDigest()
  const signature = await deployed.sign(digest, 'owner')
  const ask = (wallet: string, given = signature) =>
    capabilityOf(adapter).verify({ wallet, digest, signature: given }, { agreeing: 1 })
  const nobody = await ask(await freshAddress())
  check(nobody === 'absent', `where no contract is, a signature is ${nobody}`)
  for (const odd of ['0x00', `0x${'ab'.repeat(MAX_SIGNATURE_BYTES)}`] as const) {
    const answer = await ask(deployed.wallet, odd)
    check(answer === 'invalid', `${(odd.length - 2) / 2} bytes of nothing are ${answer}`)
  }
}

const walletHostile = async (harness: ConformanceHarness): Promise<void> => {
  const { adapter } = harness
  const { there: honest, hostile } = await walletsOf(harness)
  check(hostile.length > 0, 'the harness has no hostile wallet')
  for (const { what, wallet } of hostile) {
    const digest = newDigest()
    const signature = await honest.sign(digest, 'owner')
    const asked = capabilityOf(adapter).verify({ wallet, digest, signature }, { agreeing: 1 })
    await within(`an answer about a wallet that ${what}`, HOSTILE_SECONDS, asked)
    const answer = await asked.catch((error: unknown) => `thrown: ${error instanceof Error ? error.message : error}`)
    check(answer === 'invalid', `the answer of a wallet that ${what} is ${answer}`)
  }
  const ill = adapter.endpoints?.().find(({ state }) => state !== 'ok')
  check(ill === undefined, `a wallet was held against a node: ${ill?.name} is ${ill?.state}`)
  check((await vouches(adapter, honest)) === 'valid', 'after hostile wallets an honest one is not asked any more')
}

const walletAgreed = async (harness: ConformanceHarness): Promise<void> => {
  const { there: wallet } = await walletsOf(harness)
  const answer = (adapter: ChainAdapter, agreeing: number) => orDoubt(vouches(adapter, wallet, agreeing))
  await overTwo(harness, ['north', 'south'], async (adapter, second) => {
    await eventually(
      'two providers agreeing on a signature',
      async () => ((await answer(adapter, 2)) === 'valid' ? true : null),
      harness.patienceSeconds,
    )
    check((await answer(adapter, 3)) !== 'valid', 'agrees by three providers where there are two')
    second.set('refusing')
    check((await answer(adapter, 2)) !== 'valid', 'agrees by two providers while only one of them answers')
  })
  await overTwo(harness, ['north', 'north'], async (adapter) => {
    check((await answer(adapter, 2)) !== 'valid', 'counts two endpoints of one provider as two')
  })
}

/** Wallets that are contracts, and say themselves what is theirs. */
export const walletRules: readonly Rule[] = [
  {
    id: 'wallet-signature',
    says: 'a contract wallet vouches for what its owner signed and nothing else; where no contract is, nobody does',
    ...APPLIES,
    run: walletSignature,
  },
  {
    id: 'wallet-hostile',
    says: 'a wallet that burns, reverts or answers with too much says no, soon, and no node is blamed for it (F82)',
    ...APPLIES,
    run: walletHostile,
  },
  {
    id: 'wallet-agreed',
    says: 'a wallet vouches by as many distinct providers as are asked for, never by fewer (invariant 3)',
    ...APPLIES,
    run: walletAgreed,
  },
]

import type { ChainAdapter, ContractWallets, WalletQuestion } from '@causeway/core/chain'
import { type Alteration, adapterWith, conformanceCases, harnessWith } from '@causeway/core/testing'
import { recoverAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BrokenAdapter, type ConformanceWorld, startConformanceWorld } from './conformanceWorld.test.support.js'

let world: ConformanceWorld

beforeAll(async () => {
  world = await startConformanceWorld(31_198)
})
afterAll(() => world?.close())

type Verify = ContractWallets['verify']

const verifyWith = (change: (real: Verify) => Verify): Alteration =>
  adapterWith(({ contractWallets }: ChainAdapter) => ({
    contractWallets: {
      verify: change((question, options) => {
        if (contractWallets === undefined) throw new Error('Every adapter of this world has contract wallets.')
        return contractWallets.verify(question, options)
      }),
    },
  }))

/** Asks the wallet without a probe, as it would ask a contract of its own. */
const askBare = async ({ wallet, digest, signature }: WalletQuestion, from?: string): Promise<string> => {
  const length = ((signature.length - 2) / 2).toString(16).padStart(64, '0')
  const data = `0x1626ba7e${digest.slice(2)}${'40'.padStart(64, '0')}${length}${signature.slice(2)}`
  const call = { to: wallet, data, ...(from === undefined ? {} : { from }) }
  return String(await world.deployment.chain.rpc('eth_call', [call, 'latest']))
}

const remembered = new Map<string, Awaited<ReturnType<Verify>>>()

const mutants: readonly BrokenAdapter[] = [
  {
    wrong: 'takes every signature',
    rule: 'wallet-signature',
    says: 'vouches for another digest',
    wrap: verifyWith(() => async () => 'valid'),
  },
  {
    wrong: 'takes no signature',
    rule: 'wallet-signature',
    says: 'what the owner of a wallet that is there signed is invalid',
    wrap: verifyWith(() => async () => 'invalid'),
  },
  {
    wrong: 'remembers a wallet that said yes (F82)',
    rule: 'wallet-signature',
    says: 'vouches for another digest',
    wrap: verifyWith((real) => async (question, options) => {
      const known = remembered.get(question.wallet) ?? (await real(question, options))
      remembered.set(question.wallet, known)
      return known
    }),
  },
  {
    wrong: 'does not know wallets that are to come',
    rule: 'wallet-signature',
    says: 'what the owner of a wallet that is not there yet signed is absent',
    wrap: verifyWith(
      (real) => async (question, options) =>
        question.signature.endsWith('6492'.repeat(16)) ? 'absent' : real(question, options),
    ),
  },
  {
    wrong: 'recovers a key where no contract is',
    rule: 'wallet-signature',
    says: 'where no contract is, a signature is valid',
    wrap: verifyWith((real) => async (question, options) => {
      const answer = await real(question, options)
      if (answer !== 'absent') return answer
      await recoverAddress({ hash: question.digest, signature: question.signature })
      return 'valid'
    }),
  },
  {
    wrong: 'asks the wallet itself, and fails with it',
    rule: 'wallet-hostile',
    says: 'the answer of a wallet that burns-gas is thrown',
    wrap: verifyWith((real) => async (question, options) => {
      const answer = await real(question, options)
      return answer === 'invalid' && (await askBare(question)).startsWith('0x1626ba7e') ? 'valid' : answer
    }),
  },
  {
    wrong: 'looks at the end of a word, not at its beginning',
    rule: 'wallet-hostile',
    says: 'the answer of a wallet that pads-left is valid',
    wrap: verifyWith((real) => async (question, options) => {
      const answer = await real(question, options)
      const word = await askBare(question).catch(() => '0x')
      return word.endsWith('1626ba7e') ? 'valid' : answer
    }),
  },
  {
    wrong: 'asks as nobody',
    rule: 'wallet-hostile',
    says: 'the answer of a wallet that yes-to-nobody is valid',
    wrap: verifyWith((real) => async (question, options) => {
      const answer = await real(question, options)
      const word = await askBare(question, `0x${'0'.repeat(40)}`).catch(() => '0x')
      return word === `0x1626ba7e${'0'.repeat(56)}` ? 'valid' : answer
    }),
  },
  {
    wrong: 'asks one provider, however many are to agree (invariant 3)',
    rule: 'wallet-agreed',
    says: 'agrees by three providers where there are two',
    wrap: verifyWith((real) => (question) => real(question, { agreeing: 1 })),
  },
  {
    wrong: 'asks two providers at most',
    rule: 'wallet-agreed',
    says: 'agrees by three providers where there are two',
    wrap: verifyWith(
      (real) =>
        (question, { agreeing }) =>
          real(question, { agreeing: Math.min(agreeing, 2) }),
    ),
  },
]

describe('the kit notices an adapter that', () => {
  it.each(mutants)('$wrong: $rule', async ({ rule, says, wrap }) => {
    const cases = conformanceCases(harnessWith({ ...world.harness, patienceSeconds: 20 }, wrap))
    await expect(cases.find(({ id }) => id === rule)?.run()).rejects.toThrow(says)
  })

  it('and none of an adapter without contract wallets is asked', () => {
    // CAST: as if the member were absent.
    const without = adapterWith(() => ({ contractWallets: undefined as never }))
    const cases = conformanceCases(harnessWith(world.harness, without)).filter(({ id }) => id.startsWith('wallet-'))
    expect(cases.map(({ exemption }) => exemption)).toEqual(Array(3).fill('the chain has no contract wallets'))
  })
})

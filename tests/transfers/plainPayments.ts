import type { ChainAdapter, ChainMoney, ChainPackage } from '@causeway/core/chain'
import type { SignedDeposit, TestWallet } from '@causeway/core/testing'
import { pino } from 'pino'

/** The adapter of a chain in this process, started: it says what a wallet sends that knows nothing of any quote. */
export const openAdapter = async (packageName: string, config: object): Promise<ChainAdapter> => {
  const { default: chainPackage } = (await import(/* @vite-ignore */ packageName)) as { readonly default: ChainPackage }
  const { options } = config as { readonly options: never }
  const logger = pino({ level: 'silent' })
  // A host adds the solver, which this adapter never is.
  const deps = { config: { solver: '', ...config }, clock: { now: () => Date.now() }, logger, environment: {} }
  // CAST: the configuration is the one that a host accepts.
  const adapter = await chainPackage.create(options, deps as unknown as Parameters<typeof chainPackage.create>[1])
  await adapter.start(new AbortController().signal)
  return adapter
}

/** Signs a plain transfer to an address. @throws Error when the chain has no addresses to pay to */
export const preparePayment = async (
  { depositAddresses }: Pick<ChainAdapter, 'depositAddresses'>,
  { wallet, address, money }: { readonly wallet: TestWallet; readonly address: string; readonly money: ChainMoney },
): Promise<SignedDeposit> => {
  if (depositAddresses === undefined) throw new Error('The chain has no addresses to pay to')
  const items = await depositAddresses.buildPayment({ from: wallet.address, to: { address }, money })
  return wallet.prepare([{ items }])
}

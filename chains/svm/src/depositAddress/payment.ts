import { ServiceError } from '@causeway/core'
import type { DepositAddresses, StepItemDraft } from '@causeway/core/chain'
import { PublicKey, SystemProgram, type TransactionInstruction } from '@solana/web3.js'
import { NATIVE } from '../address/addresses.js'
import { refuseTooLarge } from '../deposit/measure.js'
import { encodeStepData } from '../deposit/stepData.js'
import type { FeeSource } from '../payout/fees/feeSource.js'
import type { AccountReader } from '../read/token/accountReader.js'
import type { MintReader } from '../read/token/mintReader.js'
import { createTokenAccount } from '../read/token/tokenAccounts.js'
import { transferTokens } from '../read/token/tokenTransfer.js'

export interface PaymentDeps {
  readonly accounts: AccountReader
  readonly mints: MintReader
  readonly fees: Pick<FeeSource, 'rent'>
}

type PaymentRequest = Parameters<DepositAddresses['buildPayment']>[0]

const PAYMENT_TEXT = {
  stepId: 'deposit',
  kind: 'transaction',
  action: 'Confirm transaction in your wallet',
  description: 'Sends the funds to the deposit address',
} as const

/**
 * The plain transfer that a wallet makes: of lamports to the address, of tokens to its associated account, which is opened where it is
 * missing.
 * @throws ServiceError AMOUNT_TOO_LOW, UNSUPPORTED_CURRENCY, SOLANA_TX_TOO_LARGE
 */
export const buildPayment = async (request: PaymentRequest, deps: PaymentDeps): Promise<readonly StepItemDraft[]> => {
  const { currency } = request.money
  const instructions = currency === NATIVE ? await payLamports(request, deps) : await payTokens(request, deps)
  refuseTooLarge(instructions, new PublicKey(request.from))
  return [{ ...PAYMENT_TEXT, data: encodeStepData({ instructions, tables: [] }) }]
}

const payLamports = async (
  { from, to: { address }, money: { amount } }: PaymentRequest,
  { accounts, fees }: PaymentDeps,
): Promise<TransactionInstruction[]> => {
  const [[account], least] = await Promise.all([accounts.read([address]), fees.rent(0)])
  const held = BigInt(account?.lamports ?? 0)
  if (held + amount < least) {
    throw new ServiceError(
      'AMOUNT_TOO_LOW',
      `The network takes no less than ${least - held} lamports at a deposit address: an account must hold ${least}.`,
    )
  }
  return [
    SystemProgram.transfer({ fromPubkey: new PublicKey(from), toPubkey: new PublicKey(address), lamports: amount }),
  ]
}

const payTokens = async (
  { from, to: { address }, money: { currency, amount } }: PaymentRequest,
  { accounts, mints }: PaymentDeps,
): Promise<TransactionInstruction[]> => {
  const mint = await mints.read(currency)
  if (mint === null) {
    throw new ServiceError('UNSUPPORTED_CURRENCY', 'There is no token at the address of this currency.')
  }
  if (mint.nonTransferable) throw new ServiceError('UNSUPPORTED_CURRENCY', 'This token cannot be transferred.')
  if (mint.frozenByDefault) {
    throw new ServiceError('UNSUPPORTED_CURRENCY', 'New accounts of this token are frozen until its issuer thaws them.')
  }
  return [createTokenAccount(from, address, mint), await transferTokens({ mint, from, to: address, amount }, accounts)]
}

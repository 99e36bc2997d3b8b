import { bytesToHex, type Hex, hexToBytes, ServiceError } from '@causeway/core'
import { type Payout, type Signer, signChecked, type WithdrawAuthorization } from '@causeway/core/chain'
import type { TransactionInstruction } from '@solana/web3.js'
import { NATIVE } from '../address/addresses.js'
import { encodeBase58 } from '../address/base58.js'
import { executeTransfer } from '../deposit/program/executeTransfer.js'
import { programAddresses } from '../deposit/program/programAddresses.js'
import {
  type DepositoryState,
  programNonce,
  readDepositoryState,
  type TransferRequest,
  transferRequestHash,
} from '../deposit/program/transferRequest.js'
import type { AccountReader } from '../read/token/accountReader.js'
import type { MintInfo } from '../read/token/mintInfo.js'
import { associatedTokenAddress, createTokenAccount } from '../read/token/tokenAccounts.js'
import type { PayoutForm } from './payoutForm.js'

export interface WithdrawalTerms {
  readonly to: string
  readonly money: Payout['money']
  readonly nonce: Hex
  /** Unix seconds. */
  readonly expiration: number
}

/** Withdrawals in program form: the allocator signs a request, anybody submits it, once (chains.md, Depository program). */
export class RequestForm {
  readonly #program: string
  readonly #accounts: AccountReader
  #state: Promise<DepositoryState> | null = null

  constructor({ program, accounts }: { readonly program: string; readonly accounts: AccountReader }) {
    this.#program = program
    this.#accounts = accounts
  }

  /** @throws ServiceError SERVICE_UNAVAILABLE when the program is not ready or the allocator is another one */
  async authorize(terms: WithdrawalTerms, allocator: Signer): Promise<WithdrawAuthorization> {
    const state = await this.#read()
    if (allocator.scheme !== 'ed25519' || encodeBase58(allocator.publicKey) !== state.allocator) {
      throw new ServiceError('SERVICE_UNAVAILABLE', "The allocator's key is not the one the depository program knows.")
    }
    const signature = await signChecked(allocator, await this.hash(terms))
    return { nonce: terms.nonce, expiration: terms.expiration, signature: bytesToHex(signature) }
  }

  async hash(terms: WithdrawalTerms): Promise<Uint8Array> {
    return transferRequestHash(await this.#request(terms))
  }

  async build(
    payout: Payout,
    mint: MintInfo | null,
    memo: TransactionInstruction,
    createAccount: boolean,
  ): Promise<PayoutForm> {
    const terms = termsOf(payout)
    const { vault } = programAddresses(this.#program)
    const [proof, transfer] = executeTransfer({
      program: this.#program,
      executor: payout.from,
      request: await this.#request(terms),
      mint,
      allocator: (await this.#read()).allocator,
      signature: hexToBytes(payout.authorization?.signature ?? '0x', 'signature', 64),
    })
    if (proof === undefined || transfer === undefined) throw new Error('A withdrawal has two instructions.')
    const creates = mint !== null && createAccount ? [createTokenAccount(payout.from, terms.to, mint)] : []
    return {
      instructions: [...creates, memo, proof, transfer],
      transfer,
      mint,
      source: mint === null ? vault : associatedTokenAddress(vault, mint),
      destination: mint === null ? terms.to : associatedTokenAddress(terms.to, mint),
      cosigner: null,
    }
  }

  async #request({ to, money, nonce, expiration }: WithdrawalTerms): Promise<TransferRequest> {
    const { domain } = await this.#read()
    if (domain === null) throw new ServiceError('SERVICE_UNAVAILABLE', 'The depository program has no domain yet.')
    return {
      domain,
      recipient: to,
      token: money.currency === NATIVE ? null : money.currency,
      amount: money.amount,
      nonce: programNonce(nonce),
      expiration: BigInt(expiration),
      vault: programAddresses(this.#program).vault,
    }
  }

  /** Read once: a domain is set for ever, and after a change of the allocator its requests fail by themselves. */
  #read(): Promise<DepositoryState> {
    this.#state ??= this.#ask().catch((error: unknown) => {
      this.#state = null
      throw error
    })
    return this.#state
  }

  async #ask(): Promise<DepositoryState> {
    const [account] = await this.#accounts.read([programAddresses(this.#program).relayDepository])
    const state = account?.owner === this.#program ? readDepositoryState(Buffer.from(account.data[0], 'base64')) : null
    if (state === null) throw new ServiceError('SERVICE_UNAVAILABLE', 'The depository program is not initialised.')
    return state
  }
}

/** Terms of a `withdraw` payout; throws when it carries no authorization. */
export const termsOf = (payout: Payout): WithdrawalTerms => {
  const { authorization } = payout
  if (authorization === undefined) throw new Error('A withdraw payout needs the authorization of the allocator.')
  return {
    to: payout.to.address,
    money: payout.money,
    nonce: authorization.nonce,
    expiration: authorization.expiration,
  }
}

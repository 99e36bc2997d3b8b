import {
  Ed25519Program,
  PublicKey,
  SYSVAR_INSTRUCTIONS_PUBKEY,
  SystemProgram,
  TransactionInstruction,
} from '@solana/web3.js'
import type { MintInfo } from '../../read/token/mintInfo.js'
import { ASSOCIATED_TOKEN_PROGRAM_ID, TOKEN_PROGRAM_ID } from '../../read/token/program/tokenPrograms.js'
import { associatedTokenAddress } from '../../read/token/tokenAccounts.js'
import { readonly, signing, writable } from './depositInstructions.js'
import { programAddresses, usedRequestAddress } from './programAddresses.js'
import { encodeTransferRequest, type TransferRequest, transferRequestHash } from './transferRequest.js'

const EXECUTE_TRANSFER = Buffer.from('e97ea0b8ebce1f77', 'hex')

/** Size of the account that marks a request as used: discriminator and one byte. */
export const USED_REQUEST_BYTES = 9

export interface ExecuteTransfer {
  readonly program: string
  readonly executor: string
  readonly request: TransferRequest
  /** Null for lamports. */
  readonly mint: Pick<MintInfo, 'address' | 'programId'> | null
  readonly allocator: string
  /** 64 bytes over the hash of the request. */
  readonly signature: Uint8Array
}

/**
 * The two instructions that take money out of the vault, which must follow each other: the proof of the allocator's
 * signature, 144 bytes with every offset pointing into itself, and `execute_transfer`. Accounts that a transfer of lamports does
 * not need are the program itself, as Anchor writes absent ones.
 */
export const executeTransfer = (transfer: ExecuteTransfer): TransactionInstruction[] => {
  const { program, executor, request, mint, allocator, signature } = transfer
  const { relayDepository, vault } = programAddresses(program)
  const hash = transferRequestHash(request)
  const proof = Ed25519Program.createInstructionWithPublicKey({
    publicKey: new PublicKey(allocator).toBytes(),
    message: hash,
    signature,
  })
  const absent = readonly(program)
  const tokenKeys =
    mint === null
      ? [absent, absent, absent]
      : [
          readonly(mint.address),
          writable(associatedTokenAddress(request.recipient, mint)),
          writable(associatedTokenAddress(vault, mint)),
        ]
  const execute = new TransactionInstruction({
    programId: new PublicKey(program),
    keys: [
      readonly(relayDepository),
      signing(executor),
      writable(request.recipient),
      writable(vault),
      ...tokenKeys,
      writable(usedRequestAddress(program, hash)),
      readonly(SYSVAR_INSTRUCTIONS_PUBKEY.toBase58()),
      readonly(mint?.programId ?? TOKEN_PROGRAM_ID.toBase58()),
      readonly(ASSOCIATED_TOKEN_PROGRAM_ID.toBase58()),
      readonly(SystemProgram.programId.toBase58()),
    ],
    data: Buffer.concat([EXECUTE_TRANSFER, encodeTransferRequest(request)]),
  })
  return [proof, execute]
}

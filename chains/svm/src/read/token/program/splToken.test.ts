import { readFileSync } from 'node:fs'
import { PublicKey, type TransactionInstruction } from '@solana/web3.js'
import { describe, expect, it, test } from 'vitest'
import {
  initializeDefaultState,
  initializeMetadataPointer,
  initializeMint,
  initializeNonTransferable,
  initializeTransferFee,
  initializeTransferHook,
  mintTo,
} from '../../../testing/node/mintInstructions.js'
import {
  approve,
  closeAccount,
  createAssociated,
  harvestWithheld,
  initializeAccount,
  syncNative,
  transfer,
  transferChecked,
} from './tokenInstructions.js'
import {
  AccountState,
  accountBytes,
  decodeAccount,
  decodeMint,
  feeInEpoch,
  hookProgramIn,
  mintBytes,
  type SizedExtension,
} from './tokenLayouts.js'
import { associatedAddress, TOKEN_2022_PROGRAM_ID as T22 } from './tokenPrograms.js'
import { TransferHookError, transferWithHook } from './transferHook.js'

interface RecordedInstruction {
  readonly programId: string
  /** `address:s:w`: signer, writable. */
  readonly keys: readonly string[]
  readonly data: string
}

interface Sample {
  readonly name: string
  readonly data: string
  readonly read: object | null
}

/** What @solana/spl-token 0.4.15 wrote and read. */
interface Recorded {
  readonly keys: Readonly<Record<'payer' | 'owner' | 'mint' | 'source' | 'target' | 'other' | 'hook', string>>
  readonly instructions: Readonly<Record<string, RecordedInstruction>>
  readonly lengths: Readonly<Record<'mint' | 'account', Readonly<Record<string, number>>>>
  readonly associated: readonly Readonly<Record<'owner' | 'mint' | 'program' | 'address', string>>[]
  readonly accounts: readonly Sample[]
  readonly mints: readonly Sample[]
  readonly hooks: readonly {
    readonly name: string
    readonly accounts: Readonly<Record<string, string>>
    readonly instruction: RecordedInstruction | null
  }[]
}

// CAST: the file is ours.
const recorded = JSON.parse(readFileSync(new URL('./fixtures/splToken.json', import.meta.url), 'utf8')) as Recorded
const key = (name: keyof Recorded['keys']): PublicKey => new PublicKey(recorded.keys[name])
const [payer, owner, mint, source, target] = [key('payer'), key('owner'), key('mint'), key('source'), key('target')]
const [other, hook] = [key('other'), key('hook')]
const MOST = 2n ** 64n - 1n

const text = ({ programId, keys, data }: TransactionInstruction): RecordedInstruction => ({
  programId: programId.toBase58(),
  keys: keys.map((at) => [at.pubkey.toBase58(), at.isSigner ? 's' : '', at.isWritable ? 'w' : ''].join(':')),
  data: data.toString('hex'),
})

const OWN: Readonly<Record<string, TransactionInstruction>> = {
  'transferChecked token': transferChecked({ source, mint, destination: target, owner, amount: MOST, decimals: 9 }),
  'transferChecked token-2022': transferChecked({
    ...{ source, mint, destination: target, owner, amount: 1n, decimals: 0, program: T22 },
  }),
  transfer: transfer({ source, destination: target, owner, amount: 258n }),
  'transfer token-2022': transfer({ source, destination: target, owner, amount: MOST, program: T22 }),
  approve: approve({ account: source, delegate: other, owner, amount: MOST }),
  'approve token-2022': approve({ account: source, delegate: other, owner, amount: 7n, program: T22 }),
  closeAccount: closeAccount({ account: source, destination: target, owner }),
  'closeAccount token-2022': closeAccount({ account: source, destination: target, owner, program: T22 }),
  syncNative: syncNative(source),
  initializeAccount3: initializeAccount({ account: source, mint, owner }),
  'initializeAccount3 token-2022': initializeAccount({ account: source, mint, owner, program: T22 }),
  'createAssociated token': createAssociated({ payer, owner, mint }),
  'createAssociated token-2022': createAssociated({ payer, owner, mint, program: T22 }),
  harvestWithheld: harvestWithheld(mint, [source, target]),
  initializeMint2: initializeMint({
    ...{ mint, decimals: 6, authority: owner, freezer: null },
    program: new PublicKey(recorded.instructions.initializeMint2?.programId ?? ''),
  }),
  'initializeMint2 freezable': initializeMint({ mint, decimals: 9, authority: owner, freezer: other, program: T22 }),
  mintTo: mintTo({
    ...{ mint, account: target, authority: owner, amount: MOST },
    program: new PublicKey(recorded.instructions.mintTo?.programId ?? ''),
  }),
  'mintTo token-2022': mintTo({ mint, account: target, authority: owner, amount: 5n, program: T22 }),
  initializeTransferFee: initializeTransferFee(mint, {
    ...{ configAuthority: owner, withdrawAuthority: other, bps: 250, maximum: 1_000_000n },
  }),
  initializeTransferHook: initializeTransferHook(mint, owner, hook),
  initializeDefaultState: initializeDefaultState(mint, AccountState.Frozen),
  initializeNonTransferable: initializeNonTransferable(mint),
  initializeMetadataPointer: initializeMetadataPointer(mint, owner, mint),
}

describe('instructions are those of the library, byte by byte', () => {
  it.each(Object.entries(recorded.instructions))('%s', (name, expected) => {
    const own = OWN[name]
    expect(own && text(own)).toEqual(expected)
  })

  it('and no other exists', () => {
    expect(Object.keys(OWN).sort()).toEqual(Object.keys(recorded.instructions).sort())
  })
})

test.each(recorded.associated)('the associated account of $owner by $program', (at) => {
  const found = associatedAddress(new PublicKey(at.mint), new PublicKey(at.owner), new PublicKey(at.program))
  expect(found.toBase58()).toBe(at.address)
})

// CAST: names in the file are those of extensions.
const namesIn = (list: string) => list.split(',').filter(Boolean) as SizedExtension[]

test.each(Object.entries(recorded.lengths.mint))('bytes of a mint with %s', (list, bytes) => {
  expect(mintBytes(namesIn(list))).toBe(bytes)
})

test.each(Object.entries(recorded.lengths.account))('bytes of a token account with %s', (list, bytes) => {
  expect(accountBytes(namesIn(list))).toBe(bytes)
})

describe('token accounts are read as by the library', () => {
  it.each(recorded.accounts)('$name', ({ data, read }) => {
    const found = decodeAccount(Buffer.from(data, 'hex'))
    const fields = found && {
      mint: found.mint.toBase58(),
      owner: found.owner.toBase58(),
      amount: found.amount.toString(),
      state: found.state,
      delegate: found.delegate?.toBase58() ?? null,
      closeAuthority: found.closeAuthority?.toBase58() ?? null,
      withholds: found.extension('TransferFeeAmount') !== null,
    }
    expect(fields).toEqual(read)
  })
})

describe('mints are read as by the library', () => {
  it.each(recorded.mints)('$name', ({ data, read }) => {
    const found = decodeMint(Buffer.from(data, 'hex'))
    const [fees, hookValue] = [found?.extension('TransferFeeConfig'), found?.extension('TransferHook')]
    const feeAt = (config: Buffer, epoch: bigint) => {
      const { bps, maximum } = feeInEpoch(config, epoch)
      return { bps, maximum: maximum.toString() }
    }
    const fields = found && {
      decimals: found.decimals,
      isInitialized: found.isInitialized,
      fees: fees ? { 7: feeAt(fees, 7n), 8: feeAt(fees, 8n) } : null,
      hook: hookValue ? hookProgramIn(hookValue).toBase58() : null,
      defaultState: found.extension('DefaultAccountState')?.readUInt8() ?? null,
      nonTransferable: found.extension('NonTransferable') !== null,
      pausable: found.extension('PausableConfig') !== null,
      metadata: found.extension('TokenMetadata')?.toString('hex') ?? null,
    }
    expect(fields).toEqual(read)
  })
})

describe('a transfer with a hook has the accounts that the library adds', () => {
  it.each(recorded.hooks)('$name', async ({ accounts, instruction }) => {
    const data = async (address: PublicKey): Promise<Buffer | null> => {
      const found = accounts[address.toBase58()]
      return found === undefined ? null : Buffer.from(found, 'hex')
    }
    const transferred = { source, mint, destination: target, owner, amount: 1000n, decimals: 6, program: T22 }
    const made = transferWithHook(transferred, hook, { data })
    if (instruction === null) await expect(made).rejects.toThrow(TransferHookError)
    else expect(text(await made)).toEqual(instruction)
  })
})

import { Keypair, SystemProgram } from '@solana/web3.js'
import { describe, expect, test } from 'vitest'
import type { RpcAccount } from '../../rpc/wire.js'
import { type MintInfo, readMintInfo } from './mintInfo.js'
import { TOKEN_2022_PROGRAM_ID, TOKEN_PROGRAM_ID } from './program/tokenPrograms.js'
import { associatedTokenAddress, readTokenAccount } from './tokenAccounts.js'

const MINT = Keypair.generate().publicKey.toBase58()
const HOOK = Keypair.generate().publicKey
const HERE = { epoch: 7n, endsSoon: false }

const account = (owner: string, data: Buffer): RpcAccount => ({
  lamports: 1,
  owner,
  executable: false,
  data: [data.toString('base64'), 'base64'],
})

/** 82 bytes: no authorities, supply 5, six decimals, initialised. */
const plainMint = (): Buffer => {
  const data = Buffer.alloc(82)
  data.writeBigUInt64LE(5n, 36)
  data.writeUInt8(6, 44)
  data.writeUInt8(1, 45)
  return data
}

/** A mint with extensions: padded to the size of a token account, type 1, then type, length, value. */
const extendedMint = (...extensions: readonly (readonly [number, Buffer])[]): RpcAccount => {
  const entries = extensions.map(([type, value]) => {
    const head = Buffer.alloc(4)
    head.writeUInt16LE(type, 0)
    head.writeUInt16LE(value.length, 2)
    return Buffer.concat([head, value])
  })
  return account(
    TOKEN_2022_PROGRAM_ID.toBase58(),
    Buffer.concat([plainMint(), Buffer.alloc(83), Buffer.from([1]), ...entries]),
  )
}

const fee = (epoch: bigint, maximum: bigint, bps: number): Buffer => {
  const data = Buffer.alloc(18)
  data.writeBigUInt64LE(epoch, 0)
  data.writeBigUInt64LE(maximum, 8)
  data.writeUInt16LE(bps, 16)
  return data
}

const feeConfig = Buffer.concat([Buffer.alloc(72), fee(3n, 50n, 100), fee(8n, 40n, 200)])

describe('what a payment depends on is read from the mint', () => {
  test('a plain mint of the first token program', () => {
    expect(readMintInfo(MINT, account(TOKEN_PROGRAM_ID.toBase58(), plainMint()), HERE)).toEqual({
      address: MINT,
      program: 'token',
      programId: TOKEN_PROGRAM_ID.toBase58(),
      decimals: 6,
      transferFee: null,
      hookProgram: null,
      nonTransferable: false,
      frozenByDefault: false,
      tokenAccountBytes: 165,
    } satisfies MintInfo)
  })

  test('Token-2022: an associated account also has an immutable owner', () => {
    const mint = readMintInfo(MINT, extendedMint(), HERE)
    expect(mint).toMatchObject({ program: 'token-2022', transferFee: null, tokenAccountBytes: 170 })
  })

  test('the transfer fee is that of the epoch, and near its end the dearer of both', () => {
    const read = (epoch: bigint, endsSoon: boolean) =>
      readMintInfo(MINT, extendedMint([1, feeConfig]), { epoch, endsSoon })
    expect(read(7n, false)).toMatchObject({ transferFee: { bps: 100, maximum: 50n }, tokenAccountBytes: 182 })
    expect(read(8n, false)).toMatchObject({ transferFee: { bps: 200, maximum: 40n } })
    expect(read(7n, true)).toMatchObject({ transferFee: { bps: 200, maximum: 50n } })
  })

  test('hook, default frozen, non-transferable', () => {
    const hook = Buffer.concat([Buffer.alloc(32), HOOK.toBuffer()])
    const mint = readMintInfo(MINT, extendedMint([14, hook], [6, Buffer.from([2])], [9, Buffer.alloc(0)]), HERE)
    expect(mint).toMatchObject({ hookProgram: HOOK.toBase58(), frozenByDefault: true, nonTransferable: true })
    const without = readMintInfo(MINT, extendedMint([14, Buffer.alloc(64)], [6, Buffer.from([1])]), HERE)
    expect(without).toMatchObject({ hookProgram: null, frozenByDefault: false, nonTransferable: false })
  })

  test('whatever is no mint is null', () => {
    const tokenAccount = Buffer.alloc(165)
    tokenAccount.writeUInt8(1, 108)
    for (const other of [
      null,
      account(SystemProgram.programId.toBase58(), plainMint()),
      account(TOKEN_PROGRAM_ID.toBase58(), tokenAccount),
      account(TOKEN_PROGRAM_ID.toBase58(), Buffer.alloc(82)),
      account(TOKEN_PROGRAM_ID.toBase58(), Buffer.alloc(3)),
    ])
      expect(readMintInfo(MINT, other, HERE)).toBeNull()
  })
})

test('token accounts: owner, mint, amount and whether frozen', () => {
  const owner = Keypair.generate().publicKey
  const data = Buffer.concat([Buffer.from(Keypair.generate().publicKey.toBytes()), owner.toBuffer(), Buffer.alloc(101)])
  data.writeBigUInt64LE(9n, 64)
  data.writeUInt8(2, 108)
  const read = readTokenAccount(account(TOKEN_PROGRAM_ID.toBase58(), data))
  expect(read).toMatchObject({ owner: owner.toBase58(), amount: 9n, frozen: true })
  expect(readTokenAccount(account(SystemProgram.programId.toBase58(), data))).toBeNull()
})

test('an associated account is known from owner, mint and program; owners off the curve have one too', () => {
  // The wrapped SOL account of the depository program's vault, and of the same owner under the other token program.
  const owner = '7uTT8Xi5RWXzy7h9XL244GRgEycDYDhLjr3ZyNdXi8pZ'
  const address = 'So11111111111111111111111111111111111111112'
  const first = associatedTokenAddress(owner, { address, programId: TOKEN_PROGRAM_ID.toBase58() })
  const second = associatedTokenAddress(owner, { address, programId: TOKEN_2022_PROGRAM_ID.toBase58() })
  expect(first).not.toBe(second)
})

import { createHash } from 'node:crypto'
import type { Hex } from '@causeway/core'
import { Keypair, PublicKey } from '@solana/web3.js'
import { describe, expect, test } from 'vitest'
import { associatedTokenAddress } from '../../read/token/tokenAccounts.js'
import { depositNative, depositToken, readDepositInstruction } from './depositInstructions.js'
import { executeTransfer } from './executeTransfer.js'
import { programAddresses, usedRequestAddress } from './programAddresses.js'
import { depositEventsOf, readDepositEvent } from './programEvents.js'
import {
  encodeTransferRequest,
  programDomain,
  programNonce,
  readDepositoryState,
  transferRequestHash,
} from './transferRequest.js'

const PROGRAM = '99vQwtBwYtrqqD9YSXbdum3KBdxPAVxYTaQ3cfnJSrN2'
const VAULT = '7uTT8Xi5RWXzy7h9XL244GRgEycDYDhLjr3ZyNdXi8pZ'
const STATE = 'Dodg2HifwU8rmaVVyMyUZDGTRbqAJTyVYxXPwcbNpBKc'
const SYSTEM = '11111111111111111111111111111111'
const TOKEN = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
const ATA = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL'
const ORDER: Hex = `0x${'0102'.repeat(16)}`
const user = Keypair.generate().publicKey.toBase58()
const mint = { address: Keypair.generate().publicKey.toBase58(), programId: TOKEN }
const keyHex = (address: string) => new PublicKey(address).toBuffer().toString('hex')

const discriminator = (name: string) => createHash('sha256').update(name).digest().subarray(0, 8).toString('hex')

describe('chains.md, Depository program', () => {
  test('the addresses of state and vault', () => {
    expect(programAddresses(PROGRAM)).toEqual({ program: PROGRAM, relayDepository: STATE, vault: VAULT })
  })

  test('deposit_native, byte by byte', () => {
    const made = depositNative({
      program: PROGRAM,
      sender: user,
      depositor: user,
      amount: 1_000_000_007n,
      orderId: ORDER,
    })
    expect(made.data.toString('hex')).toBe(`0d9e0ddf5fd51c0607ca9a3b00000000${'0102'.repeat(16)}`)
    expect(made.data.subarray(0, 8).toString('hex')).toBe(discriminator('global:deposit_native'))
    expect(made.keys.map(({ pubkey, isSigner, isWritable }) => [pubkey.toBase58(), isSigner, isWritable])).toEqual([
      [STATE, false, false],
      [user, true, true],
      [user, false, false],
      [VAULT, false, true],
      [SYSTEM, false, false],
    ])
  })

  test('deposit_token, byte by byte', () => {
    const made = depositToken({ program: PROGRAM, sender: user, depositor: user, amount: 258n, orderId: ORDER, mint })
    expect(made.data.toString('hex')).toBe(`0b9c60da27a3b4130201000000000000${'0102'.repeat(16)}`)
    expect(made.data.subarray(0, 8).toString('hex')).toBe(discriminator('global:deposit_token'))
    expect(made.keys.map(({ pubkey, isSigner, isWritable }) => [pubkey.toBase58(), isSigner, isWritable])).toEqual([
      [STATE, false, false],
      [user, true, true],
      [user, false, false],
      [VAULT, false, false],
      [mint.address, false, false],
      [associatedTokenAddress(user, mint), false, true],
      [associatedTokenAddress(VAULT, mint), false, true],
      [TOKEN, false, false],
      [ATA, false, false],
      [SYSTEM, false, false],
    ])
  })

  test('a deposit instruction is read back; other data is none', () => {
    const made = depositNative({
      program: PROGRAM,
      sender: user,
      depositor: user,
      amount: 2n ** 64n - 1n,
      orderId: ORDER,
    })
    expect(readDepositInstruction(made.data)).toMatchObject({ kind: 'native', amount: 2n ** 64n - 1n, orderId: ORDER })
    expect(readDepositInstruction(made.data.subarray(0, 47))).toBeNull()
    expect(readDepositInstruction(Buffer.alloc(48))).toBeNull()
  })

  test('the transfer request in Borsh, its hash and its domain', () => {
    const domain = programDomain(PROGRAM, 'solana')
    const text = Buffer.concat([Buffer.from('RelayDepository1solana'), new PublicKey(PROGRAM).toBuffer()])
    expect(domain).toEqual(createHash('sha256').update(text).digest())
    const request = {
      domain,
      recipient: user,
      token: null,
      amount: 1n,
      nonce: 2n,
      expiration: 4_294_967_295n,
      vault: VAULT,
    }
    const encoded = [domain.toString('hex'), keyHex(user), '00', '0100000000000000', '0200000000000000']
    const bytes = Buffer.from([...encoded, 'ffffffff00000000', keyHex(VAULT)].join(''), 'hex')
    expect(encodeTransferRequest(request)).toEqual(bytes)
    expect(transferRequestHash(request)).toEqual(createHash('sha256').update(bytes).digest())
    expect(
      encodeTransferRequest({ ...request, token: mint.address })
        .subarray(64, 97)
        .toString('hex'),
    ).toBe(`01${keyHex(mint.address)}`)
    expect(programNonce(`0x${'ff'.repeat(24)}0000000000000009`)).toBe(9n)
  })

  test('the proof of the signature: 144 bytes, key at 16, signature at 48, message behind, all in itself', () => {
    const allocator = Keypair.generate()
    const signature = Buffer.alloc(64, 7)
    const domain = programDomain(PROGRAM, 'solana')
    const request = { domain, recipient: user, token: null, amount: 1n, nonce: 2n, expiration: 3n, vault: VAULT }
    const [proof, execute] = executeTransfer({
      program: PROGRAM,
      executor: user,
      request,
      mint: null,
      allocator: allocator.publicKey.toBase58(),
      signature,
    })
    const head = '01003000ffff1000ffff70002000ffff'
    const hash = transferRequestHash(request)
    expect(proof?.data.toString('hex')).toBe(
      `${head}${allocator.publicKey.toBuffer().toString('hex')}${signature.toString('hex')}${hash.toString('hex')}`,
    )
    expect(proof?.data.length).toBe(144)
    expect(proof?.keys).toEqual([])
    expect(execute?.data.subarray(0, 8).toString('hex')).toBe('e97ea0b8ebce1f77')
    expect(execute?.data.subarray(0, 8).toString('hex')).toBe(discriminator('global:execute_transfer'))
    expect(execute?.keys.map(({ pubkey, isSigner, isWritable }) => [pubkey.toBase58(), isSigner, isWritable])).toEqual([
      [STATE, false, false],
      [user, true, true],
      [user, false, true],
      [VAULT, false, true],
      [PROGRAM, false, false],
      [PROGRAM, false, false],
      [PROGRAM, false, false],
      [usedRequestAddress(PROGRAM, hash), false, true],
      ['Sysvar1nstructions1111111111111111111111111', false, false],
      [TOKEN, false, false],
      [ATA, false, false],
      [SYSTEM, false, false],
    ])
  })

  test('the state of the program, with and without a domain', () => {
    const head = Buffer.concat([
      Buffer.from('80359cbdf353f56b', 'hex'),
      new PublicKey(user).toBuffer(),
      new PublicKey(VAULT).toBuffer(),
      Buffer.from([255]),
    ])
    expect(discriminator('account:RelayDepository')).toBe('80359cbdf353f56b')
    const full = Buffer.concat([head, Buffer.from([1]), Buffer.alloc(32, 9)])
    expect(readDepositoryState(full)).toEqual({ owner: user, allocator: VAULT, domain: new Uint8Array(32).fill(9) })
    expect(readDepositoryState(Buffer.concat([head, Buffer.alloc(33)]))?.domain).toBeNull()
    expect(readDepositoryState(Buffer.alloc(106))).toBeNull()
  })
})

describe('events of the program', () => {
  const event = (token: string | null) =>
    Buffer.from(
      `78f83d531f8e6b90${keyHex(user)}${token === null ? '00' : `01${keyHex(token)}`}0a00000000000000${'0102'.repeat(16)}`,
      'hex',
    )
  const line = `Program data: ${event(null).toString('base64')}`

  test('a deposit of lamports and of tokens', () => {
    expect(discriminator('event:DepositEvent')).toBe('78f83d531f8e6b90')
    expect(readDepositEvent(event(null))).toEqual({ depositor: user, token: null, amount: 10n, orderId: ORDER })
    expect(readDepositEvent(event(mint.address))).toMatchObject({ token: mint.address, amount: 10n })
    expect(readDepositEvent(event(null).subarray(1))).toBeNull()
    expect(readDepositEvent(Buffer.concat([event(null), Buffer.alloc(1)]))).toBeNull()
  })

  test('only lines the program wrote itself count; a cut log is said to be cut', () => {
    const other = Keypair.generate().publicKey.toBase58()
    const logs = [
      `Program ${other} invoke [1]`,
      line,
      `Program ${PROGRAM} invoke [2]`,
      `Program ${SYSTEM} invoke [3]`,
      `Program ${SYSTEM} success`,
      line,
      `Program ${PROGRAM} consumed 10 of 20 compute units`,
      `Program ${PROGRAM} success`,
      line,
      `Program ${other} success`,
      line,
    ]
    expect(depositEventsOf(logs, PROGRAM)).toHaveLength(1)
    const hook = [
      `Program ${PROGRAM} invoke [1]`,
      `Program ${other} invoke [2]`,
      'Program log: success',
      line,
      `Program log: ${PROGRAM} invoke [3]`,
      line,
    ]
    expect(depositEventsOf(hook, PROGRAM)).toEqual([])
    expect(depositEventsOf([...logs, 'Log truncated'], PROGRAM)).toBeNull()
  })
})
